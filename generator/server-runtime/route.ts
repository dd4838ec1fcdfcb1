import type { ServedOperation } from './operation.ts';

export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: ServedOperation;
      /** As they stand in the target, escapes and all. */
      readonly segments: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'other-method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

/** Finds the operation of a path. `HEAD` is answered by what answers `GET`. The more of a template is fixed, the sooner it is taken. */
export type Router = (method: string, path: string) => Route;

export function routerOf(operations: readonly ServedOperation[]): Router {
  const templates = operations
    .map((operation) => ({ operation, ...templateOf(operation.path) }))
    .sort((left, right) => right.fixed - left.fixed);
  return (method, path) => {
    const found = templates.flatMap(({ operation, pattern, names }) => {
      const match = pattern.exec(path);
      return match === null ? [] : [{ operation, match, names }];
    });
    const wanted = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
    for (const candidate of wanted) {
      const hit = found.find(({ operation }) => operation.method === candidate);
      if (hit !== undefined) {
        const segments = Object.fromEntries(
          hit.names.map((name, index) => [name, hit.match[index + 1] ?? '']),
        );
        return { kind: 'operation', operation: hit.operation, segments };
      }
    }
    if (found.length === 0) return { kind: 'none' };
    const methods = found.map(({ operation }) => operation.method);
    return {
      kind: 'other-method',
      allow: [...new Set(methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])))],
    };
  };
}

// --- internal ---

function templateOf(path: string): { pattern: RegExp; names: string[]; fixed: number } {
  const names: string[] = [];
  let fixed = 0;
  const source = path.replace(/\{([^{}]*)\}|[^{}]+/g, (text, name?: string) => {
    if (name !== undefined) {
      names.push(name);
      return '([^/]*)';
    }
    fixed += text.length;
    return text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  });
  return { pattern: new RegExp(`^${source}$`), names, fixed };
}
