import type { Match } from '../call/engine.ts';
import { isDecodable } from '../call/front.ts';
import { Remembered } from '../call/remembered.ts';

/**
 * Narrows the operations that Prism has to examine, which would otherwise be all, and remembers its matches.
 */
export class RouteIndex<Resource extends { readonly method: string; readonly path: string }> {
  readonly #byLength = new Map<number, { parts: readonly (string | undefined)[]; resource: Resource }[]>();
  readonly #remembered = new Remembered<Match>({ most: 5_000, characters: 2 ** 19, longest: 400 });

  constructor(resources: readonly Resource[]) {
    for (const resource of resources) {
      const parts = resource.path.split('/').map((part) => (isTemplate(part) ? undefined : part));
      const bucket = this.#byLength.get(parts.length) ?? [];
      this.#byLength.set(parts.length, [...bucket, { parts, resource }]);
    }
  }

  /** Operations whose fixed segments match those of the path. */
  candidates(path: string): Resource[] {
    const segments = path.split('/').map(decoded);
    const sameLength = this.#byLength.get(segments.length) ?? [];
    return sameLength
      .filter(({ parts }) => parts.every((part, i) => part === undefined || part === segments[i]))
      .map(({ resource }) => resource);
  }

  methodsAt(path: string): readonly string[] {
    return [...new Set(this.candidates(path).map(({ method }) => method.toUpperCase()))].sort();
  }

  remember(method: string, path: string, query: string, find: () => Match): Match {
    const key = `${method} ${path}${query === '' ? '' : `?${query}`}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const match = path.startsWith('/') ? find() : ({ kind: 'none' } as const);
    this.#remembered.set(key, match);
    return match;
  }
}

/**
 * A path of a document in the form that Prism compares with requests: fixed text is not escaped, and a
 * fragment, which some documents use to distinguish operations with the same path, is never sent.
 */
export function asReceived(path: string): string {
  const [inTarget = ''] = path.split('#');
  return inTarget
    .split(/(\{[^{}]*\})/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) =>
            /%(?:2f|25)/i.test(escaped) || !isDecodable(escaped) ? escaped : decodeURIComponent(escaped),
          ),
    )
    .join('');
}

// --- internal ---

/** Whether a segment of a path contains a parameter such as `{id}`. */
function isTemplate(segment: string): boolean {
  const open = segment.indexOf('{');
  return open !== -1 && segment.lastIndexOf('}') > open + 1;
}

function decoded(segment: string): string {
  return isDecodable(segment) ? decodeURIComponent(segment) : segment;
}
