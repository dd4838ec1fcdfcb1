import { operationsIn } from '../document/item-operations.ts';
import { followed, joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Repaired } from './repair-list.ts';

/** Repairs missing members of the root: `info`, its title and version, and `paths` beside components. */
export function repairRoot(
  root: Record<string, unknown>,
  { title, textAt }: { readonly title: string; readonly textAt: (pointer: string) => string | undefined },
  repaired: Repaired,
): void {
  if ((root['info'] === undefined && !isMisspelt('info', root)) || root['info'] === null) {
    root['info'] = { title, version: UNVERSIONED };
    repaired({
      kind: 'no info',
      pointer: '/info',
      wrong: 'the document has no info',
      read: `the title ${title}, version ${UNVERSIONED}`,
    });
  }
  const { info } = root;
  if (isRecord(info)) {
    for (const name of Object.keys(info)) {
      if (info[name] !== null || name === 'title' || name === 'version') continue;
      Reflect.deleteProperty(info, name);
      repaired({
        kind: 'a member without a value',
        pointer: joinPointer('/info', name),
        wrong: `${name} has no value`,
        read: 'absent',
      });
    }
    for (const [name, usual] of [
      ['title', title],
      ['version', UNVERSIONED],
    ] as const) {
      const given = info[name];
      const pointer = `/info/${name}`;
      if (given === undefined || given === null || given === '') {
        if (isMisspelt(name, info) || (given === '' && name === 'version')) continue;
        info[name] = usual;
        repaired({ kind: `no ${name}`, pointer, wrong: `info has no ${name}`, read: usual });
      } else if (typeof given === 'number' || typeof given === 'boolean') {
        // The number as written: 1.0 would become 1.
        const written = textAt(pointer);
        const read = written !== undefined && Number(written) === given ? written : String(given);
        info[name] = read;
        repaired({
          kind: `a ${name} that is not a string`,
          pointer,
          wrong: `${name} must be a string, not ${read}`,
          read: JSON.stringify(read),
        });
      }
    }
  }
  if (root['paths'] === null || (root['paths'] === undefined && isRecord(root['components']))) {
    const wasThere = root['paths'] === null;
    root['paths'] = {};
    if (wasThere || /^3\.0/.test(String(root['openapi'])))
      repaired({
        kind: 'no paths',
        pointer: '/paths',
        wrong: 'the document has no paths',
        read: 'no operations',
      });
  }
  repairPathNames(root, repaired);
}

// --- internal ---

const UNVERSIONED = '0.0.0';

/** Whether a missing member is probably present under a wrong name. */
function isMisspelt(name: string, owner: Readonly<Record<string, unknown>>): boolean {
  return (
    suggest(
      name,
      Object.keys(owner).filter((other) => other !== name),
    ) !== undefined
  );
}

function repairPathNames(root: Record<string, unknown>, repaired: Repaired): void {
  const { paths } = root;
  if (!isRecord(paths)) return;
  removeTexts(paths, repaired);
  const taken = new Set<string>();
  const entries = Object.entries(paths).map(([path, item]) => {
    const names = isRecord(item) ? parametersIn(root, item) : [];
    const short = plainNames(withBraces(withoutQuery(path, names, paths), names, paths), names, paths);
    // Two paths that differ only in their queries stay separate.
    const read = pathOf(taken.has(short) ? path : short, paths);
    taken.add(read);
    return [path, read, item] as const;
  });
  if (entries.every(([given, read]) => given === read)) return;
  for (const [given] of entries) Reflect.deleteProperty(paths, given);
  for (const [given, read, item] of entries) {
    paths[read] = item;
    if (given !== read)
      repaired({
        ...slipOf(given),
        pointer: joinPointer('/paths', given),
        renamedTo: joinPointer('/paths', read),
        read,
      });
  }
}

