import { placesTogether } from '../../../contract/index.ts';
import { ownServerOf } from '../../../contract/document/own-server.ts';
import type { Operation, Response } from '../../../contract/model.ts';
import type { Preflight } from '../../scenarios/preflight.ts';
import type { OwnApi } from '../own-api.ts';
import { effectOf } from './effects.ts';
import { asSent, isSecured, responseFor, streams } from '../own-api.ts';

/**
 * The reads that show whether the API is served: those that need nothing but a credential. `undefined` if the document has
 * no such read.
 */
export function openingOf(api: OwnApi): Preflight | undefined {
  const simple = api.operations.filter(
    (one) =>
      one.method === 'get' &&
      ownServerOf(api.contract, one)?.host === undefined &&
      !streams(one, api) &&
      effectOf(api, one).kind === 'reads' &&
      !one.parameters.some(({ required }) => required) &&
      one.responses.every(looksLikeAnApi),
  );
  // If possible, those that also show whether the credential is accepted.
  const rank = (one: Operation): number => (api.isOpened(one) ? 0 : isSecured(one) ? 2 : 1);
  const [first, ...others] = simple.sort((one, other) => rank(one) - rank(other));
  if (first === undefined) return undefined;
  const opening = [first, ...spread(others, MOST_READS - 1)];
  return {
    api: api.name,
    id: 'document.opening',
    requests: Object.fromEntries(
      opening.map((one) => [
        one.id,
        { ...api.plan(one, { judgesCredential: true }), target: asSent(one.path) },
      ]),
    ),
    read: ({ status, operation: id, request }) => {
      const operation = opening.find((one) => one.id === id) ?? first;
      const asked = `GET ${operation.path}`;
      if (ABSENT.has(status) && !declares(operation, status))
        return {
          served: 'not-served',
          says: `The API is not served here: ${asked} returned ${status}, which the document does not declare`,
          help: 'Check the base URL: it has to end where the paths of the document begin.',
        };
      const places = placesTogether(operation);
      if ((status === 401 || status === 403) && request.as === 'none')
        return {
          served: 'credential-refused',
          says: `The server wants a credential: ${asked} returned ${status} without one, which the document allows`,
          help: 'Give one with --api-key or --bearer. If the server refuses every caller, no rule can be tested.',
        };
      if (status === 401 || status === 403)
        return {
          served: 'credential-refused',
          says: `The credential was refused: ${asked} returned ${status}`,
          help:
            places.length > 1
              ? `It wants ${places.map(({ name }) => name).join(' and ')} together. Give the second one with --header, or both as cred.apiKey and cred.jwt.`
              : 'Use a credential that may read. If the server refuses every caller, no rule can be tested.',
        };
      return { served: 'served', says: '' };
    },
  };
}

// --- internal ---

const MOST_READS = 5;

/** Answers of a server that does not have the operation. */
const ABSENT = new Set([404, 405, 410, 501]);

/** Some items of a list, from all of its parts: operations that are gone together are often next to each other. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most);
  return items
    .filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
    .slice(0, most);
}

/** Whether a website or a redirection would be noticed in place of this answer. */
function looksLikeAnApi({ status, content }: Response): boolean {
  if (!/^[23]/.test(status)) return true;
  return !status.startsWith('3') && !content.some(({ mediaType }) => /^text\/html\b/i.test(mediaType));
}

function declares(operation: Operation, status: number): boolean {
  return responseFor(operation, status)?.status.toLowerCase() === String(status);
}
