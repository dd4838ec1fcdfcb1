import { placeholders } from '../../contract/secrecy/index.ts';
import type { Placeholder } from '../../contract/secrecy/index.ts';
import type { StoredExchange } from '../verdicts/report.ts';

/**
 * A target up to the key at its end, and the placeholder for that key; `undefined` if the query contains
 * none.
 */
export function keyInTarget({
  target,
  keyParameter = '',
}: Pick<StoredExchange['request'], 'target' | 'keyParameter'>):
  { readonly before: string; readonly key: Placeholder } | undefined {
  const key = placeholders.find((name) =>
    ['?', '&'].some((mark) => target.endsWith(`${mark}${encodeURIComponent(keyParameter)}=${name}`)),
  );
  return key === undefined ? undefined : { before: target.slice(0, -key.length), key };
}
