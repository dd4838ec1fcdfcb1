import { type Declared, DeclaredFacts, isSuccess, responseOf } from './declared-facts.ts';
import { known, undeclaredStatus, type Contradiction } from '../schemas/contradiction.ts';
import type { Operation } from '../model.ts';
import { waysCausedBy } from '../policies/lifecycle.ts';
import type { Policy } from '../policies/policy.ts';
import { misspelt, passedOver } from './sheet-slips.ts';
import { pageFacts } from './page-agreement.ts';
import { resourceFacts } from './resource-agreement.ts';

/**
 * Compares the facts that a policy and the document both state: numbers, names, statuses, members, and what
 * is required. A fact that only one of them states is not a contradiction: sheets exist for the facts that a
 * document leaves out.
 */
export function disagreementsOf(
  policy: Policy,
  policies: readonly Policy[],
  declared: Declared,
): readonly Contradiction[] {
  const reader = new DeclaredFacts(declared);
  return [
    ...(compare(policy, reader) ?? []),
    ...statedTwice(policy, policies),
    ...passedOver(policy, policies),
    ...misspelt(policy, reader),
  ];
}

// --- internal ---

function compare(policy: Policy, reader: DeclaredFacts): Iterable<Contradiction> | undefined {
  switch (policy.kind) {
    case 'pagination':
    case 'numbered-pages':
      return pageFacts(policy, reader);
    case 'conditional-get':
      return conditionalGet(policy, reader);
    case 'capacity':
    case 'deadline':
      return undeclaredStatus(policy, ['status'], policy.status, reader);
    case 'idempotency':
      return policy.mode === 'replay'
        ? undeclaredStatus(policy, ['collecting', 'status'], policy.collecting?.status, reader)
        : undeclaredStatus(policy, ['reuse', 'status'], policy.reuse.status, reader);
    case 'credentials':
      return credentials(policy, reader);
    case 'error-buckets':
      return errorMembers(
        { bodyMember: policy.bodyMember, detailMember: policy.detailMember },
        { member: 'bodyMember', names: policy.buckets.map(({ name }) => name) },
        reader,
      );
    case 'error-codes':
      return errorMembers(
        { code: policy.code, message: policy.message },
        { member: 'code', names: policy.codes.map(({ name }) => name) },
        reader,
      );
    case 'reserved-fields':
      return reservedFields(policy, reader);
    case 'lifecycle':
      return states(policy, reader);
    case 'open-values':
      return reader
        .property(policy)
        .flatMap((schema) =>
          reader.values(schema).length > 0
            ? [{ at: ['known'], message: `${policy.property} is open, but the document lists its values` }]
            : [],
        );
    case 'presence':
      return presence(policy, reader);
    case 'links':
      return links(policy, reader);
    case 'event-stream':
      return eventStream(policy, reader);
    case 'uniqueness':
      return uniqueness(policy, reader);
    case 'upload':
      return upload(policy, reader);
    case 'resource':
      return resourceFacts(policy, reader);
    case 'conditional-write':
      return [
        ...undeclaredStatus(policy, ['mismatch', 'status'], policy.mismatch.status, reader),
        ...undeclaredStatus(policy, ['required', 'status'], policy.required?.status, reader),
        ...undeclaredStatus(policy, ['exists', 'status'], policy.exists?.status, reader),
      ];
    case 'diagnostics':
      return findings(policy, reader);
    case 'plain-segments':
    case 'model-schemas':
      return pathParameters(policy, reader);
    default:
      return undefined;
  }
}

type Of<Kind extends Policy['kind']> = Extract<Policy, { kind: Kind }>;

function* conditionalGet(policy: Of<'conditional-get'>, reader: DeclaredFacts): Generator<Contradiction> {
  yield* undeclaredStatus(policy, ['status'], policy.status, reader);
  for (const operation of reader.operations(policy.operations)) {
    const answer = responseOf(operation, policy.status);
    if (answer === undefined) continue;
    if (answer.content.length > 0)
      yield {
        at: ['status'],
        message: `${policy.status} has no body, but the document declares one for ${operation.id}`,
      };
    const names = answer.headers.map(({ name }) => name.toLowerCase());
    for (const [index, name] of policy.keptHeaders.entries()) {
      if (names.length > 0 && !names.includes(name.toLowerCase()))
        yield {
          at: ['keptHeaders', index],
          message: `${name} is kept, but the document declares no such header on the ${policy.status} of ${operation.id}`,
        };
    }
  }
}

