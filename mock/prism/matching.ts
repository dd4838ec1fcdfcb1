import { createRequire } from 'node:module';
import type { HttpMethod } from '@stoplight/types';
import type routers from '@stoplight/prism-http/dist/router/index.js';
import type { Contract } from '../../contract/model.ts';
import { routerOf, type FindRoute } from '../../engine/route.ts';
import type { ContractEngine, Match } from '../call/engine.ts';
import type { DeclaredOperation } from './operations.ts';
import { RouteIndex } from './route-index.ts';

/**
 * Finds the operation for a request. Prism decides, except where it reads templates or queries in another way than the
 * document means them.
 *
 * @param operations by their ids
 */
export function matcherOf(
  contract: Pick<Contract, 'operations'>,
  operations: ReadonlyMap<string, DeclaredOperation>,
): ContractEngine['match'] {
  const router = require('@stoplight/prism-http/dist/router/index.js') as typeof routers;
  const routes = new RouteIndex([...operations.values()]);
  const idOf = new Map([...operations].map(([id, resource]) => [resource, id]));

  // Prism reads names such as {user-id} and {user.id} differently, and compares a query in a path with the path.
  let find: FindRoute | undefined;
  const matchedByTemplate = (method: string, path: string): Match | undefined => {
    find ??= routerOf(
      [...operations].map(([id, { method: declared, path: whole }]) => {
        const [inPath = ''] = whole.split('?');
        return { id, method: declared.toUpperCase(), path: inPath, responses: {} };
      }),
    );
    const found = find(method.toUpperCase(), path);
    return found.kind === 'operation' ? { kind: 'operation', operationId: found.operation.id } : undefined;
  };

  // Operations at one path that differ in a query or in a fragment.
  const isToldApart = contract.operations.some(({ path }) => /[?#]/.test(path));
  let told: FindRoute | undefined;
  const matchedByQuery = (method: string, path: string, search: string): Match | undefined => {
    if (!isToldApart) return undefined;
    told ??= routerOf(
      contract.operations
        .filter(({ id }) => operations.has(id))
        .map((each) => ({
          ...{ id: each.id, method: each.method.toUpperCase(), path: each.path, responses: {} },
          parameters: each.parameters.map(({ name, in: place, required, style, explode }) => ({
            ...{ name, in: place, required, style, explode },
          })),
        })),
    );
    const found = told(method.toUpperCase(), path, search);
    return found.kind === 'operation' ? { kind: 'operation', operationId: found.operation.id } : undefined;
  };

  return (method, path, search = '') => {
    const query = isToldApart ? search.replace(/^\?/, '') : '';
    return routes.remember(method, path, query, () => {
      const byQuery = matchedByQuery(method, path, query);
      if (byQuery !== undefined) return byQuery;
      const candidates = routes.candidates(path);
      const input = { method: method.toLowerCase() as HttpMethod, url: { path } };
      const read = candidates.map((candidate) => candidate.read());
      const routed = read.length === 0 ? undefined : router.default({ resources: read, input });
      if (routed === undefined) return matchedByTemplate(method, path) ?? { kind: 'none' };
      if (routed._tag === 'Right') {
        const found = candidates[read.indexOf(routed.right)];
        return { kind: 'operation', operationId: (found && idOf.get(found)) ?? '' };
      }
      // Prism returns 405 without the allowed methods, and 404 for everything else.
      const otherMethod = 'status' in routed.left && routed.left.status === 405;
      if (otherMethod) return { kind: 'other-method', allow: routes.methodsAt(path) };
      return matchedByTemplate(method, path) ?? { kind: 'none' };
    });
  };
}

// --- internal ---

const require = createRequire(import.meta.url);
