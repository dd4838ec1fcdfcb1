import type { SendOptions } from '../scenarios/scenario.ts';

/**
 * How a body is announced: by its length, in chunks, or with a media type parameter that has no meaning for
 * JSON (RFC 8259, section 11).
 */
export const FRAMINGS = ['length', 'chunked', 'charset'] as const;

export function framed(framing: string): Pick<SendOptions, 'isChunked' | 'contentType'> {
  return {
    isChunked: framing === 'chunked',
    ...(framing === 'charset' ? { contentType: 'application/json; charset=utf-8' } : {}),
  };
}
