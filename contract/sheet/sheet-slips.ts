import type { Contradiction } from '../schemas/contradiction.ts';
import type { DeclaredFacts } from './declared-facts.ts';
import { waysCausedBy } from '../policies/lifecycle.ts';
import type { Policy } from '../policies/policy.ts';
import { suggest } from '../diagnostics/suggest.ts';

/** A policy that has no effect, because an earlier one of its kind is about the same operation or collection. */
export function* passedOver(policy: Policy, policies: readonly Policy[]): Generator<Contradiction> {
  const earlier = policies.slice(0, policies.indexOf(policy));
  if (policy.kind === 'resource') {
    const other = earlier.some((one) => one.kind === 'resource' && one.collection === policy.collection);
    if (other)
      yield {
        at: ['collection'],
        message: `another resource has the collection ${policy.collection} as well`,
      };
  }
  const group = groupOf(policy);
  if (group === undefined) return;
  for (const [index, id] of group.operations.entries()) {
    const first = earlier.map(groupOf).find((one) => one?.name === group.name && one.operations.includes(id));
    if (first !== undefined)
      yield {
        at: ['operations', index],
        message: `${id} has ${group.name} by an earlier policy already, which alone has an effect`,
      };
  }
}

/**
 * Names that the sheet may choose freely, but that are nearly the same as one that has a meaning: a role, or
 * a header of the document.
 */
export function* misspelt(policy: Policy, reader: DeclaredFacts): Generator<Contradiction> {
  if (policy.kind === 'error-codes')
    for (const role of Object.keys(policy.roles)) yield* near(['roles', role], role, ROLES, 'the role');
  if (policy.kind === 'conditional-get') yield* keptHeaders(policy, reader);
  if (policy.kind === 'lifecycle') yield* causes(policy, reader);
  if (policy.kind === 'idempotency')
    for (const operation of reader.operations(policy.operations)) {
      const headers = operation.parameters.flatMap(({ in: place, name }) =>
        place === 'header' ? [name] : [],
      );
      const isDeclared = headers.some((name) => name.toLowerCase() === policy.requestHeader.toLowerCase());
      if (!isDeclared)
        yield* near(['requestHeader'], policy.requestHeader, headers, `the header of ${operation.id}`);
    }
}

// --- internal ---

type Of<Kind extends Policy['kind']> = Extract<Policy, { kind: Kind }>;

/** The codes of the server's own refusals. */
const ROLES = [
  ...['badInput', 'malformed', 'tooLarge', 'mediaType', 'notFound', 'otherMethod', 'noCredential'],
  ...['noAccess', 'capacity', 'deadline', 'unavailable', 'internal', 'disconnected'],
];

function* near(
  at: Contradiction['at'],
  name: string,
  known: readonly string[],
  what: string,
): Generator<Contradiction> {
  const meant = known.includes(name) ? undefined : suggest(name, known);
  if (meant !== undefined) yield { at, message: `${name} is nearly ${what} ${meant}`, meant };
}

/** Headers that are kept although no answer of the operation is known to have them. */
function* keptHeaders(
  { operations, keptHeaders: kept }: Of<'conditional-get'>,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  for (const operation of reader.operations(operations)) {
    const declared = operation.responses.flatMap(({ headers }) => headers.map(({ name }) => name));
    const known = [...new Set([...declared, ...USUALLY_KEPT])];
    for (const [index, name] of kept.entries()) {
      if (known.some((other) => other.toLowerCase() === name.toLowerCase())) continue;
      const meant = nearest(name, known);
      if (meant !== undefined)
        yield {
          at: ['keptHeaders', index],
          message: `${name} is nearly the header ${meant} of ${operation.id}`,
          meant,
        };
    }
  }
}

/** Causes of transitions that are nearly the name of an operation, but are caused by none. */
function* causes({ transitions }: Of<'lifecycle'>, reader: DeclaredFacts): Generator<Contradiction> {
  const calls = reader.all.filter(({ method }) => method !== 'get');
  const names = calls.flatMap(({ id, path }) => {
    const last = path.split(/[/:]/).at(-1) ?? '';
    return /[{}]/.test(last) || last === '' ? [id] : [last, id];
  });
  for (const [index, { on }] of transitions.entries()) {
    if (calls.some((call) => waysCausedBy({ transitions: [{ from: '', to: '', on }] }, call).length > 0))
      continue;
    const meant = nearest(on, [...new Set(names)]);
    if (meant !== undefined)
      yield {
        at: ['transitions', index, 'on'],
        message: `no operation causes ${on}, but one is named ${meant}`,
        meant,
        kind: 'doubt',
      };
  }
}

/** Headers that RFC 9110, section 15.4.5, names for an answer 304. */
const USUALLY_KEPT = [
  'Cache-Control',
  'Content-Location',
  'Date',
  'ETag',
  'Expires',
  'Vary',
  'Last-Modified',
];

/** A similar name of nearly the same length: words such as `start` and `restart` mean different things. */
function nearest(name: string, known: readonly string[]): string | undefined {
  return suggest(
    name,
    known.filter((other) => Math.abs(other.length - name.length) <= 1),
  );
}

/** Kinds of which an operation has only one policy; both kinds of pages are one. */
function groupOf(
  policy: Policy,
): { readonly name: string; readonly operations: readonly string[] } | undefined {
  switch (policy.kind) {
    case 'pagination':
    case 'numbered-pages':
      return { name: 'its pages', operations: policy.operations };
    case 'idempotency':
    case 'conditional-get':
    case 'conditional-write':
    case 'capacity':
    case 'deadline':
    case 'event-stream':
      return { name: policy.kind, operations: policy.operations };
    default:
      return undefined;
  }
}
