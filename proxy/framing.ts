import { valuesOf, type RawHeaders } from './end-to-end-headers.ts';

/**
 * How the end of a body is found (RFC 9112, section 6.3): it has none unless a header says so, a number of bytes, or
 * chunks. `codings` names all transfer codings, such as `gzip, chunked`.
 */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length' }
  | { readonly kind: 'chunked'; readonly codings: string };

/**
 * The framing that a head announces, or `undefined` if it announces several. Everything that forwards a message asks
 * this function, so that no two parts of the proxy can find different ends.
 */
export function framingOf(raw: RawHeaders): Framing | undefined {
  const lengths = valuesOf(raw, 'content-length');
  const codings = valuesOf(raw, 'transfer-encoding');
  if (lengths.length > 1 || (lengths.length > 0 && codings.length > 0)) return undefined;
  if (codings.length > 0) return { kind: 'chunked', codings: codings.join(', ') };
  return { kind: lengths.length > 0 ? 'length' : 'none' };
}

/** The transfer codings of an answer for its client: the same ones, in chunks. `undefined` if it has none but chunks. */
export function codingsBesideChunks(raw: RawHeaders): string | undefined {
  const codings = valuesOf(raw, 'transfer-encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '');
  const others = codings.filter((coding) => coding.toLowerCase() !== 'chunked');
  return others.length === 0 ? undefined : [...others, 'chunked'].join(', ');
}
