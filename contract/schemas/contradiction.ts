import { responseOf, type DeclaredFacts } from '../sheet/declared-facts.ts';
import type { Operation, Schema } from '../model.ts';

/** A fact of a sheet that contradicts the document or another policy. */
export interface Contradiction {
  /** The path below the policy. */
  readonly at: readonly (string | number)[];
  readonly message: string;
  /** The name that was probably meant. */
  readonly meant?: string;
  /**
   * `undeclared`: the document does not declare the status, which may be intended; `doubt`: the name may be a slip.
   * Without a kind, the sheet is wrong.
   */
  readonly kind?: 'undeclared' | 'doubt';
}

/** Reports a path that the schema of a body does not have, although the schema lists its members. */
export function* known(
  at: readonly string[],
  path: string,
  body: Schema,
  { id }: Operation,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  if (reader.members(body).length > 0 && reader.at(body, path).length === 0)
    yield { at, message: `the document has no member ${path} in the body of ${id}` };
}

/** Reports a status that the document does not declare, so that generated types lack it too. */
export function* undeclaredStatus(
  { operations }: { readonly operations: readonly string[] },
  at: readonly string[],
  status: number | undefined,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  if (status === undefined) return;
  for (const operation of reader.operations(operations)) {
    const { status: declared } = responseOf(operation, status) ?? {};
    // If other statuses of its class are declared, `default` does not count as declaring this one.
    const isSpelledOut = operation.responses.some((other) => other.status[0] === String(status)[0]);
    if (declared === undefined || (declared === 'default' && isSpelledOut))
      yield { at, message: `the document declares no ${status} for ${operation.id}`, kind: 'undeclared' };
  }
}
