import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { isObject, isSuccess, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { STATUSES } from '../wire/statuses.ts';
import { INNER, PLACES, TABLES } from '../wire/tables.ts';
import type { MemberType } from '../wire/tables.ts';

const REQUIRED = {
  node: 'registry.publish.node-required',
  node_version: 'registry.publish.node-version-required',
  personal_access_token: 'registry.publish.pat-required',
} as const;

const TYPES = 'registry.publish.wrong-types';
const SEMVER = 'registry.publish.semver';

const RULES = [...Object.values(REQUIRED), TYPES, SEMVER] as const;

/**
 * Document 2, POST …/versions: a publication that its tables do not allow is refused, also after publications that
 * they allow. Probes judge the status of the refusal.
 */
function* look(exchange: Exchange): Generator<Check> {
  const { request } = exchange;
  if (!isSuccess(exchange) || request.method !== 'POST' || request.body === undefined) return;
  if (!/\/publishers\/[^/]+\/nodes\/[^/]+\/versions$/.test(request.target)) return;
  const body = parseJson(new TextDecoder().decode(request.body));
  // A separate rule covers bodies that are not JSON.
  if (body === undefined) return;
  if (!isObject(body)) {
    yield check(REQUIRED.node, exchange, false, 'no success for a body that is not an object');
    return;
  }
  for (const [name, rule] of Object.entries(REQUIRED))
    if (!Object.hasOwn(body, name)) yield check(rule, exchange, false, `no success without ${name}`);
  const version = at(body, ['node_version', 'version']);
  if (isObject(body['node_version']) && (version === undefined || isNoVersion(version)))
    yield check(SEMVER, exchange, false, `no success for ${JSON.stringify(version) ?? 'no version'}`);
  const wrong = wrongIn(body);
  if (wrong !== undefined) yield check(TYPES, exchange, false, `no success with ${wrong} of the wrong type`);
}

export const accepted: Oracle = {
  api: 'registry',
  judges: RULES,
  look: (exchange) => unlessUnreadable(exchange, [], look(exchange)),
};

// --- internal ---

/** semver.org 2.0.0, its suggested expression. Another rule covers values that are no texts. */
const VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-z-][0-9a-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][0-9a-z-]*))*)?(?:\+[0-9a-z-]+(?:\.[0-9a-z-]+)*)?$/i;

function isNoVersion(version: unknown): boolean {
  return typeof version === 'string' && !VERSION.test(version);
}

/** The path of a member that is present and has another type than its table states. Null is open. */
function wrongIn(body: unknown): string | undefined {
  for (const { table, path } of PLACES) {
    const record = at(body, path);
    if (!isObject(record)) continue;
    for (const [name, type] of Object.entries<MemberType>(TABLES[table])) {
      const value = record[name];
      const isOdd = name === 'status' && typeof value === 'string' && !isStatus(table, value);
      if (isOdd || (value !== undefined && value !== null && !HAS[type](value)))
        return [...path, name].join('.');
    }
    for (const [name, form] of Object.entries<'one' | 'many'>(INNER[table])) {
      const value = record[name];
      const fits = form === 'one' ? isObject(value) : Array.isArray(value) && value.every(isObject);
      if (value !== undefined && value !== null && !fits) return [...path, name].join('.');
    }
  }
  return undefined;
}

function isStatus(table: keyof typeof TABLES, status: string): boolean {
  const known: Readonly<Record<string, readonly string[]>> = STATUSES;
  return known[table]?.includes(status) !== false;
}

const HAS: Readonly<Record<MemberType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'objects by name': (value) => isObject(value) && Object.values(value).every(isObject),
};

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (part, step) =>
      typeof step === 'number'
        ? Array.isArray(part)
          ? (part as readonly unknown[])[step]
          : undefined
        : isObject(part)
          ? part[step]
          : undefined,
    value,
  );
}
