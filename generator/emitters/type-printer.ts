import type * as OpenapiTypescript from 'openapi-typescript';
import type * as TypeScript from 'typescript';
import type { Json, JsonObject } from '../../contract/index.ts';
import { jsComment } from '../printing.ts';
import type { Declaration } from '../views/types.ts';
import { isObject } from '../schemas/read-schema.ts';
import { loadCompiler } from './own-compiler.ts';
import { ownNodes } from './own-nodes.ts';

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
export function typePrinter(): TypePrinter {
  loaded ??= load();
  return loaded;
}

// --- internal ---

let loaded: TypePrinter | undefined;

function load(): TypePrinter {
  const { ts, transformSchemaObject: transformed } = loadCompiler();
  const { factory } = ts;
  const printed = new WeakMap<object, TypeNode>();
  const printer = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed });
  const empty = ts.createSourceFile('types.ts', '', ts.ScriptTarget.ES2022);

  const nodeOf = (shape: unknown): TypeNode =>
    transformed(shape as OpenapiTypescript.SchemaObject, { ctx: context });

  const { nameOf, ownNode } = ownNodes(ts, nodeOf);
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
  const context = { ...CONTEXT, ...hooks } as OpenapiTypescript.GlobalContext;
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
 * The options of a transformation. The library makes them for a whole document only.
 *
 * A default is an assumption of the server, not a promise that the member is present.
 */
const CONTEXT: Omit<OpenapiTypescript.GlobalContext, 'redoc' | keyof Hooks> = {
  additionalProperties: false,
  alphabetize: false,
  arrayLength: false,
  conditionalEnums: false,
  dedupeEnums: false,
  defaultNonNullable: false,
  discriminators: { objects: {}, refsHandled: [] },
  emptyObjectsUnknown: true,
  enum: false,
  enumValues: false,
  excludeDeprecated: false,
  exportType: false,
  generatePathParams: false,
  immutable: false,
  injectFooter: [],
  makePathsEnum: false,
  pathParamsAsTypes: false,
  propertiesRequiredByDefault: false,
  readWriteMarkers: false,
  resolve: () => undefined,
  rootTypes: false,
  rootTypesKeepCasing: false,
  rootTypesNoSchemaPrefix: false,
  silent: true,
};

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
