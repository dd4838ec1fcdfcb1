import { isRecord } from '../record.ts';
import { joinPointer, parsePointer } from '../pointer.ts';

/**
 * The kinds of objects in an OpenAPI document and their places (OpenAPI 3.1.1, section 4.8). A member named `$ref` is
 * a reference only in an object that may be a reference. In an example, a default or the properties of a schema, it
 * is an ordinary name.
 */
export type ObjectKind =
  | 'document'
  | 'server'
  | 'server variable'
  | 'components'
  | 'path item'
  | 'operation'
  | 'parameter'
  | 'request body'
  | 'media type'
  | 'encoding'
  | 'response'
  | 'header'
  | 'example'
  | 'link'
  | 'callback'
  | 'security scheme'
  | 'schema';

/** The content of a member: one object, objects by names, or a list of objects. */
export type Children = ObjectKind | { readonly map: ObjectKind } | { readonly list: ObjectKind };

/** The members that hold objects of a kind; `*` is any other member. */
const members: Readonly<Record<ObjectKind, Readonly<Record<string, Children>>>> = {
  document: {
    servers: { list: 'server' },
    paths: { map: 'path item' },
    webhooks: { map: 'path item' },
    components: 'components',
  },
  server: { variables: { map: 'server variable' } },
  'server variable': {},
  components: {
    schemas: { map: 'schema' },
    responses: { map: 'response' },
    parameters: { map: 'parameter' },
    examples: { map: 'example' },
    requestBodies: { map: 'request body' },
    headers: { map: 'header' },
    securitySchemes: { map: 'security scheme' },
    links: { map: 'link' },
    callbacks: { map: 'callback' },
    pathItems: { map: 'path item' },
  },
  'path item': {
    servers: { list: 'server' },
    parameters: { list: 'parameter' },
    get: 'operation',
    put: 'operation',
    post: 'operation',
    delete: 'operation',
    options: 'operation',
    head: 'operation',
    patch: 'operation',
    trace: 'operation',
    // Of OpenAPI 3.2: these are the places after the document was converted to 3.1.
    query: 'operation',
    additionalOperations: { map: 'operation' },
    'x-tallystick-operations': { map: 'operation' },
  },
  operation: {
    servers: { list: 'server' },
    parameters: { list: 'parameter' },
    requestBody: 'request body',
    responses: { map: 'response' },
    callbacks: { map: 'callback' },
  },
  parameter: { schema: 'schema', content: { map: 'media type' }, examples: { map: 'example' } },
  'request body': { content: { map: 'media type' } },
  'media type': { schema: 'schema', examples: { map: 'example' }, encoding: { map: 'encoding' } },
  encoding: { headers: { map: 'header' } },
  response: { headers: { map: 'header' }, content: { map: 'media type' }, links: { map: 'link' } },
  header: { schema: 'schema', content: { map: 'media type' }, examples: { map: 'example' } },
  example: {},
  link: { server: 'server' },
  callback: { '*': 'path item' },
  'security scheme': {},
  schema: {
    properties: { map: 'schema' },
    patternProperties: { map: 'schema' },
    dependentSchemas: { map: 'schema' },
    $defs: { map: 'schema' },
    definitions: { map: 'schema' },
    allOf: { list: 'schema' },
    anyOf: { list: 'schema' },
    oneOf: { list: 'schema' },
    prefixItems: { list: 'schema' },
    items: 'schema',
    contains: 'schema',
    additionalProperties: 'schema',
    propertyNames: 'schema',
    unevaluatedItems: 'schema',
    unevaluatedProperties: 'schema',
    not: 'schema',
    if: 'schema',
    then: 'schema',
    else: 'schema',
    contentSchema: 'schema',
  },
};

/**
 * The member of `components` that contains the objects of a kind. A kind without one cannot be referred to.
 */
export const componentsOf: Partial<Record<ObjectKind, string>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  'request body': 'requestBodies',
  header: 'headers',
  'security scheme': 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  'path item': 'pathItems',
};

/** An object of the document, or a schema that is `true` or `false`. */
export interface PlacedObject {
  readonly kind: ObjectKind;
  readonly value: Record<string, unknown>;
  readonly pointer: string;
  /** The kind of the object that contains it. */
  readonly within: ObjectKind | undefined;
}

/**
 * Every object below `start`, `start` first, in document order. The walk does not descend where `enter`
 * returns false. It is a loop, so deep documents cannot overflow the stack.
 */
