import { httpMethods } from '../item-operations.ts';
import { isReference, type PlacedObject } from '../object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { repairExamples } from './examples.ts';
import type { Repaired } from './repair-list.ts';
import { repairResponses } from './responses.ts';
import { repairServer, repairServerVariable } from './servers.ts';
import { repairStyle } from './styles.ts';
import { COLLECTION_FORMATS, OF_A_SCHEMA } from './swagger.ts';

/** Repairs slips in the objects of OpenAPI other than schemas. */
export function repairObject(object: PlacedObject, repaired: Repaired): void {
  if (isReference(object)) return;
  switch (object.kind) {
    case 'response':
      repairContent(object, repaired);
      repairMediaTypeLess(object, repaired);
      repairMediaTypes(object, repaired);
      return repairResponse(object, repaired);
    case 'operation':
      return repairOperation(object, repaired);
    case 'path item':
      return repairMethods(object, repaired);
    case 'parameter':
      repairParameter(object, repaired);
      repairContentOrSchema(object, repaired);
      return repairExamples(object, repaired);
    case 'header':
      repairHeader(object, repaired);
      repairContentOrSchema(object, repaired);
      return repairExamples(object, repaired);
    case 'media type':
      repairMediaType(object, repaired);
      return repairExamples(object, repaired);
    case 'request body':
      repairRequestBody(object, repaired);
      repairMediaTypeLess(object, repaired);
      return repairMediaTypes(object, repaired);
    case 'server':
      return repairServer(object, repaired);
    case 'server variable':
      return repairServerVariable(object, repaired);
    case 'security scheme':
      return repairSecurityScheme(object, repaired);
    default:
      return undefined;
  }
}

// --- internal ---

/** Names of media types that are abbreviated, or have spaces around them. */
function repairMediaTypes({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { content } = value;
  if (!isRecord(content)) return;
  const names = Object.keys(content).map((given) => [given, mediaTypeOf(given)] as const);
  if (names.every(([given, read]) => given === read)) return;
  if (new Set(names.map(([, read]) => read)).size < names.length) return;
  const entries = names.map(([given, read]) => [given, read, content[given]] as const);
  for (const [given] of entries) Reflect.deleteProperty(content, given);
  for (const [given, read, mediaType] of entries) {
    content[read] = mediaType;
    if (given === read) continue;
    repaired({
      kind: 'a short media type',
      pointer: joinPointer(pointer, 'content', given),
      wrong: `${JSON.stringify(given)} is not a media type`,
      read,
      part: 'name',
      renamedTo: joinPointer(pointer, 'content', read),
    });
  }
}

function mediaTypeOf(name: string): string {
  const [type = '', ...parameters] = name.split(';').map((part) => part.trim());
  const word = type.toLowerCase().replace(/^\./, '');
  const known = Object.hasOwn(SHORT, word) ? SHORT[word] : undefined;
  return known === undefined && type === name.split(';')[0]
    ? name
    : [known ?? type, ...parameters].join('; ');
}

const SHORT: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  text: 'text/plain',
  plain: 'text/plain',
  html: 'text/html',
  csv: 'text/csv',
  pdf: 'application/pdf',
  binary: 'application/octet-stream',
  form: 'application/x-www-form-urlencoded',
};