function* credentials(policy: Of<'credentials'>, reader: DeclaredFacts): Generator<Contradiction> {
  const { keyHeader } = policy;
  if (keyHeader === undefined) return;
  const schemes = reader.all.flatMap(({ security }) => security.flatMap((each) => each.schemes));
  const headers = schemes.flatMap(({ type, in: place, parameterName }) =>
    type === 'apiKey' && place === 'header' && parameterName !== undefined ? [parameterName] : [],
  );
  if (headers.length === 0 || headers.some((name) => name.toLowerCase() === keyHeader.toLowerCase())) return;
  yield {
    at: ['keyHeader'],
    message: `keys are sent in ${keyHeader}, but the document declares them in ${[...new Set(headers)].join(', ')}`,
  };
}

/** The members of error bodies, and the names that the document allows in one of them. */
function* errorMembers(
  members: Readonly<Record<string, string>>,
  closed: { readonly member: string; readonly names: readonly string[] },
  reader: DeclaredFacts,
): Generator<Contradiction> {
  const bodies = reader.all
    .flatMap((operation) => reader.bodies(operation, (status) => !isSuccess(status)))
    .filter((body) => reader.members(body).length > 0);
  if (bodies.length === 0) return;
  for (const [at, path] of Object.entries(members)) {
    if (!bodies.some((body) => reader.at(body, path).length > 0))
      yield { at: [at], message: `no error body of the document has the member ${path}` };
  }
  const path = members[closed.member] ?? '';
  const listed = new Set(
    bodies.flatMap((body) => reader.at(body, path)).flatMap((schema) => reader.values(schema)),
  );
  const missing = listed.size === 0 ? [] : closed.names.filter((name) => !listed.has(name));
  if (missing.length > 0)
    yield { at: [closed.member], message: `the document does not allow ${missing.join(', ')} as ${path}` };
}

function* reservedFields(policy: Of<'reserved-fields'>, reader: DeclaredFacts): Generator<Contradiction> {
  yield* undeclaredStatus(policy, ['refusal', 'status'], policy.refusal?.status, reader);
  for (const operation of reader.operations(policy.operations)) {
    for (const body of reader.requestBodies(operation)) {
      for (const [index, name] of policy.members.entries()) {
        if (reader.at(body, name).some((schema) => schema !== false))
          yield {
            at: ['members', index],
            message: `${name} is refused, but the document allows it in the body of ${operation.id}`,
          };
      }
    }
  }
}

function* states(policy: Of<'lifecycle'>, reader: DeclaredFacts): Generator<Contradiction> {
  const calls = reader.all.filter((one) => one.method !== 'get' && waysCausedBy(policy, one).length > 0);
  yield* undeclaredStatus(
    { operations: calls.map(({ id }) => id) },
    ['refusal', 'status'],
    policy.refusal?.status,
    reader,
  );
  for (const schema of reader.property(policy)) {
    const listed = reader.values(schema).filter((value) => value !== null);
    if (listed.length === 0) continue;
    const missing = policy.states.filter((state) => !listed.includes(state));
    const more = listed.filter((value) => !policy.states.includes(String(value)));
    const where = `${policy.schema}.${policy.property}`;
    if (missing.length > 0)
      yield { at: ['states'], message: `the document does not list ${missing.join(', ')} for ${where}` };
    if (more.length > 0)
      yield {
        at: ['states'],
        message: `the document also lists ${more.map(String).join(', ')} for ${where}`,
      };
  }
}

function* presence(policy: Of<'presence'>, reader: DeclaredFacts): Generator<Contradiction> {
  const { property, schema: name } = policy;
  if (reader.requires(reader.schema(name), property))
    yield {
      at: ['property'],
      message: `${property} may be left out, but the document requires it of ${name}`,
    };
  if (reader.property(policy).some((schema) => reader.allowsNull(schema)))
    yield {
      at: ['property'],
      message: `${property} is left out and never null, but the document allows null`,
    };
}

function* links(policy: Of<'links'>, reader: DeclaredFacts): Generator<Contradiction> {
  const ids = reader.all.map(({ id }) => id);
  const listed = reader.property(policy).flatMap((schema) => reader.members(schema));
  for (const [operation, member] of Object.entries(policy.members ?? {})) {
    if (!ids.includes(operation))
      yield { at: ['members', operation], message: `the document has no operation ${operation}` };
    if (listed.length > 0 && !listed.includes(member))
      yield {
        at: ['members', operation],
        message: `the document has no link ${member} in ${policy.schema}.${policy.property}`,
      };
  }
}

