import { policyFor } from '../../contract/index.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { reservedIn } from '../../contract/policies/reserved-fields.ts';
import { roleOf } from '../../contract/policies/resource.ts';
import { uniquenessClaim } from '../../contract/policies/uniqueness.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import { refusalFor } from './work.ts';

/** What the sheet says of the values in a body: members that are reserved, and values that may be given once only. */
export class GivenValues {
  readonly #contract: Contract;
  readonly #errors: ServedApi['errors'];
  readonly #taken = new Set<string>();

  constructor(contract: Contract, { errors }: ServedApi) {
    this.#contract = contract;
    this.#errors = errors;
  }

  /** @throws {Refusal} for a reserved member, and for a value that an earlier call gave */
  readonly require = (operationId: string, input: Readonly<Record<string, unknown>>): void => {
    const operation = this.#contract.operations.find(({ id }) => id === operationId);
    if (operation === undefined) return;
    this.#refuseReserved(operation, input['body']);
    this.#refuseTaken(operation, input);
  };

  #refuseReserved(operation: Operation, body: unknown): void {
    const policy = policyFor(operation, 'reserved-fields');
    const [first] = policy === undefined ? [] : reservedIn(policy, body);
    if (first === undefined) return;
    throw refusalFor(this.#errors, undefined, statusOf(operation, [422, 400]), `${first} is reserved.`);
  }

  /** A collection looks at its own things. */
  #refuseTaken(operation: Operation, input: Readonly<Record<string, unknown>>): void {
    const policy = policyFor(operation, 'uniqueness');
    const isOfThings = this.#contract.sheet?.policies.some(
      (one) => one.kind === 'resource' && roleOf(one, operation.id) !== undefined,
    );
    if (policy === undefined || isOfThings === true) return;
    const claim = uniquenessClaim(policy, input['body'], (name) => String(input[name]));
    const within = `${operation.id} ${claim.within}`;
    if (this.#taken.has(within))
      throw refusalFor(
        this.#errors,
        undefined,
        statusOf(operation, [409, 422]),
        `${policy.member} is taken.`,
      );
    if (this.#taken.size < MOST_TAKEN) this.#taken.add(within);
  }
}

// --- internal ---

const MOST_TAKEN = 50_000;

/** The first of these statuses that the document declares, else the first. */
function statusOf({ responses }: Operation, wanted: readonly [number, ...(readonly number[])]): number {
  const declared = responses.map(({ status }) => status);
  return wanted.find((status) => declared.includes(String(status))) ?? wanted[0];
}
