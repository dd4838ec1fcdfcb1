import type { PolicyOf } from '../../../contract/index.ts';
import { onJson } from '../deviation.ts';
import type { Way } from './broken.ts';
import { put } from './errors.ts';
import { isSuccess } from './keys.ts';

/** Ways to show a member that is not to be shown. They work on answers that are the resource. */
export function presenceWays({ property, operations }: PolicyOf<'presence'>): readonly Way[] {
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

/** Ways to give an address that leads nowhere. */
export function linkWays({ property }: PolicyOf<'links'>): readonly Way[] {
  return [
    {
      case: 'address',
      variant: 'relative',
      document: [[['answer'], 'the document may describe the address as well']],
      parts: {
        onReply: (answer) =>
          isSuccess(answer)
            ? onJson(answer, 'any', (body) => {
                const links = property
                  .split('.')
                  .reduce<unknown>(
                    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
                    body,
                  );
                if (typeof links !== 'object' || links === null) return body;
                return put(
                  body,
                  property.split('.'),
                  Object.fromEntries(Object.keys(links).map((name) => [name, 'here'])),
                );
              })
            : answer,
      },
    },
  ];
}

export function uploadWays({ address }: PolicyOf<'upload'>): readonly Way[] {
  return [
    {
      case: 'address',
      variant: 'relative',
      document: [[['answer'], 'the document may describe the address as well']],
      parts: {
        onReply: (answer) =>
          isSuccess(answer) ? onJson(answer, 'any', (body) => put(body, address.split('.'), 'here')) : answer,
      },
    },
  ];
}
