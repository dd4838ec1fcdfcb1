import type * as TypeScript from 'typescript';
import type { Json } from '../../contract/index.ts';
import { isObject } from '../schemas/read-schema.ts';

type TypeNode = TypeScript.TypeNode;

/** The nodes of shapes that are no schemas: their types begin with `x-`. */
export interface OwnNodes {
  /** `undefined` for a schema. */
  readonly ownNode: (shape: unknown) => TypeNode | undefined;
  /** The name of a member, in quotes if it needs them. */
  readonly nameOf: (name: string) => TypeScript.PropertyName;
}

/** @param nodeOf the node of any shape, also of those inside */
export function ownNodes(ts: typeof TypeScript, nodeOf: (shape: unknown) => TypeNode): OwnNodes {
  const { factory } = ts;
  const literalOf = (value: Json): TypeNode => {
    if (value === null) return factory.createLiteralTypeNode(factory.createNull());
    if (typeof value === 'string')
      return factory.createLiteralTypeNode(factory.createStringLiteral(value, true));
    if (typeof value === 'boolean')
      return factory.createLiteralTypeNode(value ? factory.createTrue() : factory.createFalse());
    if (typeof value === 'number') {
      const digits = factory.createNumericLiteral(Math.abs(value));
      return factory.createLiteralTypeNode(
        value < 0 ? factory.createPrefixUnaryExpression(ts.SyntaxKind.MinusToken, digits) : digits,
      );
    }
    if (Array.isArray(value)) return factory.createTupleTypeNode(value.map((item: Json) => literalOf(item)));
    return factory.createTypeLiteralNode(
      Object.entries(value).map(([name, member]) =>
        factory.createPropertySignature(undefined, nameOf(name), undefined, literalOf(member)),
      ),
    );
  };
  const nameOf = (name: string): TypeScript.PropertyName => {
    if (/^[A-Za-z_$][\w$]*$/.test(name)) return factory.createIdentifier(name);
    if (/^(?:0|[1-9]\d{0,14})$/.test(name)) return factory.createNumericLiteral(name);
    return factory.createStringLiteral(name, true);
  };
  const ownNode = (shape: unknown): TypeNode | undefined => {
    if (!isObject(shape)) return undefined;
    switch (shape['type']) {
      case 'x-literal':
        return literalOf(shape['x-value'] ?? null);
      case 'x-other-string':
        return factory.createParenthesizedType(
          factory.createIntersectionTypeNode([
            factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
            factory.createTypeLiteralNode([]),
          ]),
        );
      case 'x-name':
        return factory.createTypeReferenceNode(String(shape['x-name']));
      case 'x-generic':
        return factory.createTypeReferenceNode(
          String(shape['x-generic']),
          (shape['x-of'] as Json[]).map((argument) => nodeOf(argument)),
        );
      case 'x-array':
        return factory.createArrayTypeNode(nodeOf(shape['x-item']));
      case 'x-tuple': {
        const least = Number(shape['x-least']);
        const first = (shape['x-first'] as Json[]).map((item, index) =>
          index < least ? nodeOf(item) : factory.createOptionalTypeNode(nodeOf(item)),
        );
        const rest = shape['x-rest'] ?? true;
        const more =
          rest === false ? [] : [factory.createRestTypeNode(factory.createArrayTypeNode(nodeOf(rest)))];
        return factory.createTupleTypeNode([...first, ...more]);
      }
      default:
        return undefined;
    }
  };
  return { ownNode, nameOf };
}
