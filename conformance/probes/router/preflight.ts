import type { Preflight } from '../../preflight.ts';

/** Document 1, "What the service does", bullet 4: until the rollout an authenticated call answers 404. */
export const routerPreflight: Preflight = {
  api: 'router',
  id: 'router.preflight',
  requests: { first: { method: 'GET', target: '/v1/models', as: 'valid', times: 1 } },
  read: ({ status }) => {
    if (status === 404) {
      return {
        served: 'not-served',
        says: 'The router is not served here: authenticated GET /v1/models answered 404',
        help: 'Conformant before the rollout; nothing of it was tested.',
      };
    }
    if (status === 401 || status === 403) {
      return {
        served: 'credential-refused',
        says: `The credential was refused: authenticated GET /v1/models answered ${status}`,
        help: 'Give a credential that may read the catalogue. A 401 or 403 for everybody breaks no rule that could be told apart from this.',
      };
    }
    return { served: 'served', says: '' };
  },
};