export function* walkObjects(
  start: { readonly kind: ObjectKind; readonly value: unknown; readonly pointer: string },
  enter: (object: PlacedObject) => boolean = () => true,
): Generator<PlacedObject> {
  const waiting: (typeof start | Child)[] = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { kind, value, pointer } = next;
    if (!isRecord(value)) continue;
    const object = { kind, value, pointer, within: 'within' in next ? next.within : undefined };
    if (!enter(object)) continue;
    yield object;
    const children = childrenOf(object);
    for (let index = children.length - 1; index >= 0; index -= 1) waiting.push(children[index] as Child);
  }
}

/** The objects that can require a credential: the document and its operations. */
export function* securedObjects(root: unknown): Generator<PlacedObject> {
  const start = { kind: 'document', value: root, pointer: '' } as const;
  for (const object of walkObjects(start, ({ kind }) => HOLDS_OPERATIONS.has(kind)))
    if (object.kind === 'document' || object.kind === 'operation') yield object;
}

/** Whether an object is a reference: its kind allows references, and its `$ref` is text. */
export function isReference(object: PlacedObject): boolean {
  return componentsOf[object.kind] !== undefined && typeof object.value['$ref'] === 'string';
}

/** The kind of the object at a pointer; `undefined` if OpenAPI does not define it. */
export function kindAt(pointer: string): ObjectKind | undefined {
  let kind: ObjectKind | undefined = 'document';
  let inside: { readonly map: ObjectKind } | { readonly list: ObjectKind } | undefined;
  for (const token of parsePointer(pointer) ?? []) {
    if (inside !== undefined) {
      kind = 'map' in inside ? inside.map : inside.list;
      inside = undefined;
      continue;
    }
    if (kind === undefined) return undefined;
    const children: Children | undefined = childOf(kind, token);
    kind = typeof children === 'string' ? children : undefined;
    inside = typeof children === 'string' ? undefined : children;
    if (children === undefined) return undefined;
  }
  return inside === undefined ? kind : undefined;
}

/** Whether a pointer leads to a schema or into one. */
export function isInSchema(pointer: string): boolean {
  for (let end = pointer.indexOf('/', 1); end !== -1; end = pointer.indexOf('/', end + 1)) {
    if (kindAt(pointer.slice(0, end)) === 'schema') return true;
  }
  return kindAt(pointer) === 'schema';
}

/** The content of a member of an object; `undefined` if that is not objects of a known kind. */
export function childOf(kind: ObjectKind, member: string): Children | undefined {
  const known = members[kind];
  if (Object.hasOwn(known, member)) return known[member];
  return member.startsWith('x-') || member === '$ref' ? undefined : known['*'];
}

/**
 * Whether a member with this name can contain objects by names that the author chooses, such as `properties`.
 */
export function isMapName(name: string | number): boolean {
  return MAP_NAMES.has(String(name));
}

// --- internal ---

const MAP_NAMES: ReadonlySet<string> = new Set(
  Object.values(members).flatMap((known) =>
    Object.entries(known).flatMap(([name, children]) =>
      typeof children !== 'string' && 'map' in children ? [name] : [],
    ),
  ),
);

const HOLDS_OPERATIONS: ReadonlySet<ObjectKind> = new Set([
  'document',
  'components',
  'path item',
  'operation',
  'callback',
]);

interface Child {
  readonly kind: ObjectKind;
  readonly value: unknown;
  readonly pointer: string;
  readonly within: ObjectKind;
}

function childrenOf(object: PlacedObject): Child[] {
  const found: Child[] = [];
  const within = object.kind;
  for (const member of Object.keys(object.value)) {
    const children = childOf(within, member);
    if (children === undefined) continue;
    const value = object.value[member];
    const pointer = joinPointer(object.pointer, member);
    if (typeof children === 'string') {
      found.push({ kind: children, value, pointer, within });
    } else if ('list' in children) {
      if (!Array.isArray(value)) continue;
      for (const [index, item] of value.entries()) {
        found.push({
          kind: children.list,
          value: item as unknown,
          pointer: joinPointer(pointer, index),
          within,
        });
      }
    } else if (isRecord(value)) {
      const extensible =
        children.map === 'path item' || (children.map === 'response' && within === 'operation');
      for (const name of Object.keys(value)) {
        if (extensible && name.startsWith('x-')) continue;
        found.push({ kind: children.map, value: value[name], pointer: joinPointer(pointer, name), within });
      }
    }
  }
  return found;
}
