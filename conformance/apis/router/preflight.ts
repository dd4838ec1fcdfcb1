import type { Preflight } from '../../scenarios/preflight.ts';

/** Document 1, "What the service does", bullet 4: until the rollout an authenticated call answers 404. */
export const routerPreflight: Preflight = {
  api: 'router',
  id: 'router.preflight',
  requests: { first: { method: 'GET', target: '/v1/models', as: 'valid', times: 1, judgesCredential: true } },
  read: ({ status }) => {
    if (status === 404) {
      return {
        served: 'not-served',
        says: 'The router is not served here: authenticated GET /v1/models returned 404',
        help: 'That conforms before the rollout. The router was not tested.',
      };
    }
    if (status === 401 || status === 403) {
      return {
        served: 'credential-refused',
        says: `The credential was refused: authenticated GET /v1/models returned ${status}`,
        help: 'Use a credential that may read the catalogue. If the server refuses every caller, no rule can be tested.',
      };
    }
    return { served: 'served', says: '' };
  },
};
