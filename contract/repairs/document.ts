import { operationsIn } from '../item-operations.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { suggest } from '../suggest.ts';
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
  repairPathNames(root['paths'], repaired);
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

function repairPathNames(paths: unknown, repaired: Repaired): void {
  if (!isRecord(paths)) return;
  const taken = new Set<string>();
  const entries = Object.entries(paths).map(([path, item]) => {
    const short = withBraces(withoutQuery(path, item, paths), item, paths);
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
        ...(given.includes('?')
          ? {
              kind: 'a path with query parameters',
              wrong: `the path ${JSON.stringify(given)} has query parameters that are declared`,
            }
          : given.startsWith('/')
            ? {
                kind: 'a path parameter without its braces',
                wrong: `the path ${JSON.stringify(given)} has a parameter that is not in braces`,
              }
            : {
                kind: 'a path without a slash',
                wrong: `the path ${JSON.stringify(given)} does not begin with /`,
              }),
        pointer: joinPointer('/paths', given),
        renamedTo: joinPointer('/paths', read),
        read,
      });
  }
}

/** `/a?x={x}&y=1` with a query parameter x is `/a?y=1`. */
function withoutQuery(path: string, item: unknown, paths: Readonly<Record<string, unknown>>): string {
  const at = path.indexOf('?');
  if (at < 0 || !isRecord(item)) return path;
  const names = parametersIn(item, 'query');
  const kept = path
    .slice(at + 1)
    .split('&')
    .filter((pair) => !names.some((name) => pair === `${String(name)}={${String(name)}}`));
  const read = path.slice(0, at) + (kept.length === 0 ? '' : `?${kept.join('&')}`);
  return read !== path && Object.hasOwn(paths, read) ? path : read;
}

/** `/a/:id` with a path parameter id, and `/a/{id`, are `/a/{id}`. */
function withBraces(path: string, item: unknown, paths: Readonly<Record<string, unknown>>): string {
  if (!path.startsWith('/') || !isRecord(item) || !/\/:|\/\{[^/}]*(?:\/|$)/.test(path)) return path;
  const names = parametersIn(item, 'path');
  const read = path
    .split('/')
    .map((segment) => {
      const name = /^(?::|\{)([\w.-]+)$/.exec(segment)?.[1];
      return name !== undefined && (names.includes(name) || segment.startsWith('{')) ? `{${name}}` : segment;
    })
    .join('/');
  return read !== path && Object.hasOwn(paths, read) ? path : read;
}

/** The names of the parameters that a path or its operations have in one place. */
function parametersIn(item: Record<string, unknown>, position: 'query' | 'path'): readonly unknown[] {
  return [item, ...operationsIn(item).map(({ operation }) => operation)]
    .flatMap(({ parameters: list }) => (Array.isArray(list) ? (list as unknown[]) : []))
    .flatMap((parameter) => (isRecord(parameter) && parameter['in'] === position ? [parameter['name']] : []));
}

function pathOf(path: string, paths: Readonly<Record<string, unknown>>): string {
  if (path.startsWith('/') || path.startsWith('x-') || path === '$ref' || /^[a-z]+:/i.test(path)) return path;
  return Object.hasOwn(paths, `/${path}`) ? path : `/${path}`;
}
