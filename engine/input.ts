import { servedLimit } from '../contract/policies/pagination.ts';
import { isPlain } from '../contract/policies/plain-segments.ts';
import { type BadBody, type BodyBounds, readBody } from './body.ts';
import { withMembersOf } from './form.ts';
import { eventFault } from './event-faults.ts';
import type { Judge } from './judge.ts';
import type { ServedContent, ServedOperation } from './served-api.ts';
import {
  type ParameterMisfit,
  readOtherwise,
  readParameter,
  Repeated,
  type RequestTexts,
} from './parameters.ts';

export type ReadInput =
  | {
      readonly ok: true;
      readonly input: Readonly<Record<string, unknown>>;
      readonly servedLimit: number | undefined;
    }
  | {
      readonly ok: false;
      readonly cause: BadBody | 'notFound';
      readonly message: string;
      readonly misfits: readonly ParameterMisfit[];
    };

/** The input of a handler, validated by the document. */
export async function readInput(
  operation: ServedOperation,
  texts: RequestTexts,
  bytes: Uint8Array,
  bounds: BodyBounds,
  judge: Judge,
): Promise<ReadInput> {
  const { pagination, plainSegments } = operation;
  const input: Record<string, unknown> = {};
  const misfits: ParameterMisfit[] = [];
  let more = 0;
  let limit: number | undefined;
  for (const name of operation.requiredHeaders ?? [])
    if (texts.headers.get(name) === null)
      misfits.push({ in: 'header', pointer: `/${name}`, message: 'is missing' });
  for (const parameter of operation.parameters ?? []) {
    const { name, in: place, member = name, required, schema } = parameter;
    if (pagination !== undefined && place === 'query' && name === pagination.limitParameter) {
      const raw = readParameter({ ...parameter, reads: { kinds: ['string'] } }, texts);
      limit = raw instanceof Repeated ? undefined : servedLimit(pagination, raw as string | undefined);
      if (limit === undefined)
        misfits.push({ in: place, pointer: `/${name}`, message: 'is not a single integer' });
      const judged = schema === undefined || typeof raw !== 'string' ? undefined : judge(schema, Number(raw));
      if (limit !== undefined && judged?.ok === false)
        for (const error of judged.errors) misfits.push({ ...error, in: place, pointer: `/${name}` });
      input[member] = limit;
      continue;
    }
    if (place === 'path' && !isPlain(plainSegments, name, texts.segments[name] ?? ''))
      misfits.push({ in: place, pointer: `/${name}`, message: 'is percent-encoded' });
    const value = readParameter(parameter, texts);
    if (value === undefined) {
      if (required === true) misfits.push({ in: place, pointer: `/${name}`, message: 'is missing' });
      continue;
    }
    if (value instanceof Repeated) {
      misfits.push({ in: place, pointer: `/${name}`, message: `is sent ${String(value.times)} times` });
      continue;
    }
    const put = (read: unknown): void => {
      const property = { value: read, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(input, member, property);
    };
    put(value);
    const unnumbered = place === 'query' ? pageNumberFault(pagination, name, value) : undefined;
    if (unnumbered !== undefined) {
      misfits.push({ in: place, pointer: `/${name}`, message: unnumbered });
      continue;
    }
    const judged = schema === undefined ? undefined : judge(schema, value);
    if (schema === undefined || judged?.ok !== false) continue;
    const other = readOtherwise(parameter, texts, (read) => judge(schema, read).ok !== false);
    if (other !== undefined) {
      put(other.value);
      continue;
    }
    more += judged.more ?? 0;
    for (const error of judged.errors)
      misfits.push({ ...error, in: place, pointer: `/${name}${error.pointer}` });
  }
  const misplaced = misfits.filter((misfit) => misfit.in === 'path');
  if (misplaced.length > 0) {
    const message = `Nothing is served at this path: ${describeMisfits(misplaced)}`;
    return { ok: false, cause: 'notFound', message, misfits };
  }
  if (misfits.length > 0)
    return { ok: false, cause: 'badInput', message: describeMisfits(misfits, more), misfits };

  const body = await readBody(operation, bytes, texts.headers, bounds);
  if (body.ok === false) return { ok: false, cause: body.cause, message: body.message, misfits };
  if (body.content !== undefined || operation.body !== undefined) input['body'] = body.value;
  if (body.content !== undefined && (operation.body?.contents.length ?? 0) > 1)
    input['contentType'] = chosenType(body.content);
  const { schema, events } = body.content ?? {};
  const judged =
    events !== undefined
      ? eventFault(String(body.value), events, {
          jsonDepth: bounds.jsonDepth,
          judge: (kind, data) => (kind.schema === undefined ? { ok: true } : judge(kind.schema, data)),
        })
      : schema === undefined
        ? undefined
        : judge(schema, body.value);
  if (judged?.ok === false) {
    if (schema !== undefined && body.otherwise !== undefined) {
      const names = new Set(judged.errors.map(({ pointer }) => pointer.split('/')[1] ?? ''));
      const other = withMembersOf(await body.otherwise(), body.value, names);
      if (judge(schema, other).ok !== false)
        return { ok: true, input: { ...input, body: other }, servedLimit: limit };
    }
    const wrong = judged.errors.map((error): ParameterMisfit => ({ ...error, in: 'body' }));
    return { ok: false, cause: 'badInput', message: describeMisfits(wrong, judged.more), misfits: wrong };
  }
  return { ok: true, input, servedLimit: limit };
}

/**
 * A sentence that names the first faults and their places. Long names from the request are shortened.
 *
 * @param uncounted the number of further misfits
 */
export function describeMisfits(misfits: readonly ParameterMisfit[], uncounted = 0): string {
  const sentences = misfits
    .slice(0, 3)
    .map(({ in: place, pointer, message }) =>
      pointer === '' ? `${place} ${message}` : `${place} ${shortened(pointer)} ${message}`,
    );
  const more = misfits.length - sentences.length + uncounted;
  return `${sentences.join('; ')}${more > 0 ? `; and ${String(more)} more` : ''}.`;
}

// --- internal ---

/** The fault of a page number or offset, in words; `undefined` if it is valid. */
function pageNumberFault(
  policy: ServedOperation['pagination'],
  name: string,
  value: unknown,
): string | undefined {
  if (policy?.kind !== 'numbered-pages' || name !== (policy.pageParameter ?? policy.offsetParameter))
    return undefined;
  const least = policy.pageParameter === undefined ? 0 : (policy.firstPage ?? 1);
  const number = typeof value === 'string' && /^\s*$/.test(value) ? NaN : Number(value);
  return Number.isInteger(number) && number >= least
    ? undefined
    : `has to be an integer that is not below ${String(least)}`;
}

const LONGEST_POINTER = 200;

function shortened(pointer: string): string {
  return pointer.length > LONGEST_POINTER ? `${pointer.slice(0, LONGEST_POINTER)}…` : pointer;
}

/** The media type that an input names; a range of JSON types is JSON there. */
function chosenType({ mediaType, bodyFormat }: ServedContent): string {
  return bodyFormat === 'json' && mediaType.includes('*') ? 'application/json' : mediaType;
}
