import { kindAt, type ObjectKind } from '../document/object-kinds.ts';

/** The members of each object in OpenAPI 3.1.1, except `x-` ones, for suggestions about misspelt members. */
const memberNames: Readonly<Record<ObjectKind, string>> = {
  document: 'openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs',
  server: 'url description variables',
  'server variable': 'enum default description',
  components:
    'schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems',
  'path item': '$ref summary description servers parameters get put post delete options head patch trace',
  operation:
    'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
  parameter:
    'name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content',
  'request body': 'description content required',
  'media type': 'schema example examples encoding',
  encoding: 'contentType headers style explode allowReserved',
  response: 'description headers content links',
  header: 'description required deprecated style explode schema example examples content',
  example: 'summary description value externalValue',
  link: 'operationRef operationId parameters requestBody description server',
  callback: '',
  'security scheme': 'type description name in scheme bearerFormat flows openIdConnectUrl',
  schema:
    '$schema $id $anchor $ref $dynamicRef $dynamicAnchor $vocabulary $comment $defs type enum const multipleOf ' +
    'maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems ' +
    'maxContains minContains maxProperties minProperties required dependentRequired properties patternProperties ' +
    'additionalProperties propertyNames items prefixItems contains unevaluatedItems unevaluatedProperties allOf anyOf ' +
    'oneOf not if then else dependentSchemas format contentEncoding contentMediaType contentSchema title description ' +
    'default deprecated readOnly writeOnly examples example discriminator xml externalDocs nullable definitions',
};

const INFO = 'title summary description termsOfService contact license version'.split(' ');

/** The allowed member names of the object at a pointer, if they are known. */
export function memberNamesAt(pointer: string): readonly string[] {
  if (pointer === '/info') return INFO;
  const kind = kindAt(pointer);
  return kind === undefined ? [] : memberNamesOf(kind);
}

export function memberNamesOf(kind: ObjectKind): readonly string[] {
  return memberNames[kind].split(' ');
}
