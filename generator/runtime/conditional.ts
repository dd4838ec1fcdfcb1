import { opaqueTag } from '../../contract/policies/conditional-get.ts';
import { ResponseError, withoutQuery } from './errors.ts';
import type { Answer } from './operation.ts';

/** A state of a resource, with the entity tag to check whether it is still current. Can be stored as JSON. */
export interface Held<Data> {
  readonly etag: string;
  readonly data: Data;
}

export interface Refreshed<Data> {
  /** Pass this to the next `refresh`; `undefined` if the server sent no tag. */
  readonly held: Held<Data> | undefined;
  readonly data: Data;
  /** False if the server reported that the held state is current: `data` is then the held object. */
  readonly changed: boolean;
}

/**
 * Reads a resource, without its body if the held state is current.
 *
 * @param read calls the operation with the tag as its `If-None-Match`, or without one
 * @throws {ResponseError} when the server answers "not modified" to an unconditional request, or for another state
 */
export async function refresh<Data>(
  held: Held<Data> | undefined,
  read: (etag: string | undefined) => Promise<Answer<Data, 200> | Answer<undefined, 304>>,
): Promise<Refreshed<Data>> {
  const answer = await read(held?.etag);
  const etag = answer.headers.get('etag') ?? undefined;
  if (answer.status === 200) {
    return {
      held: etag === undefined ? undefined : { etag, data: answer.data },
      data: answer.data,
      changed: true,
    };
  }
  if (held === undefined || (etag !== undefined && opaqueTag(etag) !== opaqueTag(held.etag))) {
    const { data: _data, replayed: _replayed, ...facts } = answer;
    throw new ResponseError('The server says "not changed" of a state that is not held here', {
      ...facts,
      url: withoutQuery(answer.url),
    });
  }
  return { held, data: held.data, changed: false };
}
