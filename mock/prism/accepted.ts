/** Media types for Prism: the ranges of an `Accept` that it can parse, and types for the ranges of a document. */
import { isJson } from '../../contract/judge/body-format.ts';
import type { JudgedRequest } from '../call/engine.ts';

/**
 * The request with only the valid media ranges of its `Accept`, because Prism crashes on others. Old clients
 * write `*`.
 */
export function acceptable(request: JudgedRequest): JudgedRequest {
  const { accept, ...others } = request.headers;
  if (accept === undefined) return request;
  const ranges = accept
    .split(',')
    .map((range) => range.replace(/^\s*\*(?=\s*(?:;|$))/, '*/*'))
    .filter((range) => MEDIA_RANGE.test(range));
  return { ...request, headers: ranges.length === 0 ? others : { ...others, accept: ranges.join(',') } };
}

/** The body, or `{}` if the document declares JSON without a schema. An empty text is not valid JSON. */
export function bodyOrAny(body: unknown, type: string | undefined): unknown {
  return body === undefined && isJson(type ?? '') ? {} : body;
}

/** The media type of an answer: for a range such as `image/*`, the accepted type, else a usual one. */
export function mediaTypeOf(declared: string | undefined, body: unknown, accept = ''): string | undefined {
  const [, main = '', sub = ''] = /^([^/]*)\/(\*)$/.exec(declared ?? '') ?? [];
  if (sub === '') return declared;
  const isWithin = (type: string): boolean => main === '*' || type.startsWith(`${main}/`);
  const asked = accept
    .split(',')
    .map((range) => range.replace(/;.*/, '').trim().toLowerCase())
    .find((type) => /^[^*/]+\/[^*]+$/.test(type) && isWithin(type));
  if (asked !== undefined) return asked;
  const usual = typeof body === 'string' ? USUAL_OF_TEXT : USUAL_OF_VALUES;
  return usual.find(isWithin) ?? declared;
}

// --- internal ---

const MEDIA_RANGE = /^\s*(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))\s*(?:;.*)?$/;
const USUAL_OF_TEXT = ['text/plain', 'application/octet-stream', 'image/png', 'audio/mpeg', 'video/mp4'];
const USUAL_OF_VALUES = ['application/json', ...USUAL_OF_TEXT];
