import type { Json } from './model.ts';
import { isRecord } from './record.ts';

/**
 * JSON text that does not depend on the order of members; `undefined` for a value that JSON cannot express.
 */
export function canonical(value: Json): string;
export function canonical(value: unknown): string | undefined;
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
