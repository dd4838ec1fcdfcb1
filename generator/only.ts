import { isBodiless } from '../contract/judge/body-format.ts';
import {
  type Choice,
  type Contract,
  isChosen,
  type Json,
  type Operation,
  requireKnownOperations,
  valueAt,
} from '../contract/index.ts';
import { isObject } from './schemas/read-schema.ts';

/**
 * The contracts with only some of their operations, and with the schemas that these refer to. A contract
 * without any of them is left out.
 *
 * @param choice operations by their ids, or by a tag
 * @throws {UnknownOperationError} for a name that is neither
 */
export function withOnly(contracts: readonly Contract[], choice: Choice): readonly Contract[] {
  requireKnownOperations(
    choice.only ?? [],
    contracts.flatMap((contract) => contract.operations),
  );
  return contracts
    .map((contract) => narrowed(contract, choice))
    .filter((contract) => contract.operations.length > 0);
}

/** Requests that clients cannot send, because `fetch` refuses them: TRACE, and a body with GET or HEAD. */
export interface Unsendable {
  readonly operation: Operation;
  readonly what: 'operation' | 'body';
}

/**
 * The operations and bodies that clients cannot send (Fetch standard: "forbidden method", and the constructor
 * of `Request`).
 */
export function unsendable({ operations }: Contract): readonly Unsendable[] {
  return operations.flatMap((operation): Unsendable[] => {
    if (operation.method === 'trace') return [{ operation, what: 'operation' }];
    return isBodiless(operation.method) && operation.requestBody !== undefined
      ? [{ operation, what: 'body' }]
      : [];
  });
}

/** The contract without the parts that clients cannot send, and without bodies of answers to HEAD. */
export function sendable(contract: Contract): Contract {
  const left = new Map(unsendable(contract).map(({ operation, what }) => [operation, what]));
  if (left.size === 0 && contract.operations.every(({ method }) => method !== 'head')) return contract;
  const operations = contract.operations.flatMap((operation) => {
    const what = left.get(operation);
    if (what === 'operation') return [];
    const sent = what === 'body' ? { ...operation, requestBody: undefined } : operation;
    if (sent.method !== 'head') return sent;
    return { ...sent, responses: sent.responses.map((response) => ({ ...response, content: [] })) };
  });
  return { ...contract, operations };
}

// --- internal ---

function narrowed(contract: Contract, choice: Choice): Contract {
  const operations = contract.operations.filter(({ id, tags }) => isChosen(choice, id, tags));
  const reached = new Set<string>();
  const pending: unknown[] = [operations, choice.only === undefined ? contract.incoming : []];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value) as [string, Json][]) {
      // The targets of references, and the schemas that a discriminator names.
      const pointers =
        name === '$ref' ? [inner] : name === 'mapping' && isObject(inner) ? Object.values(inner) : [];
      for (const pointer of pointers) {
        if (typeof pointer !== 'string' || !pointer.startsWith('#/') || reached.has(pointer)) continue;
        reached.add(pointer);
        pending.push(valueAt(contract.document.root, decodeURIComponent(pointer.slice(1))));
      }
      pending.push(inner);
    }
  }
  return {
    ...contract,
    operations,
    incoming: choice.only === undefined ? contract.incoming : [],
    schemas: contract.schemas.filter(({ pointer }) => reached.has(`#${pointer}`)),
  };
}