function* eventStream(policy: Of<'event-stream'>, reader: DeclaredFacts): Generator<Contradiction> {
  for (const operation of reader.operations(policy.operations)) {
    const media = operation.responses
      .filter(({ status }) => isSuccess(status))
      .flatMap(({ content }) => content);
    if (media.length > 0 && !media.some(({ mediaType }) => /^text\/event-stream/i.test(mediaType)))
      yield { at: ['operations'], message: `the document declares no event stream for ${operation.id}` };
  }
}

function* uniqueness(policy: Of<'uniqueness'>, reader: DeclaredFacts): Generator<Contradiction> {
  yield* undeclaredStatus(policy, ['refusal', 'status'], policy.refusal?.status, reader);
  for (const operation of reader.operations(policy.operations)) {
    for (const body of reader.requestBodies(operation))
      yield* known(['member'], policy.member, body, operation, reader);
    yield* namedPath('within', policy.within, operation);
  }
}

function* upload(policy: Of<'upload'>, reader: DeclaredFacts): Generator<Contradiction> {
  for (const operation of reader.operations(policy.operations))
    for (const body of reader.bodies(operation, isSuccess))
      yield* known(['address'], policy.address, body, operation, reader);
}

function* pathParameters(
  policy: Of<'plain-segments'> | Of<'model-schemas'>,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  const ids = policy.kind === 'plain-segments' ? policy.operations : [policy.document, policy.run];
  for (const operation of reader.operations(ids))
    yield* namedPath('parameters', policy.parameters, operation);
  if (policy.kind === 'plain-segments') return;
  for (const member of ['document', 'run'] as const) {
    if (reader.operations([policy[member]]).length === 0)
      yield { at: [member], message: `the document has no operation ${policy[member]}` };
  }
}

function* findings(policy: Of<'diagnostics'>, reader: DeclaredFacts): Generator<Contradiction> {
  for (const [id, members] of Object.entries(policy.accepts ?? {})) {
    const [operation] = reader.operations([id]);
    if (operation === undefined)
      yield { at: ['accepts', id], message: `the document has no operation ${id}` };
    else
      for (const body of reader.requestBodies(operation))
        for (const [index, member] of members.entries())
          yield* known(['accepts', id, String(index)], member, body, operation, reader);
  }
  for (const [index, { operation: id, at }] of policy.findings.entries()) {
    const [, place, name] = /^(path|query|header|cookie)\.([^.*]+)/.exec(at) ?? [];
    if (name === undefined) continue;
    const operations = id === '*' ? reader.all : reader.operations([id]);
    const isKnown = operations.some(({ parameters }) =>
      parameters.some((parameter) => parameter.in === place && parameter.name === name),
    );
    if (operations.length > 0 && !isKnown)
      yield {
        at: ['findings', index, 'at'],
        message: `the document has no parameter ${at}${id === '*' ? '' : ` of ${id}`}`,
      };
  }
}

function* namedPath(at: string, names: readonly string[], operation: Operation): Generator<Contradiction> {
  for (const [index, name] of names.entries()) {
    if (!operation.parameters.some((parameter) => parameter.in === 'path' && parameter.name === name))
      yield { at: [at, index], message: `the path of ${operation.id} has no parameter ${name}` };
  }
}

/** A status of a bucket or code for which another policy of the sheet gives a different one. */
function* statedTwice(policy: Policy, policies: readonly Policy[]): Generator<Contradiction> {
  const named =
    policy.kind === 'deadline' || policy.kind === 'capacity'
      ? policy.bucket === undefined
        ? undefined
        : { at: ['status'], name: policy.bucket, status: policy.status }
      : policy.kind === 'idempotency' && policy.mode === 'single-use'
        ? { at: ['reuse', 'status'], name: policy.reuse.code, status: policy.reuse.status }
        : undefined;
  if (named === undefined) return;
  for (const other of policies) {
    const errors =
      other.kind === 'error-buckets' ? other.buckets : other.kind === 'error-codes' ? other.codes : [];
    const stated = errors.find(({ name }) => name === named.name)?.status;
    if (stated !== undefined && stated !== named.status)
      yield {
        at: named.at,
        message: `${named.name} has status ${named.status} here, and ${stated} in ${other.kind}`,
      };
  }
}
