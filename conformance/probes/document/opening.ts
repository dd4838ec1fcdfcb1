import { placesTogether } from '../../../contract/index.ts';
import { ownServerOf } from '../../../contract/document/own-server.ts';
import type { Operation, Response } from '../../../contract/model.ts';
import type { Preflight } from '../../scenarios/preflight.ts';
import type { OwnApi } from '../own-api.ts';
import { effectOf } from './effects.ts';
import { asSent, isSecured, responseFor, streams } from '../own-api.ts';

/**
 * The read that shows whether the API is served: one that needs nothing but a credential. `undefined` if the
 * document has no such read.
 */
export function openingOf(api: OwnApi): Preflight | undefined {
  const simple = api.operations.filter(
    (one) =>
      one.method === 'get' &&
      ownServerOf(api.contract, one)?.host === undefined &&
      !streams(one) &&
      effectOf(api, one).kind === 'reads' &&
      !one.parameters.some(({ required }) => required) &&
      one.responses.every(looksLikeAnApi),
  );
  // If possible, one that also shows whether the credential is accepted.
  const operation =
    simple.find((one) => api.isOpened(one)) ?? simple.find((one) => !isSecured(one)) ?? simple[0];
  if (operation === undefined) return undefined;
  const asked = `GET ${operation.path}`;
  const places = placesTogether(operation);
  return {
    api: api.name,
    id: 'document.opening',
    requests: {
      first: { ...api.plan(operation, { judgesCredential: true }), target: asSent(operation.path) },
    },
    read: ({ status }) => {
      if (status === 404 && !declares(operation, 404))
        return {
          served: 'not-served',
          says: `The API is not served here: ${asked} returned 404, which the document does not declare`,
          help: 'Check the base URL: it has to end where the paths of the document begin.',
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

/** Whether a website or a redirection would be noticed in place of this answer. */
function looksLikeAnApi({ status, content }: Response): boolean {
  if (!/^[23]/.test(status)) return true;
  return !status.startsWith('3') && !content.some(({ mediaType }) => /^text\/html\b/i.test(mediaType));
}

function declares(operation: Operation, status: number): boolean {
  return responseFor(operation, status)?.status.toLowerCase() === String(status);
}