/** What is wrong with a path that is read differently. */
function slipOf(path: string): { readonly kind: string; readonly wrong: string } {
  const text = JSON.stringify(path);
  if (!path.startsWith('/'))
    return { kind: 'a path without a slash', wrong: `the path ${text} does not begin with /` };
  if (withoutExpressions(path).includes('?'))
    return {
      kind: 'a path with query parameters',
      wrong: `the path ${text} has query parameters that are declared`,
    };
  if (/\{\{|\{[^{}]*[^\w.{}-]/.test(path))
    return {
      kind: 'a path parameter with more than its name',
      wrong: `the path ${text} has more than a name in braces`,
    };
  return {
    kind: 'a path parameter without its braces',
    wrong: `the path ${text} has a parameter that is not in braces`,
  };
}

/** `/a?x={x}&y=1` with a query parameter x is `/a?y=1`. */
function withoutQuery(
  path: string,
  parameters: readonly PathParameter[],
  paths: Readonly<Record<string, unknown>>,
): string {
  const at = withoutExpressions(path).indexOf('?');
  if (at < 0) return path;
  const names = namesIn(parameters, 'query');
  const kept = path
    .slice(at + 1)
    .split('&')
    .filter((pair) => !names.some((name) => pair === `${String(name)}={${String(name)}}`));
  const read = path.slice(0, at) + (kept.length === 0 ? '' : `?${kept.join('&')}`);
  return read !== path && Object.hasOwn(paths, read) ? path : read;
}

/** `/a/:id` with a path parameter id, and `/a/{id`, are `/a/{id}`. */
function withBraces(
  path: string,
  parameters: readonly PathParameter[],
  paths: Readonly<Record<string, unknown>>,
): string {
  if (!path.startsWith('/') || !/\/:|\/\{[^/}]*(?:\/|$)/.test(path)) return path;
  const names = namesIn(parameters, 'path');
  const read = path
    .split('/')
    .map((segment) => {
      const name = /^(?::|\{)([\w.-]+)$/.exec(segment)?.[1];
      return name !== undefined && (names.includes(name) || segment.startsWith('{')) ? `{${name}}` : segment;
    })
    .join('/');
  return read !== path && Object.hasOwn(paths, read) ? path : read;
}

/** `/a/{id:[0-9]+}`, `{id?}`, `{+id}`, `{id*}` and `{{id}}` with a path parameter id are `/a/{id}`. */
function plainNames(
  path: string,
  parameters: readonly PathParameter[],
  paths: Readonly<Record<string, unknown>>,
): string {
  const names = namesIn(parameters, 'path');
  const read = path.replaceAll(MORE_THAN_A_NAME, (expression, inner: string) => {
    if (expression === `{${inner}}` && names.includes(inner)) return expression;
    const name = inner.replace(/:.*/s, '').replaceAll(/[\s+#/;?&*]/g, '');
    return names.includes(name) ? `{${name}}` : expression;
  });
  return read !== path && Object.hasOwn(paths, read) ? path : read;
}

/** A path of the same length in which no character belongs to the name of a parameter. */
function withoutExpressions(path: string): string {
  return path.replaceAll(/\{[^{}/]*\}/g, (expression) => 'x'.repeat(expression.length));
}

/** An expression in braces, which can contain pairs of braces, as in `{id:[0-9]{4}}`. */
const MORE_THAN_A_NAME = /\{\{?((?:[^{}]|\{[^{}]*\})*)\}\}?/g;

interface PathParameter {
  readonly name: string;
  /** Where it is sent; a parameter that does not say so can be in the path. */
  readonly in: string;
}

/** The parameters of a path and of its operations. */
function parametersIn(root: unknown, item: Record<string, unknown>): readonly PathParameter[] {
  return [item, ...operationsIn(item).map(({ operation }) => operation)]
    .flatMap(({ parameters: list }) => (Array.isArray(list) ? (list as unknown[]) : []))
    .flatMap((raw) => {
      const parameter = followed(root, raw);
      if (!isRecord(parameter) || typeof parameter['name'] !== 'string') return [];
      return [{ name: parameter['name'], in: String(parameter['in'] ?? 'path') }];
    });
}

function namesIn(parameters: readonly PathParameter[], position: 'query' | 'path'): readonly string[] {
  return parameters.filter((parameter) => parameter.in === position).map(({ name }) => name);
}

/** A text among the paths, such as a description. */
function removeTexts(paths: Record<string, unknown>, repaired: Repaired): void {
  for (const [name, item] of Object.entries(paths)) {
    if (typeof item !== 'string' || name.startsWith('/') || name.startsWith('x-') || name === '$ref')
      continue;
    Reflect.deleteProperty(paths, name);
    const wrong = `${name} is not a path`;
    const pointer = joinPointer('/paths', name);
    repaired({ kind: 'a text among the paths', pointer, wrong, read: 'absent', part: 'name' });
  }
}

function pathOf(path: string, paths: Readonly<Record<string, unknown>>): string {
  if (path.startsWith('/') || path.startsWith('x-') || path === '$ref' || /^[a-z]+:/i.test(path)) return path;
  return Object.hasOwn(paths, `/${path}`) ? path : `/${path}`;
}
