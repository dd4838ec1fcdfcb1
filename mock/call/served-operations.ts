import type { Contract } from '../../contract/model.ts';
import { servedApiOf } from '../../contract/served/served.ts';
import type { ServedOperation } from '../../engine/served-api.ts';

/**
 * The operations of a contract as plain data, by their ids. A large document has thousands, of which a mock needs those
 * that are called, so each is made when it is asked for.
 *
 * @param memberOf the member of the input that carries a parameter
 */
export function servedOperations(
  contract: Contract,
  memberOf: Parameters<typeof servedApiOf>[1],
): (id: string) => ServedOperation | undefined {
  const declared = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const known = new Map<string, ServedOperation | undefined>();
  return (id) => {
    const operation = declared.get(id);
    if (operation === undefined || known.has(id)) return known.get(id);
    const [made] = servedApiOf({ ...contract, operations: [operation] }, memberOf).operations;
    known.set(id, made);
    return made;
  };
}
