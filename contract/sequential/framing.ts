/**
 * How the pieces of a body follow one another: JSON values one to a line, JSON values after record separators
 * (RFC 7464), server-sent events (WHATWG HTML), or the parts of `multipart/mixed` (RFC 2046).
 */
export type PieceFraming = 'lines' | 'sequence' | 'events' | 'parts';

/** The framing of a media type; `undefined` if its body is one value. */
export function framingOf(mediaType: string): PieceFraming | undefined {
  const [essence = ''] = mediaType.split(';');
  return FRAMINGS.find(([pattern]) => pattern.test(essence.trim()))?.[1];
}

/** The boundary between the parts of a body; `undefined` if the media type does not name it. */
export function boundaryOf(mediaType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s"]+))/i.exec(mediaType) ?? [];
  return quoted ?? plain;
}

// --- internal ---

const FRAMINGS: readonly (readonly [RegExp, PieceFraming])[] = [
  [/^application\/(?:[\w.-]+\+|x-)?json-seq$/i, 'sequence'],
  [/^application\/(?:x-)?(?:nd-?json|jsonl|json-?lines|jsonlines\+json)$/i, 'lines'],
  [/^text\/event-stream$/i, 'events'],
  [/^multipart\/mixed$/i, 'parts'],
];
