import { base } from './base.ts';

/** The part of the document that a pair changes; a pair that changes something absent fails. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each pair knows the part of the base that it changes
export type Sample = Record<string, any>;

/** A change of the base document with what is expected of it. */
export interface SamplePair {
  readonly name: string;
  readonly change: (document: Sample) => void;
  /** `kind callers/servers`, in any order; nothing else may be found. */
  readonly expected: readonly string[];
  /** Code of a caller that was right by the old document and does not compile with what is generated from the new one. */
  readonly caller?: string;
  /** The same of a handler. */
  readonly handler?: string;
}

export function changed({ change }: Pick<SamplePair, 'change'>): Sample {
  const document = structuredClone(base) as Sample;
  change(document);
  return document;
}

const schemas = (document: Sample): Sample => document['components'].schemas;
const members = (document: Sample, name: string): Sample => schemas(document)[name].properties;
const at = (document: Sample, path: string, method: string): Sample => document['paths'][path][method];
const json = (holder: Sample): Sample => holder['content']['application/json'];
const list = (document: Sample): Sample => at(document, '/pets', 'get');
const create = (document: Sample): Sample => at(document, '/pets', 'post');
const pet = "{ id: '1', name: 'a', status: 'free' }";
const make = (body: string): string => `void createPet(connection, { body: ${body} });`;
const makes = (uses: string): string =>
  `export const h: Handlers['createPet'] = ({ body }) => { ${uses}; return { status: 201, body: ${pet} }; };`;
const answers = (body: string): string =>
  `export const h: Handlers['getPet'] = () => ({ status: 200, body: ${body} });`;
const reads = (uses: string): string =>
  `async () => { const { data } = await getPet(connection, { id: '1' }); ${uses}; };`;

