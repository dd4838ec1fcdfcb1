import type { Contract, Json, Operation, SecurityScheme } from '../model.ts';
import { joinPointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { ChangeCollector } from './change-collector.ts';
import { canonical } from '../canonical-json.ts';

/**
 * Compares the credentials that an operation accepts. A change breaks a caller whose credentials no longer
 * suffice, and a server that has to accept new ones. Two schemes are the same if their definitions are equal,
 * regardless of their names.
 */
export function compareSecurity(
  ledger: ChangeCollector,
  { old, new: next }: { readonly old: Operation; readonly new: Operation },
): void {
  const [before, after] = [requirementsOf(ledger.old, old), requirementsOf(ledger.new, next)];
  const places = { before: before.pointer, after: after.pointer, operations: [next.id] };
  for (const had of before.ways) {
    if (after.ways.some((has) => isWithin(has.needs, had.needs))) continue;
    const says = `${had.name} is no longer enough`;
    ledger.add({ kind: 'credential-refused', callers: 'wire', says, ...places });
  }
  for (const has of after.ways) {
    if (before.ways.some((had) => isWithin(had.needs, has.needs))) continue;
    const says = `${has.name} is enough now`;
    ledger.add({ kind: 'credential-accepted', servers: 'wire', says, ...places });
  }
}

/** Compares the names of credentials, and the addresses at which callers obtain them. */
export function compareSchemes(ledger: ChangeCollector): void {
  const [before, after] = [schemesOf(ledger.old), schemesOf(ledger.new)];
  const unnamed = new Map(
    [...after].filter(([name]) => !before.has(name)).map(([name, scheme]) => [signOf(scheme), name]),
  );
  for (const [name, scheme] of before) {
    const found = after.get(name);
    const at = joinPointer('/components/securitySchemes', name);
    const renamed = found === undefined ? unnamed.get(signOf(scheme)) : undefined;
    if (renamed !== undefined)
      ledger.add({
        ...{ kind: 'security-scheme-renamed', callers: 'code', servers: 'code' },
        says: `the credentials ${name} are called ${renamed} now`,
        ...{ before: at, after: joinPointer('/components/securitySchemes', renamed) },
      });
    const rest = (raw: unknown): string =>
      canonical(isRecord(raw) ? ({ ...raw, description: null } as Json) : null);
    const [was, is] = [valueAt(ledger.old.document.root, at), valueAt(ledger.new.document.root, at)];
    if (found === undefined || signOf(found) !== signOf(scheme) || rest(was) === rest(is)) continue;
    ledger.add({
      ...{ kind: 'security-scheme-changed', callers: 'unknown', servers: 'unknown' },
      says: `how the credentials ${name} are made changed`,
      reason: 'the document does not say whether existing credentials remain valid',
      ...{ before: at, after: at },
    });
  }
}

// --- internal ---

interface Way {
  /** The single schemes and scopes. */
  readonly needs: ReadonlySet<string>;
  readonly name: string;
}

function requirementsOf(
  contract: Contract,
  { pointer, security }: Operation,
): { readonly pointer: string; readonly ways: readonly Way[] } {
  const { root } = contract.document;
  const own = joinPointer(pointer, 'security');
  const at = valueAt(root, own) === undefined ? '/security' : own;
  if (security.length === 0)
    return { pointer: at, ways: [{ needs: new Set(), name: 'a call without credentials' }] };
  const ways = security.map(({ schemes }, index): Way => {
    const raw = valueAt(root, joinPointer(at, index));
    const scopes = schemes.flatMap((scheme) => {
      const named = isRecord(raw) ? raw[scheme.name] : undefined;
      return Array.isArray(named) ? named.map((scope) => `${signOf(scheme)} ${String(scope)}`) : [];
    });
    const shown = schemes.map((scheme) => {
      const named = isRecord(raw) ? raw[scheme.name] : undefined;
      return Array.isArray(named) && named.length > 0 ? `${scheme.name} (${named.join(', ')})` : scheme.name;
    });
    return {
      needs: new Set([...schemes.map(signOf), ...scopes]),
      name: schemes.length === 0 ? 'a call without credentials' : shown.join(' with '),
    };
  });
  return { pointer: at, ways };
}

function schemesOf({ document }: Contract): ReadonlyMap<string, SecurityScheme> {
  const raw = valueAt(document.root, '/components/securitySchemes');
  return new Map(
    Object.entries(isRecord(raw) ? raw : {}).flatMap(([name, scheme]) =>
      isRecord(scheme)
        ? [
            [
              name,
              {
                ...scheme,
                name,
                parameterName: scheme['type'] === 'apiKey' ? scheme['name'] : undefined,
              } as unknown as SecurityScheme,
            ] as const,
          ]
        : [],
    ),
  );
}

/** The form of a credential in a request. */
function signOf({ type, in: position, parameterName, scheme }: SecurityScheme): string {
  const name = position === 'header' ? parameterName?.toLowerCase() : parameterName;
  return JSON.stringify([type, position ?? null, name ?? null, scheme?.toLowerCase() ?? null]);
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((each) => all.has(each));
}
