import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { suggest } from '../suggest.ts';
import type { Repaired } from './repair-list.ts';

/** What the root of a document lacks: `info`, its title and version, and `paths` beside components. */
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
        // As it is written: the number 1.0 is 1.
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

/** Whether a member that is missing is likely to be there under a wrong name. */
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
  const entries = Object.entries(paths).map(([path, item]) => [path, pathOf(path, paths), item] as const);
  if (entries.every(([given, read]) => given === read)) return;
  for (const [given] of entries) Reflect.deleteProperty(paths, given);
  for (const [given, read, item] of entries) {
    paths[read] = item;
    if (given !== read)
      repaired({
        kind: 'a path without a slash',
        pointer: joinPointer('/paths', given),
        renamedTo: joinPointer('/paths', read),
        wrong: `the path ${JSON.stringify(given)} does not begin with /`,
        read,
      });
  }
}

function pathOf(path: string, paths: Readonly<Record<string, unknown>>): string {
  if (path.startsWith('/') || path.startsWith('x-') || path === '$ref' || /^[a-z]+:/i.test(path)) return path;
  return Object.hasOwn(paths, `/${path}`) ? path : `/${path}`;
}
