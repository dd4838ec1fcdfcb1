/** Media types between a request and Prism: what of `Accept` it can read, and what it makes of ranges in a document. */
import { isJson } from '../../contract/carriage.ts';
import type { JudgedRequest } from '../call/engine.ts';

/** The request with those of its `Accept` that are media ranges: of others Prism dies. `*` is what old clients write. */
export function acceptable(request: JudgedRequest): JudgedRequest {
  const { accept, ...others } = request.headers;
  if (accept === undefined) return request;
  const ranges = accept
    .split(',')
    .map((range) => range.replace(/^\s*\*(?=\s*(?:;|$))/, '*/*'))
    .filter((range) => MEDIA_RANGE.test(range));
  return { ...request, headers: ranges.length === 0 ? others : { ...others, accept: ranges.join(',') } };
}

/** A document that says nothing about its JSON allows any: an empty text would be none. */
export function bodyOrAny(body: unknown, type: string | undefined): unknown {
  return body === undefined && isJson(type ?? '') ? {} : body;
}

/** The media type of an answer: a range such as `image/*` is none, so that it becomes one that was asked for, or a usual one. */
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
