import type { ServedOperation, WireType } from '../../engine/served-api.ts';
import { valueName } from '../names.ts';
import { type Expression, valueExpression } from '../printing.ts';

/** Wire types that operations share, as constants, each after those that it refers to. */
export interface SharedWireTypes {
  readonly constants: readonly { readonly name: string; readonly value: Expression }[];
  /** The data of an operation, with references to the constants. */
  expressionOf(operation: ServedOperation): Expression;
}

/**
 * Large forms repeat their parts, within an operation and in others; each part is printed once.
 *
 * @param claim returns a free identifier for a wish
 */
export function sharedWireTypes(
  operations: readonly ServedOperation[],
  claim: (wish: string) => string,
): SharedWireTypes {
  const uses = new Map<string, number>();
  const count = (type: WireType): void => {
    const text = JSON.stringify(type);
    const before = uses.get(text) ?? 0;
    uses.set(text, before + 1);
    // Its parts are printed once with it.
    if (before === 0) innerTypes(type).forEach(([, inner]) => count(inner));
  };
  const bodies = operations.flatMap(({ body }) => body?.contents ?? []);
  for (const { reads } of bodies) if (reads !== undefined) count(reads);

  const names = new Map<string, string>();
  const constants: { name: string; value: Expression }[] = [];
  const expression = (type: WireType, wish: string): Expression => {
    const text = JSON.stringify(type);
    const known = names.get(text);
    if (known !== undefined) return known;
    const value = literal(type, wish);
    if ((uses.get(text) ?? 0) < 2 || text.length < SHORTEST) return value;
    const name = claim(valueName(`${wish} type`));
    names.set(text, name);
    constants.push({ name, value });
    return name;
  };
  const literal = ({ kinds, items, first, members, rest }: WireType, wish: string): Expression => ({
    members: [
      ['kinds', valueExpression(kinds)],
      ...(items === undefined ? [] : [['items', expression(items, wish)] as const]),
      ...(first === undefined
        ? []
        : [['first', { list: first.map((type) => expression(type, wish)) }] as const]),
      ...(members === undefined
        ? []
        : [
            [
              'members',
              {
                members: Object.entries(members).map(
                  ([name, type]) => [name, expression(type, name)] as const,
                ),
              },
            ] as const,
          ]),
      ...(rest === undefined ? [] : [['rest', expression(rest, wish)] as const]),
    ],
  });
  const replaced = new Map(bodies.map(({ reads }) => [reads, reads && expression(reads, 'form')]));
  return { constants, expressionOf: (operation) => withWireTypes(operation, replaced) };
}

// --- internal ---

/** A reference is not shorter than what it refers to. */
const SHORTEST = 60;

function innerTypes({ items, first = [], members = {}, rest }: WireType): [string, WireType][] {
  const others = [items, ...first, rest].flatMap((type): [string, WireType][] =>
    type === undefined ? [] : [['', type]],
  );
  return [...Object.entries(members), ...others];
}

function withWireTypes(
  operation: ServedOperation,
  replaced: ReadonlyMap<WireType | undefined, Expression | undefined>,
): Expression {
  const { body } = operation;
  if (body === undefined) return valueExpression(operation);
  const contents = body.contents.map((content): Expression => ({
    members: Object.entries(content).map(([name, value]) => [
      name,
      (name === 'reads' ? replaced.get(content.reads) : undefined) ?? valueExpression(value),
    ]),
  }));
  return {
    members: Object.entries(operation).map(([name, value]) => [
      name,
      name !== 'body'
        ? valueExpression(value)
        : {
            members: Object.entries(body).map(([member, inner]) => [
              member,
              member === 'contents' ? { list: contents } : valueExpression(inner),
            ]),
          },
    ]),
  };
}
