import { code, page, prose, table } from './markdown.ts';

/** The part of a JSON Schema that pages show. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly pattern?: string;
}

/** A section for a schema: its description and a table of its members. */
export function schemaSection(
  heading: string,
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): string {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    rowsOf(name, member, schema.required?.includes(name) === true),
  );
  return page(
    heading,
    prose(schema.description ?? ''),
    members.length === 0 ? `Type: ${shapeOf(schema)}` : '',
    table(
      ['member', 'type', 'meaning'],
      members.map(([name, member, isRequired]) => [
        isRequired ? `${code(name)} (required)` : code(name),
        shapeOf(member),
        prose(member.description ?? definitions[refName(member) ?? '']?.description ?? ''),
      ]),
    ),
  ).trimEnd();
}

// --- internal ---

type Row = readonly [name: string, schema: JsonSchema, isRequired: boolean];

/** A member, and the members of an object that is written inside it. */
function rowsOf(name: string, schema: JsonSchema, isRequired: boolean): readonly Row[] {
  const [inner, suffix] =
    Array.isArray(schema.items) || schema.items === undefined
      ? [schema, '']
      : [schema.items as JsonSchema, '[]'];
  return [
    [name, schema, isRequired],
    ...Object.entries(inner.properties ?? {}).flatMap(([member, each]) =>
      rowsOf(`${name}${suffix}.${member}`, each, inner.required?.includes(member) === true),
    ),
  ];
}

function shapeOf(schema: JsonSchema): string {
  const name = refName(schema);
  if (name !== undefined) return `[${name}](#${anchorOf(name)})`;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(shapeOf))].join(' or ');
  if (schema.type === 'array') return arrayShape(schema);
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${shapeOf(schema.additionalProperties)}`;
  return schema.type === undefined ? 'anything' : [schema.type].flat().join(' or ');
}

function arrayShape({ items, prefixItems }: JsonSchema): string {
  const members = prefixItems ?? (Array.isArray(items) ? (items as readonly JsonSchema[]) : undefined);
  if (members !== undefined) return `[${members.map(shapeOf).join(', ')}]`;
  return items === undefined ? 'array' : `array of ${shapeOf(items as JsonSchema)}`;
}

function refName({ $ref }: JsonSchema): string | undefined {
  return $ref === undefined ? undefined : decodeURIComponent($ref.slice($ref.lastIndexOf('/') + 1));
}

/** The anchor of a heading, as GitHub and the site make it. */
export function anchorOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}
