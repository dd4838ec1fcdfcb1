import type { Contract, JsonObject, Operation, Schema } from '../model.ts';
import type { Policy } from '../policies/policy.ts';
import { partsOf, propertiesOf } from '../schemas/schema-parts.ts';
import { isJson } from '../judge/body-format.ts';

/** A policy that a document suggests. */
export interface Proposal {
  readonly policy: Policy;
  /** The parts of the document that suggest it, each with its place as a JSON pointer. */
  readonly reasons: readonly ProposalReason[];
  /**
   * The facts that a person has to add, because the document does not contain them; if absent, the proposal
   * is complete.
   */
  readonly doubt?: string;
}

export interface ProposalReason {
  readonly says: string;
  readonly pointer: string;
}

/** The title of an operation for people, such as `GET /notes`. */
export function operationName({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The schema of the JSON body of the first answer whose status passes the filter. */
export function bodyOf(
  operation: Operation | undefined,
  isMeant: (status: string) => boolean,
): Schema | undefined {
  return operation?.responses
    .filter(({ status }) => isMeant(status))
    .flatMap(({ content }) => content)
    .find(({ mediaType, schema }) => isJson(mediaType) && schema !== undefined)?.schema;
}

/** The members of a schema, each with its types. */
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
