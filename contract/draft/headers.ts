import { responseOf } from '../sheet/declared-facts.ts';
import { declaredCodes, declaredErrorShape, errorBodiesOf } from '../schemas/error-shape.ts';
import type { Contract, Operation, Parameter } from '../model.ts';
import type { Policy } from '../policies/policy.ts';
import { operationName, type Proposal, type ProposalReason } from './proposal.ts';

/** Proposes policies for idempotency keys, conditional reads and writes, and error codes. */
export function* draftHeaders(contract: Contract): Generator<Proposal> {
  yield* errors(contract);
  yield* credentials(contract);
  for (const operation of contract.operations) {
    yield* conditionalGet(operation);
    yield* conditionalWrite(operation);
    yield* idempotency(operation);
  }
}

// --- internal ---

function* errors(contract: Contract): Generator<Proposal> {
  const shape = declaredErrorShape(contract);
  const listed = shape?.code === 'code' ? declaredCodes(contract) : undefined;
  const policy =
    shape === undefined || listed === undefined
      ? shape
      : { ...shape, code: listed.code, codes: listed.names.map((name) => ({ name })) };
  // Errors without a textual code need no policy: their statuses suffice.
  if (policy === undefined || errorBodiesOf(contract, policy)?.['*']?.codes?.length === 0) return;
  const example = contract.operations
    .flatMap(({ responses }) => responses)
    .find(({ status, content }) => /^[45]/.test(status) && content.length > 0);
  if (example === undefined) return;
  yield {
    policy,
    reasons: [{ says: 'error answers have these members', pointer: example.pointer }],
    ...(policy.code === 'code' && policy.status === undefined && listed === undefined
      ? { doubt: 'which member is the code, and which codes there are' }
      : {}),
  };
}

function* credentials({ operations }: Contract): Generator<Proposal> {
  const [found] = operations.flatMap((operation) =>
    operation.security
      .flatMap(({ schemes }) => schemes)
      .flatMap(({ type, in: place, parameterName: keyHeader }) =>
        type === 'apiKey' && place === 'header' && keyHeader !== undefined ? [{ operation, keyHeader }] : [],
      ),
  );
  if (found === undefined) return;
  const { operation, keyHeader } = found;
  yield {
    policy: { kind: 'credentials', keyHeader },
    reasons: [
      { says: `${operationName(operation)} takes a key in ${keyHeader}`, pointer: operation.pointer },
    ],
  };
}

function* conditionalGet(operation: Operation): Generator<Proposal> {
  const answer = operation.responses.find(({ status }) => status === '304');
  if (operation.method !== 'get' || answer === undefined) return;
  const kept = answer.headers.map(({ name }) => name);
  yield {
    policy: {
      kind: 'conditional-get',
      operations: [operation.id],
      status: 304,
      keptHeaders: kept.length === 0 ? ['ETag'] : kept,
    },
    reasons: [{ says: `${operationName(operation)} answers 304`, pointer: answer.pointer }],
  };
}

function* conditionalWrite(operation: Operation): Generator<Proposal> {
  if (operation.method === 'get') return;
  const [header] = headersOf(operation, /^if-match$/i);
  const answer = operation.responses.find(({ status }) => status === '412');
  if (header === undefined && answer === undefined) return;
  const isRequired = responseOf(operation, 428)?.status === '428';
  const [excluding] = headersOf(operation, /^if-none-match$/i);
  yield {
    policy: {
      kind: 'conditional-write',
      operations: [operation.id],
      mismatch: { status: 412 },
      ...(isRequired ? { required: { status: 428 } } : {}),
      ...(excluding === undefined ? {} : { exists: { status: 412 } }),
    },
    reasons: [
      ...reasonOf(operation, header),
      ...reasonOf(operation, excluding),
      ...(answer === undefined
        ? []
        : [{ says: `${operationName(operation)} answers 412`, pointer: answer.pointer }]),
    ],
    ...(answer === undefined
      ? { doubt: `${operationName(operation)} declares no 412` }
      : header === undefined && excluding !== undefined
        ? { doubt: `${operationName(operation)} declares no header If-Match` }
        : {}),
  };
}

function* idempotency(operation: Operation): Generator<Proposal> {
  const [header] = headersOf(operation, /^(?:x-)?(?:idempoten(?:cy|t)|request)-?key$/i);
  if (header === undefined) return;
  const policy: Policy = {
    kind: 'idempotency',
    mode: 'replay',
    operations: [operation.id],
    requestHeader: header.name,
    replayHeader: { name: 'Idempotency-Replayed', value: 'true' },
    window: 'P1D',
    release: ['5xx'],
    inFlight: { status: 409, retryAfter: true },
    mismatch: { status: 422 },
  };
  yield {
    policy,
    reasons: reasonOf(operation, header),
    doubt: 'what marks a replay, how long a key is kept, what frees it, and how a second use is refused',
  };
}

function headersOf(operation: Operation, pattern: RegExp): readonly Parameter[] {
  return operation.parameters.filter(({ name, in: place }) => place === 'header' && pattern.test(name));
}

function reasonOf(operation: Operation, header: Parameter | undefined): readonly ProposalReason[] {
  return header === undefined
    ? []
    : [{ says: `${operationName(operation)} takes ${header.name}`, pointer: header.pointer }];
}
