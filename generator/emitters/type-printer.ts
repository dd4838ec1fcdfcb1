import { createRequire } from 'node:module';
import type * as OpenapiTypescript from 'openapi-typescript';
import type * as TypeScript from 'typescript';
import type { Json, JsonObject } from '../../contract/index.ts';
import { jsComment } from '../printing.ts';
import type { Declaration } from '../views/types.ts';
import { isObject } from '../schemas/read-schema.ts';

/** Prints the types that shapes describe. It holds a compiler, so make only one per run. */
export interface TypePrinter {
  /**
   * `export interface Name { … }` for a plain object, else `export type Name = …`, with a line break at the
   * end.
   */
  declare(declaration: Declaration): string;
  /** The type expression alone. */
  expression(shape: Json): string;
}

type TypeNode = TypeScript.TypeNode;
type Hooks = Pick<OpenapiTypescript.OpenAPITSOptions, 'transform' | 'postTransform' | 'transformProperty'>;

/** Loads the compiler and openapi-typescript on the first call. */
export function typePrinter(): Promise<TypePrinter> {
  loaded ??= load();
  return loaded;
}

// --- internal ---

let loaded: Promise<TypePrinter> | undefined;

async function load(): Promise<TypePrinter> {
  // As CommonJS, because importing the compiler as a module takes three times as long.
  const require = createRequire(import.meta.url);
  const ts = require('typescript') as typeof TypeScript;
  const library = require('openapi-typescript') as typeof OpenapiTypescript;
  const { factory } = ts;
  const printed = new WeakMap<object, TypeNode>();
  const printer = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed });
  const empty = ts.createSourceFile('types.ts', '', ts.ScriptTarget.ES2022);

  const nodeOf = (shape: unknown): TypeNode =>
    library.transformSchemaObject(shape as OpenapiTypescript.SchemaObject, { ctx: context });

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
  /** The printed form of our own `x-` shapes. */
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
  /** An object whose names the library would treat as parts of a URI, and throw for. */
  const escapedNode = (shape: JsonObject): TypeNode | undefined => {
    const { properties, required } = shape;
    if (!isObject(properties) || shape['x-escaped'] === true || !Object.keys(properties).some(hasSigns))
      return undefined;
    return nodeOf({
      ...shape,
      'x-escaped': true,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [escaped(name), member]),
      ),
      ...(Array.isArray(required) ? { required: required.map((name: Json) => escaped(String(name))) } : {}),
    });
  };
  /**
   * An object and the signature of its other members become one object, if the signature allows any value.
   */
  const joined = (node: TypeNode): TypeNode | undefined => {
    if (!ts.isIntersectionTypeNode(node) || node.types.length !== 2) return undefined;
    const [members, rest] = node.types;
    if (
      members === undefined ||
      rest === undefined ||
      !ts.isTypeLiteralNode(members) ||
      !ts.isTypeLiteralNode(rest)
    )
      return undefined;
    const [signature] = rest.members;
    const isOpen =
      signature !== undefined &&
      ts.isIndexSignatureDeclaration(signature) &&
      signature.type.kind === ts.SyntaxKind.UnknownKeyword &&
      !members.members.some(ts.isIndexSignatureDeclaration);
    return isOpen ? factory.createTypeLiteralNode([...members.members, ...rest.members]) : undefined;
  };
  const hooks: Hooks = {
    transform: (shape: unknown) => {
      if (!isObject(shape)) return undefined;
      const node = printed.get(shape) ?? ownNode(shape) ?? escapedNode(shape);
      if (node !== undefined) printed.set(shape, node);
      return node;
    },
    postTransform: joined,
    transformProperty: (property, shape: unknown) => {
      const { name } = property;
      const updated = factory.updatePropertySignature(
        property,
        property.modifiers,
        'text' in name ? nameOf(unescaped(name.text)) : name,
        property.questionToken,
        property.type,
      );
      const comment =
        isObject(shape) && Array.isArray(shape['x-comment']) ? jsComment(shape['x-comment'].map(String)) : '';
      return comment === ''
        ? updated
        : ts.addSyntheticLeadingComment(
            updated,
            ts.SyntaxKind.MultiLineCommentTrivia,
            comment.trim().slice(2, -2),
            true,
          );
    },
  };
  const context = await contextWith(library, hooks);
  const print = (node: TypeScript.Node): string =>
    narrowIndent(printer.printNode(ts.EmitHint.Unspecified, node, empty));

  return {
    declare({ name, shape, comment, isAlias }) {
      const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
      const node = nodeOf(shape);
      const above = jsComment(comment);
      if (ts.isTypeLiteralNode(node) && isAlias !== true) {
        return `${above}${print(factory.createInterfaceDeclaration(exported, name, undefined, undefined, node.members))}\n`;
      }
      const text = print(factory.createTypeAliasDeclaration(exported, name, undefined, node));
      if (!ts.isUnionTypeNode(node) || text.length <= 110 || text.includes('\n')) return `${above}${text}\n`;
      return `${above}export type ${name} =\n${node.types.map((member) => `  | ${print(member)}`).join('\n')};\n`;
    },
    expression: (shape) => print(nodeOf(shape)),
  };
}

/**
 * The library makes the context of a transformation from options, and passes it to the hooks while it reads a
 * document. This document has one schema, so that the hook is called once.
 */
async function contextWith(
  { default: openapiTS }: typeof OpenapiTypescript,
  hooks: Hooks,
): Promise<OpenapiTypescript.GlobalContext> {
  let context: OpenapiTypescript.GlobalContext | undefined;
  const document: OpenapiTypescript.OpenAPI3 = {
    ...{ openapi: '3.1.0', info: { title: '-', version: '-' }, paths: {} },
    components: { schemas: { Any: { type: 'string' } } },
  };
  const transform: Hooks['transform'] = (_schema, { ctx }) => void (context = ctx);
  // A default is an assumption of the server, not a promise that the member is present.
  await openapiTS(document, {
    silent: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform,
  });
  if (context === undefined) throw new Error('openapi-typescript called no hook');
  return { ...context, ...hooks };
}

const hasSigns = (name: string): boolean => /[%#~]/.test(name);
const escaped = (name: string): string =>
  name.replace(/[%#~]/g, (sign) => `~${sign.charCodeAt(0).toString(16)}`);
const unescaped = (name: string): string =>
  name.replace(/~(2[35]|7e)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** The compiler indents by four spaces. No string in its output spans lines. */
function narrowIndent(text: string): string {
  return text.replace(/^ +/gm, (margin) =>
    ' '.repeat(Math.floor(margin.length / 4) * 2 + (margin.length % 4)),
  );
}
