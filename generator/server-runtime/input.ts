import { servedLimit } from '../../contract/policies/pagination.ts';
import { readBody } from './body.ts';
import type { ServedOperation } from './operation.ts';
import { type Misfit, readParameter, Repeated, type RequestTexts } from './parameters.ts';

export type ReadInput =
  | {
      readonly ok: true;
      readonly input: Readonly<Record<string, unknown>>;
      readonly servedLimit: number | undefined;
    }
  | {
      readonly ok: false;
      readonly cause: 'badInput' | 'mediaType' | 'notFound';
      readonly message: string;
      readonly misfits: readonly Misfit[];
    };

/** The input of a handler, checked against the document; parts that the handler judges by itself are not checked. */
export async function readInput(
  operation: ServedOperation,
  texts: RequestTexts,
  bytes: Uint8Array,
): Promise<ReadInput> {
  const { pagination, judgedByHandler = [] } = operation;
  const input: Record<string, unknown> = {};
  const misfits: Misfit[] = [];
  let limit: number | undefined;
  for (const parameter of operation.parameters ?? []) {
    const { name, in: place, member = name, required, check } = parameter;
    if (pagination !== undefined && place === 'query' && name === pagination.limitParameter) {
      const raw = readParameter({ ...parameter, reads: { kinds: ['string'] } }, texts);
      limit = raw instanceof Repeated ? undefined : servedLimit(pagination, raw as string | undefined);
      if (limit === undefined)
        misfits.push({ in: place, pointer: `/${name}`, message: 'is no single integer' });
      input[member] = limit;
      continue;
    }
    const value = readParameter(parameter, texts);
    if (value === undefined) {
      if (required === true) misfits.push({ in: place, pointer: `/${name}`, message: 'is missing' });
      continue;
    }
    if (value instanceof Repeated) {
      misfits.push({ in: place, pointer: `/${name}`, message: `stands ${String(value.times)} times` });
      continue;
    }
    Object.defineProperty(input, member, { value, enumerable: true, writable: true, configurable: true });
    if (judgedByHandler.includes(place)) continue;
    const checked = check?.(value);
    if (checked?.ok === false)
      misfits.push(
        ...checked.errors.map((error) => ({ ...error, in: place, pointer: `/${name}${error.pointer}` })),
      );
  }
  const misplaced = misfits.find((misfit) => misfit.in === 'path');
  if (misplaced !== undefined)
    return { ok: false, cause: 'notFound', message: 'There is nothing at this path.', misfits };
  if (misfits.length > 0) return { ok: false, cause: 'badInput', message: told(misfits), misfits };

  const body = await readBody(operation, bytes, texts.headers);
  if (body.ok === false) return { ok: false, cause: body.cause, message: body.message, misfits };
  if (body.content !== undefined || operation.body !== undefined) input['body'] = body.value;
  if (!judgedByHandler.includes('body')) {
    const checked = body.content?.check?.(body.value);
    if (checked?.ok === false) {
      const wrong = checked.errors.map((error): Misfit => ({ ...error, in: 'body' }));
      return { ok: false, cause: 'badInput', message: told(wrong), misfits: wrong };
    }
  }
  return { ok: true, input, servedLimit: limit };
}

/** What is wrong, in a sentence that names the first places. */
export function told(misfits: readonly Misfit[]): string {
  const told = misfits.slice(0, 3).map((misfit) => `${misfit.in} ${misfit.pointer} ${misfit.message}`);
  const more = misfits.length - told.length;
  return `${told.join('; ')}${more > 0 ? `; and ${String(more)} more` : ''}.`;
}
