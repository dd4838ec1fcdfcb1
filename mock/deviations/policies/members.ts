import { isRecord, type PolicyOf } from '../../../contract/index.ts';
import { onJson } from '../deviation.ts';
import type { WayToBreak } from './broken.ts';
import { put } from './errors.ts';
import { isSuccess } from './keys.ts';

/** Ways to show a member that is not to be shown. They work on answers that are the resource. */
export function presenceWays({ property, operations }: PolicyOf<'presence'>): readonly WayToBreak[] {
  return [
    {
      case: 'absent',
      variant: 'null',
      document: [[['answer'], 'the document may forbid null as well']],
      parts: {
        onReply: (answer, { operation }) =>
          isSuccess(answer) && !operations.includes(operation?.id ?? '')
            ? onJson(answer, 'any', (body) => ({ ...body, [property]: null }))
            : answer,
      },
    },
  ];
}

/** Ways to give a broken address. */
export function linkWays({ property }: PolicyOf<'links'>): readonly WayToBreak[] {
  const path = property.split('.');
  return [
    relativeAddress((body) => {
      const links = path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), body);
      if (!isRecord(links)) return body;
      return put(body, path, Object.fromEntries(Object.keys(links).map((name) => [name, 'here'])));
    }),
  ];
}

export function uploadWays({ address }: PolicyOf<'upload'>): readonly WayToBreak[] {
  return [relativeAddress((body) => put(body, address.split('.'), 'here'))];
}

// --- internal ---

function relativeAddress(change: Parameters<typeof onJson>[2]): WayToBreak {
  return {
    case: 'address',
    variant: 'relative',
    document: [[['answer'], 'the document may describe the address as well']],
    parts: { onReply: (answer) => (isSuccess(answer) ? onJson(answer, 'any', change) : answer) },
  };
}