/** A description that is indented too far. */
function repairContent({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { content } = value;
  if (!isRecord(content) || typeof content['description'] !== 'string') return;
  const at = joinPointer(pointer, 'content', 'description');
  value['description'] ??= content['description'];
  delete content['description'];
  const read = 'the description of the response';
  repaired({
    kind: 'a description in content',
    pointer: at,
    wrong: 'description is not a media type',
    read,
    part: 'name',
  });
}

/**
 * `content: { schema }`, and `content: { application/json: , schema }`: the schema is not indented far
 * enough.
 */
function repairMediaTypeLess({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { content } = value;
  if (!isRecord(content) || !isRecord(content['schema'])) return;
  const [first, ...others] = Object.keys(content).filter((name) => name !== 'schema');
  if (others.length > 0 || (first !== undefined && Object.keys(content[first] ?? {}).length > 0)) return;
  const name = first ?? 'application/json';
  const { schema } = content;
  delete content['schema'];
  content[name] = { schema };
  const at = joinPointer(pointer, 'content', 'schema');
  repaired({
    kind: 'a schema in the place of a media type',
    pointer: at,
    wrong: 'schema is not a media type',
    read: `the schema of ${name}`,
    part: 'name',
  });
}

/** A schema that is not under `schema`. */
function repairMediaType({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const moved = Object.keys(value).filter((name) => IN_PLACE_OF_A_SCHEMA.has(name));
  if (Object.hasOwn(value, 'schema') || moved.length === 0) return;
  value['schema'] = Object.fromEntries(moved.map((name) => [name, value[name]]));
  for (const name of moved) Reflect.deleteProperty(value, name);
  repaired({
    kind: 'a schema that is not in schema',
    pointer,
    wrong: `${moved.join(', ')} of the media type ${moved.length === 1 ? 'is' : 'are'} outside its schema`,
    read: 'its schema',
    part: 'name',
  });
}

const IN_PLACE_OF_A_SCHEMA: ReadonlySet<string> = new Set([
  ...OF_A_SCHEMA,
  ...'$ref properties required additionalProperties allOf anyOf oneOf title description'.split(' '),
]);

function repairRequestBody({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { schema, content } = value;
  const hasSchema = isRecord(schema);
  if (isRecord(content) && hasSchema) return repairSchemaBesideContent(value, content, pointer, repaired);
  if (Object.hasOwn(value, 'content')) return;
  value['content'] = hasSchema ? { 'application/json': { schema } } : {};
  if (hasSchema) delete value['schema'];
  repaired({
    kind: 'a request body without content',
    pointer,
    wrong: `the request body has ${hasSchema ? 'a schema outside of' : 'no'} content`,
    read: hasSchema ? 'the schema of application/json' : 'a body of any media type',
  });
}

/** The media types have schemas of their own, or this one. */
function repairSchemaBesideContent(
  body: Record<string, unknown>,
  content: Record<string, unknown>,
  pointer: string,
  repaired: Repaired,
): void {
  const empty = Object.entries(content).filter(
    ([, mediaType]) => isRecord(mediaType) && !Object.hasOwn(mediaType, 'schema'),
  );
  for (const [name, mediaType] of empty) content[name] = { ...(mediaType as object), schema: body['schema'] };
  delete body['schema'];
  repaired({
    kind: 'a schema beside the content of a request body',
    pointer: joinPointer(pointer, 'schema'),
    wrong: 'schema is beside content',
    read: empty.length === 0 ? 'absent' : `the schema of ${empty.map(([name]) => name).join(' and ')}`,
    part: 'name',
  });
}

function repairMethods({ value, pointer }: PlacedObject, repaired: Repaired): void {
  for (const given of Object.keys(value)) {
    const read = given.toLowerCase();
    if (read === given || !METHODS.has(read) || Object.hasOwn(value, read)) continue;
    value[read] = value[given];
    Reflect.deleteProperty(value, given);
    repaired({
      kind: 'the case of a method',
      pointer: joinPointer(pointer, given),
      wrong: `${given} is not a method`,
      read,
      part: 'name',
      renamedTo: joinPointer(pointer, read),
    });
  }
}

const METHODS: ReadonlySet<string> = new Set(httpMethods);

function repairResponse({ value, pointer }: PlacedObject, repaired: Repaired): void {
  if (Object.hasOwn(value, 'description')) return;
  value['description'] = '';
  const wrong = 'the response has no description';
  repaired({
    kind: 'a response without a description',
    pointer,
    wrong,
    read: 'an empty description',
    part: 'name',
  });
}

function repairOperation({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { responses } = value;
  if (isRecord(responses)) repairResponses(responses, joinPointer(pointer, 'responses'), repaired);
  if (!isRecord(responses) ? responses === undefined : Object.keys(responses).length === 0) {
    value['responses'] = { default: { description: '' } };
    const wrong = 'the operation has no responses';
    repaired({
      kind: 'an operation without responses',
      pointer,
      wrong,
      read: 'any response, by `default`',
      part: 'name',
    });
  }
  const tags = value['tags'];
  if (Array.isArray(tags) && new Set(tags).size < tags.length) {
    value['tags'] = [...new Set<unknown>(tags)];
    const at = joinPointer(pointer, 'tags');
    repaired({
      kind: 'a tag twice',
      pointer: at,
      wrong: 'tags contains the same tag twice',
      read: 'one of them',
    });
  }
}

const POSITIONS: ReadonlySet<string> = new Set(['query', 'header', 'path', 'cookie']);

function repairParameter({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const position = value['in'];
  if (
    typeof position === 'string' &&
    !POSITIONS.has(position) &&
    POSITIONS.has(position.trim().toLowerCase())
  ) {
    value['in'] = position.trim().toLowerCase();
    const at = joinPointer(pointer, 'in');
    repaired({
      kind: 'the case of a position',
      pointer: at,
      wrong: `in cannot be ${JSON.stringify(position)}`,
      read: String(value['in']),
    });
  }
  if (value['in'] === 'path' && value['required'] !== true && value['required'] !== 'true') {
    value['required'] = true;
    const wrong = `the path parameter ${String(value['name'])} is not required`;
    repaired({ kind: 'a path parameter that is not required', pointer, wrong, read: 'required: true' });
  }
  if (typeof value['style'] === 'string' && Object.hasOwn(COLLECTION_FORMATS, value['style'])) {
    value['collectionFormat'] = value['style'];
    delete value['style'];
  }
  const format = COLLECTION_FORMATS[String(value['collectionFormat'])];
  if (format !== undefined) {
    const at = joinPointer(pointer, 'collectionFormat');
    repaired({
      kind: 'a member of Swagger 2.0',
      pointer: at,
      wrong: 'collectionFormat is not a member of OpenAPI 3',
      read: JSON.stringify(format),
      part: 'name',
    });
    delete value['collectionFormat'];
    for (const [name, read] of Object.entries(format)) value[name] ??= read;
  }
  repairStyle(value, pointer, repaired);
}

function repairHeader({ value, pointer }: PlacedObject, repaired: Repaired): void {
  if (value['in'] !== undefined && value['in'] !== 'header') return;
  for (const name of ['name', 'in']) {
    if (!Object.hasOwn(value, name)) continue;
    Reflect.deleteProperty(value, name);
    const at = joinPointer(pointer, name);
    repaired({
      kind: 'a name in a header',
      pointer: at,
      wrong: `a header has no member ${name}`,
      read: 'absent: its name is the key',
      part: 'name',
    });
  }
}

function repairContentOrSchema({ kind, value, pointer }: PlacedObject, repaired: Repaired): void {
  const moved = OF_A_SCHEMA.filter((name) => Object.hasOwn(value, name));
  const { schema } = value;
  if (isRecord(schema) && moved.length > 0 && moved.every((name) => !Object.hasOwn(schema, name))) {
    // OpenAPI 3.0 would ignore them beside a $ref.
    const own = Object.fromEntries(moved.map((name) => [name, value[name]]));
    value['schema'] =
      typeof schema['$ref'] === 'string' ? { allOf: [schema], ...own } : { ...schema, ...own };
    for (const name of moved) {
      Reflect.deleteProperty(value, name);
      repaired({
        kind: 'a member of a schema beside it',
        pointer: joinPointer(pointer, name),
        wrong: `${name} is beside the schema`,
        read: 'a member of the schema',
        part: 'name',
      });
    }
    return;
  }
  if (Object.hasOwn(value, 'schema') || Object.hasOwn(value, 'content')) return;
  value['schema'] = Object.fromEntries(moved.map((name) => [name, value[name]]));
  for (const name of moved) Reflect.deleteProperty(value, name);
  const { name: parameter } = value;
  const what =
    kind === 'header'
      ? 'the header'
      : typeof parameter === 'string'
        ? `the parameter ${parameter}`
        : 'a parameter';
  if (moved.length === 0) {
    repaired({
      kind: `a ${kind} without a schema`,
      pointer,
      wrong: `${what} has neither schema nor content`,
      read: 'any value',
    });
  } else {
    const wrong = `${moved.join(', ')} of ${what} ${moved.length === 1 ? 'is' : 'are'} outside its schema`;
    repaired({ kind: 'a schema in the form of Swagger 2.0', pointer, wrong, read: 'its schema' });
  }
}

const SCHEME_TYPES = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'];

/** The names of flows since OpenAPI 3. */
const FLOWS: Readonly<Record<string, string>> = {
  accessCode: 'authorizationCode',
  application: 'clientCredentials',
  implicit: 'implicit',
  password: 'password',
};

function repairSecurityScheme({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { type, flows } = value;
  const at = joinPointer(pointer, 'type');
  if (typeof type === 'string' && !SCHEME_TYPES.includes(type)) {
    const meant = SCHEME_TYPES.find((known) => known.toLowerCase() === type.trim().toLowerCase());
    const read =
      meant !== undefined
        ? { type: meant }
        : /^(?:basic|bearer)$/i.test(type)
          ? { type: 'http', scheme: type.toLowerCase() }
          : undefined;
    if (read !== undefined) {
      Object.assign(value, read);
      repaired({
        kind: 'the type of a security scheme',
        pointer: at,
        wrong: `type cannot be ${JSON.stringify(type)}`,
        read: JSON.stringify(read),
      });
    }
  }
  const { flow } = value;
  if (type === 'oauth2' && typeof flow === 'string' && Object.hasOwn(FLOWS, flow) && flows === undefined) {
    const { authorizationUrl, tokenUrl, scopes } = value;
    value['flows'] = JSON.parse(
      JSON.stringify({ [FLOWS[flow] ?? flow]: { authorizationUrl, tokenUrl, scopes: scopes ?? {} } }),
    );
    for (const name of ['flow', 'authorizationUrl', 'tokenUrl', 'scopes'])
      Reflect.deleteProperty(value, name);
    repaired({
      kind: 'a member of Swagger 2.0',
      pointer: joinPointer(pointer, 'flow'),
      wrong: 'flow is a member of Swagger 2.0',
      read: `flows: { ${FLOWS[flow] ?? flow} }`,
      part: 'name',
    });
  }
  const place = value['in'];
  if (typeof place === 'string' && place !== place.toLowerCase() && POSITIONS.has(place.toLowerCase())) {
    value['in'] = place.toLowerCase();
    repaired({
      kind: 'the case of a position',
      pointer: joinPointer(pointer, 'in'),
      wrong: `in cannot be ${JSON.stringify(place)}`,
      read: place.toLowerCase(),
    });
  }
  for (const [name, flow] of isRecord(flows) ? Object.entries(flows) : []) {
    if (!isRecord(flow) || isRecord(flow['scopes'])) continue;
    const scopes: unknown = flow['scopes'];
    const names = Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string') ? scopes : [];
    if (scopes !== undefined && scopes !== null && !Array.isArray(scopes)) continue;
    flow['scopes'] = Object.fromEntries(names.map((scope) => [scope, '']));
    const where = joinPointer(pointer, 'flows', name);
    repaired({
      kind: 'a flow without scopes',
      pointer: where,
      wrong: `the flow ${name} has no object of scopes`,
      read: JSON.stringify(flow['scopes']),
    });
  }
}
