import type { Contract, JsonObject, Operation, Schema } from '../model.ts';
import type { Policy } from '../policies/policy.ts';
import { partsOf, propertiesOf } from '../schema-parts.ts';
import { isJson } from '../carriage.ts';

/** A policy that a document suggests. */
export interface Proposal {
  readonly policy: Policy;
  /** The parts of the document that suggest it, each with its place as a JSON pointer. */
  readonly reasons: readonly ProposalReason[];
  /** What the document does not say and a person has to add; if absent, the proposal is complete. */
  readonly doubt?: string;
}

export interface ProposalReason {
  readonly says: string;
  readonly pointer: string;
}

/** `GET /notes`, as people call an operation. */
export function operationName({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The schema of the JSON body of the first answer with a status that passes. */
export function bodyOf(
  operation: Operation | undefined,
  isMeant: (status: string) => boolean,
): Schema | undefined {
  return operation?.responses
    .filter(({ status }) => isMeant(status))
    .flatMap(({ content }) => content)
    .find(({ mediaType, schema }) => isJson(mediaType) && schema !== undefined)?.schema;
}

/** The members of a schema with the types that it gives them. */
export function membersOf(
  { document }: Pick<Contract, 'document'>,
  schema: Schema | undefined,
): ReadonlyMap<string, { readonly types: readonly string[]; readonly schema: Schema }> {
  return new Map(
    propertiesOf(schema, document.root).map(([name, inner]) => [
      name,
      { types: [...partsOf(inner, document.root, 'any')].flatMap(typesOf), schema: inner },
    ]),
  );
}

// --- internal ---

function typesOf({ type, items, properties }: JsonObject): readonly string[] {
  if (type !== undefined) return [type].flat().map(String);
  return items !== undefined ? ['array'] : properties !== undefined ? ['object'] : [];
}
