import type { Carriage } from '../engine/served-api.ts';
import type { MediaType } from './model.ts';

/** How a body of a media type is carried in code. */
export function carriageOf(mediaType: string): Carriage {
  const essence = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (
    /^(?:application|text)\/json$|\+json$|^application\/(?:x-)?json-seq$/.test(essence) ||
    essence === '*/*'
  )
    return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (essence === 'text/event-stream') return 'events';
  return essence.startsWith('text/') || /[/+]xml$/.test(essence) ? 'text' : 'binary';
}

/** The content of a request body that code has a type for: JSON where the document takes it, else the first. */
export function typedContent<Content extends MediaType>(contents: readonly Content[]): Content | undefined {
  return contents.find(({ mediaType }) => carriageOf(mediaType) === 'json') ?? contents[0];
}

/** Whether the value of a parameter or header is written as JSON. */
export function isJson(mediaType: string): boolean {
  return /[/+]json\s*(?:;|$)/i.test(mediaType);
}
