import type {
  ServedGuard,
  ServedOperation,
  ServedReserved,
  ServedUnique,
  SheetRefusal,
} from '../../engine/served-api.ts';
import { isJson } from '../judge/body-format.ts';
import { policyFor } from '../sheet/find-policy.ts';
import type { Contract, Operation } from '../model.ts';
import { followed } from '../pointer.ts';
import { type ResourcePolicy, roleOf } from '../policies/resource.ts';
import { isRecord } from '../record.ts';
import { componentName } from './served-schemas.ts';
import { withoutGaps } from '../sheet/without-gaps.ts';

/**
 * Whether the engine adds a version tag to the answers of an operation: to reads of a resource whose changes
 * name the version, and to changes whose answer has the same schema as the read.
 */
export function isTagged(contract: Contract, operation: Operation): boolean {
  const guarded = contract.operations.filter((other) => policyFor(other, 'conditional-write') !== undefined);
  const reads = guarded.flatMap((other) => readOf(contract, other) ?? []);
  if (reads.includes(operation)) return true;
  const creation = contract.sheet?.policies.find(
    (policy) => policy.kind === 'resource' && policy.operations.create === operation.id,
  );
  const read =
    creation?.kind === 'resource'
      ? reads.find(({ id }) => id === creation.operations.read)
      : guarded.includes(operation)
        ? readOf(contract, operation)
        : undefined;
  return read !== undefined && shownBy(read) !== undefined && shownBy(read) === shownBy(operation);
}

/** The policy for changes that name a version. */
export function servedGuard(contract: Contract, operation: Operation): ServedGuard | undefined {
  const policy = policyFor(operation, 'conditional-write');
  if (policy === undefined) return undefined;
  const collection = collectionOf(contract, operation);
  const mayCreate =
    collection === undefined
      ? operation.method === 'put' && operation.responses.some(({ status }) => status === '201')
      : collection.upsert === true && collection.operations.replace === operation.id;
  return withoutGaps<ServedGuard>({
    mismatch: policy.mismatch,
    required: policy.required,
    exists: policy.exists,
    read: readOf(contract, operation)?.id,
    mayCreate: mayCreate ? true : undefined,
  });
}

/** The members of a body that are refused. */
export function servedReserved(operation: Operation): ServedReserved | undefined {
  const policy = policyFor(operation, 'reserved-fields');
  if (policy === undefined || policy.checkedBy === 'handler') return undefined;
  return { members: policy.members, refusal: policy.refusal ?? usualRefusal(operation, [422, 400]) };
}

/** The members of a body whose values must be unique. */
export function servedUnique(contract: Contract, operation: Operation): readonly ServedUnique[] | undefined {
  const collection = collectionOf(contract, operation);
  const all = operation.policies.flatMap((policy): ServedUnique[] => {
    if (policy.kind !== 'uniqueness' || policy.checkedBy === 'handler') return [];
    const { member, within, refusal = collection?.taken ?? usualRefusal(operation, [409, 422]) } = policy;
    return [{ member, within, refusal, ...(collection === undefined ? {} : { isOfThings: true }) }];
  });
  return all.length === 0 ? undefined : all;
}

/** The lengths that the document states for the header with the key; `undefined` if it states none. */
export function servedKeyLength({ document }: Contract, operation: Operation): ServedOperation['keyLength'] {
  const header = policyFor(operation, 'idempotency')?.requestHeader.toLowerCase();
  const parameter = operation.parameters.find(
    ({ in: place, name }) => place === 'header' && name.toLowerCase() === header,
  );
  const schema = parameter && followed(document.root, parameter.schema);
  const { minLength, maxLength } = isRecord(schema) ? schema : {};
  const length = {
    ...(typeof minLength === 'number' ? { minimum: minLength } : {}),
    ...(typeof maxLength === 'number' ? { maximum: maxLength } : {}),
  };
  return Object.keys(length).length === 0 ? undefined : length;
}

// --- internal ---

/** The operation that reads the resource that another operation of the same path changes. */
function readOf({ operations }: Contract, { path }: Operation): Operation | undefined {
  return operations.find((operation) => operation.path === path && operation.method === 'get');
}

/** The schema of a successful answer of an operation, if it has a name. */
function shownBy({ responses }: Operation): string | undefined {
  const shown = responses.find(({ status }) => status === '200' || status === '201');
  return componentName(shown?.content.find(({ mediaType }) => isJson(mediaType))?.schema);
}

/** The collection whose resources an operation creates, changes or deletes. */
function collectionOf({ sheet }: Contract, { id }: Operation): ResourcePolicy | undefined {
  return sheet?.policies.find(
    (policy): policy is ResourcePolicy => policy.kind === 'resource' && roleOf(policy, id) !== undefined,
  );
}

/** The first of these statuses that the document declares, else the first one. */
function usualRefusal(
  { responses }: Operation,
  wanted: readonly [number, ...(readonly number[])],
): SheetRefusal {
  const declared = responses.map(({ status }) => status);
  return { status: wanted.find((status) => declared.includes(String(status))) ?? wanted[0] };
}
