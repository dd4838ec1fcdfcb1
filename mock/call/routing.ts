import type { Match } from './engine.ts';
import type { FrontRequest } from './front.ts';
import { belowMount } from './mount.ts';
import type { ApiWithEngine } from './pipeline.ts';

/** The API that has the path; for an unknown path, the API with the most similar paths. */
export function route(
  apis: readonly ApiWithEngine[],
  received: FrontRequest,
): { api: ApiWithEngine; match: Match; request: FrontRequest } {
  const matches: ReturnType<typeof route>[] = [];
  for (const api of apis) {
    const request = belowMount(received, api.mountPrefix);
    const found: ReturnType<typeof route> =
      request === undefined
        ? { api, match: { kind: 'none' }, request: received }
        : { api, match: matchIn(api, request), request };
    if (found.match.kind === 'operation') return found;
    matches.push(found);
  }
  const known =
    matches.find(({ match }) => match.kind !== 'none') ??
    matches.find(({ api, request }) => api.beside?.(request.path) !== undefined);
  const found = known ?? belowServer(apis, received);
  if (found !== undefined) return found;
  const [nearest] = matches
    .map((candidate) => ({ candidate, likeness: likeness(candidate.api, candidate.request) }))
    .sort((a, b) => b.likeness - a.likeness);
  if (nearest === undefined) throw new Error('a mock needs at least one contract to serve');
  return nearest.candidate;
}

// --- internal ---

/** Clients of a document may prefix its paths with the path of its server, as they do in production. */
function belowServer(
  apis: readonly ApiWithEngine[],
  received: FrontRequest,
): ReturnType<typeof route> | undefined {
  for (const api of apis)
    for (const basePath of api.basePaths ?? []) {
      const request = belowMount(received, basePath);
      if (request === undefined) continue;
      const match = matchIn(api, request);
      if (match.kind !== 'none') return { api, match, request };
    }
  return undefined;
}

/** A HEAD that the document declares takes precedence over the GET that serves HEAD otherwise. */
function matchIn({ engine }: ApiWithEngine, { method, effectiveMethod, path, search }: FrontRequest): Match {
  const declared = method === effectiveMethod ? undefined : engine.match(method, path, search);
  return declared?.kind === 'operation' ? declared : engine.match(effectiveMethod, path, search);
}

/** The number of leading segments that the path shares with a path of the API. */
function likeness(api: ApiWithEngine, { segments }: FrontRequest): number {
  const shared = [...api.operations.values()].map(({ path }) => {
    const parts = path.split('/').slice(1);
    const first = parts.findIndex((part, i) => part !== segments[i]);
    return first < 0 ? parts.length : first;
  });
  return Math.max(0, ...shared);
}
