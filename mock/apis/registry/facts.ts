import type { Contract, Operation, Schema } from '../../../contract/model.ts';
import { isRecord } from '../../../contract/index.ts';
import { servedApiOf } from '../../../contract/served/served.ts';
import type { ServedApi } from '../../../engine/served-api.ts';
import { followed } from '../../../contract/pointer.ts';
import { type PoliciesOf, requirePolicies } from '../../call/facts.ts';

const POLICIES = { credentials: 'credentials', uniqueness: 'uniqueness' } as const;

/** The facts of the contract for the behaviours of the registry, so that no behaviour contains a fact. */
export interface RegistryFacts extends PoliciesOf<typeof POLICIES> {
  readonly contract: Contract;
  /** The engine's form of the API, for the shape of errors. */
  readonly served: ServedApi;
  /** Names of members whose values are secrets. */
  readonly secrets: readonly string[];
  /** The members that a resource has in the document. */
  readonly membersOf: (schema: string) => readonly string[];
  /** The state in a closed list whose name ends with this word, such as `Banned`. */
  readonly stateOf: (schema: string, word: string) => string;
  readonly statesOf: (schema: string) => readonly string[];
  /** The schema of the body of an operation, with its reference followed. */
  readonly bodyOf: (operation: Operation | undefined) => SchemaObject;
  /** The schema that a schema refers to, or itself. */
  readonly resolved: (schema: Schema | undefined) => SchemaObject;
}

/** The keywords that behaviours use; all others are left to Prism. */
export interface SchemaObject {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly readOnly?: boolean;
  readonly format?: string;
}

export function registryFacts(contract: Contract): RegistryFacts {
  const schemas = new Map(contract.schemas.map(({ name, schema }) => [name, schema]));
  const resolved = (schema: Schema | undefined): SchemaObject => {
    const found = followed(contract.document.root, schema);
    return isRecord(found) ? found : {};
  };
  const named = (name: string): SchemaObject => {
    if (!schemas.has(name)) throw new Error(`${contract.name} describes no ${name}`);
    return resolved(schemas.get(name));
  };
  const statesOf = (name: string): readonly string[] => named(name).enum ?? [];
  return {
    ...{ contract, ...requirePolicies(contract, POLICIES) },
    served: servedApiOf(contract, () => undefined),
    secrets: contract.schemas.flatMap(({ schema }) =>
      Object.entries(resolved(schema).properties ?? {})
        .filter(([, member]) => resolved(member).format === 'password')
        .map(([name]) => name),
    ),
    membersOf: (name) => Object.keys(named(name).properties ?? {}),
    statesOf,
    stateOf: (name, word) => {
      const found = statesOf(name).find((state) => state.endsWith(word));
      if (found === undefined) throw new Error(`${name} of ${contract.name} has no state ${word}`);
      return found;
    },
    bodyOf: (operation) => resolved(operation?.requestBody?.content[0]?.schema),
    resolved,
  };
}