export const pairs: readonly SamplePair[] = [
  // Operations
  {
    name: 'an operation is gone',
    change: (d) => delete d['paths']['/pets/{id}'].delete,
    expected: ['operation-removed wire/code'],
    caller: "void deletePet(connection, { id: '1' });",
    handler: "export const h: Handlers['deletePet'] = () => ({ status: 204 });",
  },
  {
    name: 'an operation is new',
    change: (d) =>
      (d['paths']['/pets/{id}'].patch = {
        operationId: 'patchPet',
        parameters: at(d, '/pets/{id}', 'get')['parameters'],
        responses: { 204: { description: 'ok' } },
      }),
    expected: ['operation-added none/wire'],
    handler:
      'export const all: Handlers = {} as Pick<Handlers, "listPets" | "createPet" | "getPet" | "deletePet" | "putNote">;',
  },
  {
    name: 'an operation has another id',
    change: (d) => (create(d)['operationId'] = 'addPet'),
    expected: ['operation-renamed code/code'],
    caller: make("{ name: 'a' }"),
    handler: makes('void body.name'),
  },
  {
    name: 'an operation has another path',
    change: (d) => {
      d['paths']['/animals'] = { post: create(d) };
      delete d['paths']['/pets'].post;
    },
    expected: ['operation-moved wire/wire'],
  },
  {
    name: 'an operation is deprecated',
    change: (d) => (create(d)['deprecated'] = true),
    expected: ['operation-deprecated none/none'],
  },
  {
    name: 'an operation has another tag',
    change: (d) => (list(d)['tags'] = ['lists']),
    expected: ['tags-changed none/none'],
  },
  {
    name: 'a description is another one',
    change: (d) => (list(d)['description'] = 'Other words.'),
    expected: [],
  },
  // Parameters
  {
    name: 'a required parameter is new',
    change: (d) =>
      list(d)['parameters'].push({ name: 'page', in: 'query', required: true, schema: { type: 'integer' } }),
    expected: ['parameter-added wire/none'],
    caller: "void listPets(connection, { xTrace: 't' });",
  },
  {
    name: 'an optional parameter is new',
    change: (d) => list(d)['parameters'].push({ name: 'page', in: 'query', schema: { type: 'integer' } }),
    expected: ['parameter-added none/none'],
  },
  {
    name: 'an optional parameter is gone',
    change: (d) => list(d)['parameters'].splice(0, 1),
    expected: ['parameter-removed code/code'],
    caller: "void listPets(connection, { xTrace: 't', limit: 3 });",
    handler:
      "export const h: Handlers['listPets'] = ({ limit }) => { void limit; return { status: 200, body: [], headers: { 'X-Total': '1' } }; };",
  },
  {
    name: 'a required parameter is gone',
    change: (d) => list(d)['parameters'].splice(2, 1),
    expected: ['parameter-removed code/wire'],
    caller: "void listPets(connection, { xTrace: 't' });",
  },
  {
    name: 'a parameter is required',
    change: (d) => (list(d)['parameters'][0].required = true),
    expected: ['parameter-required wire/none'],
    caller: "void listPets(connection, { xTrace: 't' });",
  },
  {
    name: 'a parameter is no longer required',
    change: (d) => (list(d)['parameters'][2].required = false),
    expected: ['parameter-optional none/wire'],
    handler:
      "export const h: Handlers['listPets'] = ({ xTrace }) => { void xTrace.length; return { status: 200, body: [], headers: { 'X-Total': '1' } }; };",
  },
  {
    name: 'a parameter of the path has another name',
    change: (d) => {
      d['paths']['/pets/{pet}'] = d['paths']['/pets/{id}'];
      delete d['paths']['/pets/{id}'];
      for (const method of ['get', 'delete'])
        at(d, '/pets/{pet}', method)['parameters'] = [
          { name: 'pet', in: 'path', required: true, schema: { type: 'string' } },
        ];
    },
    expected: ['parameter-renamed code/code', 'parameter-renamed code/code'],
    caller: reads('void data'),
    handler: "export const h: Handlers['deletePet'] = ({ id }) => { void id; return { status: 204 }; };",
  },
  {
    name: 'a parameter is written in another style',
    change: (d) => (list(d)['parameters'][3].style = 'pipeDelimited'),
    expected: ['parameter-written-otherwise wire/wire'],
  },
  {
    name: 'a parameter of a single value is exploded, which changes nothing',
    change: (d) => (list(d)['parameters'][0].explode = false),
    expected: [],
  },
  {
    name: 'a parameter has reserved characters',
    change: (d) => (list(d)['parameters'][1].allowReserved = true),
    expected: ['parameter-written-otherwise unknown/unknown'],
  },
  {
    name: 'a parameter is deprecated',
    change: (d) => (list(d)['parameters'][0].deprecated = true),
    expected: ['parameter-deprecated none/none'],
  },
  {
    name: 'a parameter was a number and is text, which has room for numbers',
    change: (d) => (list(d)['parameters'][0].schema = { type: 'string' }),
    expected: ['type-changed code/wire'],
    caller: "void listPets(connection, { xTrace: 't', limit: 3 });",
    handler:
      "export const h: Handlers['listPets'] = ({ limit = 1 }) => { void limit.toFixed(); return { status: 200, body: [], headers: { 'X-Total': '1' } }; };",
  },
  {
    name: 'a parameter may be greater',
    change: (d) => (list(d)['parameters'][0].schema.maximum = 200),
    expected: ['limit-loosened none/wire'],
  },
  {
    name: 'a parameter has to be smaller',
    change: (d) => (list(d)['parameters'][0].schema.maximum = 50),
    expected: ['limit-tightened wire/none'],
  },
  {
    name: 'a whole number above 0 is one of at least 1',
    change: (d) =>
      (list(d)['parameters'][0].schema = { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 101 }),
    expected: [],
  },
  {
    name: 'a parameter has another default',
    change: (d) => (list(d)['parameters'][0].schema.default = 20),
    expected: ['default-changed unknown/unknown'],
  },
  // Bodies of requests
  {
    name: 'a body is required',
    change: (d) => (at(d, '/notes', 'put')['requestBody'].required = true),
    expected: ['body-required wire/none'],
    caller: 'void putNote(connection, {});',
  },
  {
    name: 'a body is no longer required',
    change: (d) => delete create(d)['requestBody'].required,
    expected: ['body-optional none/wire'],
    handler: makes('void body.name'),
  },
  {
    name: 'a body is gone',
    change: (d) => delete create(d)['requestBody'],
    expected: ['body-removed code/wire'],
    caller: make("{ name: 'a' }"),
    handler: makes('void body.name'),
  },
  {
    name: 'a required body is new',
    change: (d) =>
      (at(d, '/pets/{id}', 'delete')['requestBody'] = {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      }),
    expected: ['body-added wire/none'],
    caller: "void deletePet(connection, { id: '1' });",
  },
  {
    name: 'one more media type is taken',
    change: (d) => (create(d)['requestBody'].content['application/xml'] = {}),
    expected: ['media-type-added none/wire'],
  },
  {
    name: 'another media type is taken',
    change: (d) => (create(d)['requestBody'].content = { 'text/plain': { schema: { type: 'string' } } }),
    expected: ['media-type-removed wire/code', 'media-type-added none/wire'],
    caller: make("{ name: 'a' }"),
    handler: makes('void body.name'),
  },
  // Members of requests
  {
    name: 'an optional member is new',
    change: (d) => (members(d, 'NewPet')['size'] = { type: 'integer' }),
    expected: ['member-added none/none'],
  },
  {
    name: 'a required member is new',
    change: (d) => {
      members(d, 'NewPet')['size'] = { type: 'integer' };
      schemas(d)['NewPet'].required.push('size');
    },
    expected: ['member-added wire/none'],
    caller: make("{ name: 'a' }"),
  },
  {
    name: 'a member is required',
    change: (d) => schemas(d)['NewPet'].required.push('age'),
    expected: ['member-required wire/none'],
    caller: make("{ name: 'a' }"),
  },
  {
    name: 'a member is no longer required',
    change: (d) => (schemas(d)['NewPet'].required = []),
    expected: ['member-optional none/wire'],
    handler: makes('void body.name.length'),
  },
  {
    name: 'an optional member is gone',
    change: (d) => delete members(d, 'NewPet')['nickname'],
    expected: ['member-removed code/code'],
    caller: make("{ name: 'a', nickname: 'b' }"),
    handler: makes('void body.nickname'),
  },
  {
    name: 'a whole number is text',
    change: (d) => (members(d, 'NewPet')['age'] = { type: 'string' }),
    expected: ['type-changed wire/wire'],
    caller: make("{ name: 'a', age: 3 }"),
    handler: makes('void body.age?.toFixed()'),
  },
  {
    name: 'a whole number may be any number',
    change: (d) => (members(d, 'NewPet')['age'] = { type: 'number' }),
    expected: ['type-widened none/wire'],
  },
  {
    name: 'a number of a request may be text, too',
    change: (d) => (members(d, 'NewPet')['age'] = { type: ['integer', 'string'] }),
    expected: ['type-widened none/wire'],
    handler: makes('void body.age?.toFixed()'),
  },
  {
    name: 'a value of a request is gone',
    change: (d) => (members(d, 'NewPet')['kind'].enum = ['cat']),
    expected: ['value-removed wire/code'],
    caller: make("{ name: 'a', kind: 'dog' }"),
    handler: makes("void (body.kind === 'dog')"),
  },
  {
    name: 'a value of a request is new',
    change: (d) => members(d, 'NewPet')['kind'].enum.push('bird'),
    expected: ['value-added none/wire'],
    handler: makes("const all: 'cat' | 'dog' | undefined = body.kind; void all"),
  },
  {
    name: 'a text of a request has a list of values',
    change: (d) => (members(d, 'NewPet')['nickname'] = { type: 'string', enum: ['a', 'b'] }),
    expected: ['values-closed wire/none'],
    caller: make("{ name: 'a', nickname: 'c' }"),
  },
  {
    name: 'a member of a request can no longer be null',
    change: (d) => (members(d, 'NewPet')['home'] = { type: 'string' }),
    expected: ['nullable-removed wire/none'],
    caller: make("{ name: 'a', home: null }"),
  },
  {
    name: 'a member of a request can be null',
    change: (d) => (members(d, 'NewPet')['age'] = { type: ['integer', 'null'] }),
    expected: ['nullable-added none/wire'],
    handler: makes('const age: number | undefined = body.age; void age'),
  },
  {
    name: 'null by anyOf is null by type',
    change: (d) => (members(d, 'NewPet')['home'] = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    expected: [],
  },
  {
    name: 'a text has to be longer',
    change: (d) => (members(d, 'NewPet')['name'].minLength = 2),
    expected: ['limit-tightened wire/none'],
  },
  {
    name: 'a text need not be short',
    change: (d) => delete members(d, 'NewPet')['name'].maxLength,
    expected: ['limit-loosened none/wire'],
  },
  {
    name: 'a list may have fewer items',
    change: (d) => (members(d, 'NewPet')['weights'].maxItems = 3),
    expected: ['limit-tightened wire/none'],
  },
  {
    name: 'items have to differ',
    change: (d) => (members(d, 'NewPet')['weights'].uniqueItems = true),
    expected: ['limit-tightened wire/none'],
  },
  {
    name: 'a step is a multiple of the old one',
    change: (d) => (members(d, 'NewPet')['weights'].items.multipleOf = 4),
    expected: ['limit-tightened wire/none'],
  },
  {
    name: 'a step has nothing to do with the old one',
    change: (d) => (members(d, 'NewPet')['weights'].items.multipleOf = 3),
    expected: ['limit-changed wire/wire'],
  },
  {
    name: 'a pattern is another one',
    change: (d) => (members(d, 'NewPet')['code'].pattern = '^[A-Z]*$'),
    expected: ['pattern-changed unknown/unknown'],
  },
  {
    name: 'a pattern is gone',
    change: (d) => delete members(d, 'NewPet')['code'].pattern,
    expected: ['pattern-changed none/wire'],
  },
  {
    name: 'a format is asked for',
    change: (d) => (members(d, 'NewPet')['nickname'].format = 'uuid'),
    expected: ['format-changed wire/none'],
  },
  {
    name: 'undeclared members are refused',
    change: (d) => (schemas(d)['NewPet'].additionalProperties = false),
    expected: ['other-members-refused wire/none'],
  },
  {
    name: 'something is excluded',
    change: (d) => (schemas(d)['NewPet'].not = { required: ['age', 'kind'] }),
    expected: ['condition-added wire/none'],
  },
  {
    name: 'a member depends on another',
    change: (d) => (schemas(d)['NewPet'].dependentRequired = { age: ['kind'] }),
    expected: ['condition-added wire/none'],
  },
  // Answers
  {
    name: 'a required member of an answer is gone',
    change: (d) => {
      delete members(d, 'Pet')['name'];
      schemas(d)['Pet'].required = ['id', 'status'];
    },
    expected: ['member-removed wire/code'],
    caller: reads('void data.name'),
    handler: `export const made: Pet = ${pet};`,
  },
  {
    name: 'a member of an answer is new',
    change: (d) => (members(d, 'Pet')['size'] = { type: 'integer' }),
    expected: ['member-added none/none'],
  },
  {
    name: 'a required member of an answer is new',
    change: (d) => {
      members(d, 'Pet')['size'] = { type: 'integer' };
      schemas(d)['Pet'].required.push('size');
    },
    expected: ['member-added none/wire'],
    handler: answers(pet),
  },
  {
    name: 'a member of an answer is no longer required',
    change: (d) => (schemas(d)['Pet'].required = ['id', 'status']),
    expected: ['member-optional wire/none'],
    caller: reads('void data.name.length'),
  },
  {
    name: 'a member of an answer is required',
    change: (d) => schemas(d)['Pet'].required.push('age'),
    expected: ['member-required none/wire'],
    handler: answers(pet),
  },
  {
    name: 'a value of an answer is new',
    change: (d) => members(d, 'Pet')['status'].enum.push('lost'),
    expected: ['value-added wire/none'],
    caller: reads("const all: 'free' | 'sold' = data.status; void all"),
  },
  {
    name: 'a value of an answer is gone',
    change: (d) => (members(d, 'Pet')['status'].enum = ['free']),
    expected: ['value-removed code/wire'],
    caller: reads("void (data.status === 'sold')"),
    handler: answers("{ id: '1', name: 'a', status: 'sold' }"),
  },
  {
    name: 'a list of values of an answer is any text',
    change: (d) => (members(d, 'Pet')['status'] = { type: 'string' }),
    expected: ['values-opened wire/none'],
    caller: reads("const all: 'free' | 'sold' = data.status; void all"),
  },
  {
    name: 'a member of an answer can be null',
    change: (d) =>
      (members(d, 'Pet')['owner'] = { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] }),
    expected: ['nullable-added wire/none'],
    caller: reads('if (data.owner !== undefined) void data.owner.name'),
  },
  {
    name: 'an answer has one more alternative',
    change: (d) => members(d, 'Pet')['food'].oneOf.push({ $ref: '#/components/schemas/Fish' }),
    expected: ['alternative-added wire/none'],
    caller: reads("const all: 'meat' | 'plant' | undefined = data.food?.is; void all"),
  },
  {
    name: 'an answer has one alternative less',
    change: (d) => members(d, 'Pet')['food'].oneOf.splice(1, 1),
    expected: ['alternative-removed code/wire'],
    caller: reads("void (data.food?.is === 'plant')"),
    handler: answers("{ id: '1', name: 'a', status: 'free', food: { is: 'plant' } }"),
  },
  {
    name: 'one schema becomes several',
    change: (d) =>
      (members(d, 'Pet')['owner'] = {
        oneOf: [{ $ref: '#/components/schemas/Owner' }, { $ref: '#/components/schemas/Fish' }],
      }),
    expected: ['alternative-added wire/none'],
  },
  {
    name: 'members of an answer have another type',
    change: (d) => (members(d, 'Pet')['tags'].additionalProperties = { type: 'integer' }),
    expected: ['type-changed wire/wire'],
    caller: reads("const tag: string | undefined = data.tags?.['a']; void tag"),
    handler: answers("{ id: '1', name: 'a', status: 'free', tags: { a: 'b' } }"),
  },
  {
    name: 'a closed schema has one more member',
    change: (d) => (members(d, 'Owner')['mail'] = { type: 'string' }),
    expected: ['member-added wire/none'],
  },
  {
    name: 'a text of an answer may be longer',
    change: (d) => (members(d, 'Pet')['name'].maxLength = 80),
    expected: ['limit-loosened wire/none'],
  },
  {
    name: 'a text of an answer has to be shorter',
    change: (d) => (members(d, 'Pet')['name'].maxLength = 20),
    expected: ['limit-tightened none/wire'],
  },
  {
    name: 'a format of an answer is another one',
    change: (d) => (members(d, 'Pet')['seen'].format = 'date'),
    expected: ['format-changed wire/wire'],
  },
  {
    name: 'a schema is deprecated',
    change: (d) => (members(d, 'Pet')['age'].deprecated = true),
    expected: ['schema-deprecated none/none'],
  },
  {
    name: 'a member is sent and answered, and is only answered',
    change: (d) => (members(d, 'Note')['text'].readOnly = true),
    expected: ['member-removed code/wire'],
    caller: "void putNote(connection, { body: { text: 'a', secret: 'b' } });",
  },
  {
    name: 'a member is only answered, and is sent as well',
    change: (d) => delete members(d, 'Note')['made'].readOnly,
    expected: ['member-added none/none'],
  },
  {
    name: 'an answer of success is new',
    change: (d) => (create(d)['responses'][202] = { description: 'later' }),
    expected: ['answer-added wire/none'],
    caller:
      "async () => { const answer = await createPet(connection, { body: { name: 'a' } }); const only: 201 = answer.status; void only; };",
  },
  {
    name: 'an error is new',
    change: (d) => (create(d)['responses'][409] = { description: 'there is one' }),
    expected: ['answer-added none/none'],
  },
  {
    name: 'an error is told apart that was among all others',
    change: (d) =>
      (at(d, '/pets/{id}', 'get')['responses'][404] = structuredClone(create(d)['responses'][422])),
    expected: [],
  },
  {
    name: 'an answer of success is gone',
    change: (d) => {
      const { responses } = create(d);
      responses[200] = responses[201];
      delete responses[201];
    },
    expected: ['answer-removed code/wire', 'answer-added wire/none'],
    caller:
      "async () => { const answer = await createPet(connection, { body: { name: 'a' } }); const only: 201 = answer.status; void only; };",
    handler: makes('void body'),
  },
  {
    name: 'an error is gone',
    change: (d) => delete create(d)['responses'][422],
    expected: ['answer-removed code/wire'],
    caller: "void createPetFailure(new Error('a'), 422);",
    handler: "export const h: Handlers['createPet'] = () => ({ status: 422, body: { message: 'a' } });",
  },
  {
    name: 'an answer has no body any more',
    change: (d) => delete create(d)['responses'][201].content,
    expected: ['body-removed wire/wire'],
    caller:
      "async () => { const { data } = await createPet(connection, { body: { name: 'a' } }); void data.id; };",
  },
  {
    name: 'an answer can have another media type',
    change: (d) => (create(d)['responses'][201].content['application/xml'] = {}),
    expected: ['media-type-added unknown/none'],
  },
  {
    name: 'an answer has another media type',
    change: (d) => (create(d)['responses'][201].content = { 'text/plain': { schema: { type: 'string' } } }),
    expected: ['media-type-removed wire/wire', 'media-type-added unknown/none'],
    caller:
      "async () => { const { data } = await createPet(connection, { body: { name: 'a' } }); void data.id; };",
    handler: makes('void body'),
  },
  {
    name: 'a required header of an answer is gone',
    change: (d) => delete list(d)['responses'][200].headers['X-Total'],
    expected: ['header-removed wire/code'],
    caller:
      "async () => { const { headers } = await listPets(connection, { xTrace: 't' }); const total: string = headers.get('X-Total'); void total; };",
  },
  {
    name: 'an optional header of an answer is gone',
    change: (d) => delete list(d)['responses'][200].headers['X-Next'],
    expected: ['header-removed code/code'],
  },
  {
    name: 'a header of an answer is new',
    change: (d) => (list(d)['responses'][200].headers['X-More'] = { schema: { type: 'string' } }),
    expected: ['header-added none/none'],
  },
  {
    name: 'a required header of an answer is new',
    change: (d) =>
      (list(d)['responses'][200].headers['X-More'] = { required: true, schema: { type: 'string' } }),
    expected: ['header-added none/wire'],
  },
  {
    name: 'a header of an answer is no longer required',
    change: (d) => delete list(d)['responses'][200].headers['X-Total'].required,
    expected: ['header-optional wire/none'],
  },
  {
    name: 'a header of an answer has another type',
    change: (d) => (list(d)['responses'][200].headers['X-Total'].schema = { type: 'boolean' }),
    expected: ['type-changed wire/wire'],
  },
  // Security
  {
    name: 'credentials are needed for more',
    change: (d) => (create(d)['security'] = [{ Key: [], Token: ['write'] }]),
    expected: ['credential-refused wire/none', 'credential-refused wire/none'],
  },
  {
    name: 'a scope is needed',
    change: (d) => (create(d)['security'] = [{ Key: [] }, { Token: ['write', 'admin'] }]),
    expected: ['credential-refused wire/none'],
  },
  {
    name: 'no credentials are needed',
    change: (d) => (create(d)['security'] = []),
    expected: ['credential-accepted none/wire'],
  },
  {
    name: 'other credentials are taken, too',
    change: (d) => (list(d)['security'] = [{ Key: [] }, { Token: [] }]),
    expected: ['credential-accepted none/wire'],
  },
  {
    name: 'credentials have another name',
    change: (d) => {
      const { securitySchemes } = d['components'];
      securitySchemes.ApiKey = securitySchemes.Key;
      delete securitySchemes.Key;
      d['security'] = [{ ApiKey: [] }];
      create(d)['security'] = [{ ApiKey: [] }, { Token: ['write'] }];
    },
    expected: ['security-scheme-renamed code/code'],
    caller: "void createClient({ baseUrl: 'http://localhost', credentials: { Key: 'a' } });",
  },
  {
    name: 'credentials stand in another header',
    change: (d) => (d['components'].securitySchemes.Key.name = 'X-Api-Key'),
    // Four operations have the security of the document, and one has its own.
    expected: [
      ...['credential-refused wire/none', 'credential-accepted none/wire'],
      ...['credential-refused wire/none', 'credential-accepted none/wire'],
    ],
  },
  {
    name: 'tokens come from another address',
    change: (d) =>
      (d['components'].securitySchemes.Token.flows.clientCredentials.tokenUrl = 'https://other.example.com'),
    expected: ['security-scheme-changed unknown/unknown'],
  },
  // Servers
  {
    name: 'an address is new',
    change: (d) => d['servers'].push({ url: 'https://example.org' }),
    expected: ['server-added none/none'],
  },
  {
    name: 'an address is another one',
    change: (d) => (d['servers'] = [{ url: 'https://example.org' }]),
    expected: ['server-removed unknown/unknown', 'server-added none/none'],
  },
  {
    name: 'another address comes first',
    change: (d) => d['servers'].unshift({ url: 'https://example.org' }),
    expected: ['server-added none/none', 'server-first unknown/none'],
  },
  {
    name: 'an address has fewer regions',
    change: (d) => (d['servers'][0].variables.region.enum = ['eu']),
    expected: ['server-variable-changed code/none'],
  },
  // Webhooks
  {
    name: 'a webhook sends less than callers count on',
    change: (d) => (schemas(d)['Event'].required = []),
    expected: ['member-optional wire/none'],
  },
  {
    name: 'a webhook has to send more',
    change: (d) => schemas(d)['Event'].required.push('by'),
    expected: ['member-required none/wire'],
  },
  {
    name: 'a webhook is gone',
    change: (d) => delete d['webhooks'].adopted,
    expected: ['incoming-removed unknown/code'],
  },
  {
    name: 'a webhook is new',
    change: (d) => (d['webhooks'].sold = structuredClone(d['webhooks'].adopted)),
    expected: ['incoming-added none/wire'],
  },
  // Components
  {
    name: 'a schema has another name and says the same',
    change: (d) => {
      schemas(d)['Fault'] = schemas(d)['Problem'];
      delete schemas(d)['Problem'];
      json(create(d)['responses'][422])['schema'] = { $ref: '#/components/schemas/Fault' };
      json(at(d, '/pets/{id}', 'get')['responses'].default)['schema'] = {
        $ref: '#/components/schemas/Fault',
      };
    },
    expected: ['schema-removed code/code', 'schema-added none/none'],
    caller: 'export type P = Problem;',
  },
  {
    name: 'a schema that nobody uses has one more value',
    change: (d) => (members(d, 'Fish')['is'] = { enum: ['fish', 'shark'] }),
    expected: ['value-added none/code'],
  },
];
