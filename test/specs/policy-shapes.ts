/** The members of policies, as the TypeScript types know them and as the schema of the sheets does. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Json, JsonObject } from '../../contract/model.ts';
import { isObject, objectAt, resolve, valueAt } from './own-specs.ts';

/** Paths of members such as `page.more?` or `buckets[].status?`, by kind, and by mode where a kind has several. */
export type PolicyShapes = Readonly<Record<string, readonly string[]>>;

export function shapesOfTypes(): PolicyShapes {
  const file = fileURLToPath(new URL('../../contract/policies/policy.ts', import.meta.url));
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const policy = module && checker.getExportsOfModule(module).find(({ name }) => name === 'Policy');
  if (policy === undefined) throw new Error(`${file} exports no type Policy`);
  const union = checker.getDeclaredTypeOfSymbol(policy);
  return sorted(
    (union.isUnion() ? union.types : [union]).map((type) => [nameOfType(type), membersOfType(type)]),
  );

  function nameOfType(type: ts.Type): string {
    return ['kind', 'mode'].flatMap((member) => literal(type.getProperty(member)) ?? []).join(' ');
  }

  function literal(symbol: ts.Symbol | undefined): string | undefined {
    const type = symbol && checker.getTypeOfSymbol(symbol);
    return type?.isStringLiteral() === true ? type.value : undefined;
  }

  function membersOfType(type: ts.Type): readonly string[] {
    return type.getProperties().flatMap((symbol) => {
      const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
      const path = `${symbol.name}${optional ? '?' : ''}`;
      const inner = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
      const element = checker.isArrayType(inner)
        ? checker.getTypeArguments(inner as ts.TypeReference)[0]
        : undefined;
      const below = element ?? inner;
      return [
        path,
        ...nested(below).map((member) => `${path}${element === undefined ? '' : '[]'}.${member}`),
      ];
    });
  }

  function nested(type: ts.Type): readonly string[] {
    const isOwnObject = (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(type);
    return isOwnObject && type.getStringIndexType() === undefined ? membersOfType(type) : [];
  }
}

export function shapesOfSchema(schema: JsonObject): PolicyShapes {
  const found = Object.values(objectAt(schema, '$defs')).flatMap((definition) => {
    const kind = valueAt(definition, 'properties', 'kind', 'const');
    if (typeof kind !== 'string' || isObject(valueAt(definition, 'allOf', '0'))) return [];
    const mode = valueAt(definition, 'properties', 'mode', 'const');
    return [[[kind, mode].filter(Boolean).join(' '), membersOfSchema(definition)] as const];
  });
  return sorted(found);

  function membersOfSchema(value: Json): readonly string[] {
    const required = Object.values(objectAt(value)['required'] ?? []);
    return Object.entries(objectAt(value, 'properties')).flatMap(([name, member]) => {
      const path = `${name}${required.includes(name) ? '' : '?'}`;
      const inner = resolve(schema, member);
      const items = inner['items'];
      const below = items === undefined ? inner : resolve(schema, items);
      return [
        path,
        ...membersOfSchema(below).map((one) => `${path}${items === undefined ? '' : '[]'}.${one}`),
      ];
    });
  }
}

// --- internal ---

const sorted = (shapes: readonly (readonly [name: string, members: readonly string[]])[]): PolicyShapes =>
  Object.fromEntries(
    shapes
      .map(([name, members]) => [name, [...members].sort()] as const)
      .sort(([one], [other]) => one.localeCompare(other)),
  );
