/** An operation for each way in which a body, a part, an answer or an address can be described. */

const text = { type: 'string' };
const list = { type: 'array', items: text };
const numbers = { type: 'array', items: { type: 'integer' } };
const point = { type: 'object', properties: { city: text, lines: list, floor: { type: 'integer' } } };
const bytes = { type: 'string', format: 'binary' };
const note = {
  type: 'object',
  required: ['message'],
  properties: { message: text, code: { type: 'integer' } },
};

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const machine = { name: 'id', in: 'path', required: true, schema: text };

const done = { '204': { description: 'Done.' } };
const takes = (operationId: string, content: object): object => ({
  post: { operationId, requestBody: { required: true, content }, responses: done },
});
const form = (properties: object, encoding: object = {}): object => ({
  'application/x-www-form-urlencoded': { schema: { type: 'object', properties }, encoding },
});
const parts = (properties: object, encoding: object = {}): object => ({
  'multipart/form-data': { schema: { type: 'object', properties }, encoding },
});
const answers = (operationId: string, responses: object): object => ({ get: { operationId, responses } });
const ok = (content: object): object => ({ '200': { description: 'Here.', content } });

export const wireDocument = {
  openapi: '3.1.0',
  info: { title: 'Sample', version: '1' },
  servers: [
    {
      url: 'https://{region}.example.com:{port}/v2/',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] }, port: { default: '8443' } },
    },
  ],
  paths: {
    '/plain': takes(
      'sendPlain',
      form({ a: text, n: { type: 'integer' }, yes: { type: 'boolean' }, list, numbers, point, when: text }),
    ),
    '/styled': takes(
      'sendStyled',
      form(
        {
          csv: list,
          ids: numbers,
          spaced: list,
          piped: list,
          point,
          spread: point,
          whole: numbers,
          raw: text,
        },
        {
          csv: { style: 'form', explode: false },
          ids: { explode: false },
          spaced: { style: 'spaceDelimited', explode: false },
          piped: { style: 'pipeDelimited', explode: false },
          point: { style: 'deepObject', explode: true },
          spread: { style: 'form', explode: true },
          whole: { contentType: 'application/json' },
          raw: { allowReserved: true },
        },
      ),
    ),
    '/parts': takes(
      'sendParts',
      parts(
        {
          file: bytes,
          files: { type: 'array', items: bytes },
          meta: note,
          xml: text,
          n: { type: 'integer' },
          tags: list,
          notes: { type: 'array', items: note },
          csv: numbers,
        },
        {
          file: { contentType: 'image/png' },
          xml: { contentType: 'application/xml' },
          csv: { style: 'form', explode: false },
        },
      ),
    ),
    '/joined': takes('sendJoined', {
      'application/x-www-form-urlencoded': {
        schema: {
          allOf: [
            { type: 'object', properties: { a: text } },
            { type: 'object', properties: { ids: numbers } },
          ],
        },
        encoding: { ids: { explode: false } },
      },
    }),
    '/anyParts': takes('sendAnyParts', {
      'multipart/form-data': { schema: { type: 'object', additionalProperties: bytes } },
    }),
    '/looseParts': takes('sendLooseParts', { 'multipart/form-data': {} }),
    '/headedParts': takes(
      'sendHeadedParts',
      parts(
        { doc: note, pages: { type: 'array', items: bytes }, n: { type: 'integer' } },
        {
          doc: {
            contentType: 'application/json',
            headers: {
              'X-Doc-Id': { required: true, schema: text },
              'Content-Type': { schema: text },
              'X-Kind': { schema: { type: 'string', enum: ['draft', 'final'] } },
            },
          },
          pages: { headers: { 'X-Page': { schema: { type: 'integer' } } } },
        },
      ),
    ),
    '/related': takes('sendRelated', {
      'multipart/mixed': { schema: { type: 'object', properties: { meta: note, file: bytes } } },
    }),
    '/any': takes('sendAny', { '*/*': { schema: bytes } }),
    '/anyJson': takes('sendAnyJson', { '*/*': { schema: note } }),
    '/octets': takes('sendOctets', { 'application/octet-stream': { schema: bytes } }),
    '/pictures': takes('sendPictures', {
      'image/png': {},
      'image/jpeg': {},
      'application/json': { schema: note },
    }),
    '/größe/{of}': {
      parameters: [{ name: 'of', in: 'path', required: true, schema: text }],
      get: { operationId: 'readSize', responses: done },
    },
    '/keyed#by-cookie': {
      get: {
        operationId: 'readKeyed',
        parameters: [{ name: 'z', in: 'query', schema: text }],
        security: [{ session: [] }],
        responses: done,
      },
    },
    '/listed': {
      parameters: [{ name: 'X-Tenant', in: 'header', required: true, schema: text }],
      get: {
        operationId: 'readListed',
        parameters: [
          { name: 'x-tenant', in: 'header', schema: { type: 'integer' } },
          { name: 'ids', in: 'query', schema: { items: { type: 'integer' } } },
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'object', additionalProperties: { type: 'integer' } },
          },
        ],
        requestBody: { content: { 'application/json': { schema: note } } },
        responses: ok({ 'application/xml': { schema: text }, 'application/json': { schema: note } }),
      },
    },
    '/loose': {
      get: {
        operationId: 'readLoose',
        parameters: [
          { name: 'q', in: 'query', schema: text },
          { name: 'tags', in: 'query', schema: list },
          { name: 'deep', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
          { name: 'near', in: 'query', schema: { type: 'object', properties: { x: text } } },
          { name: 'more', in: 'query', schema: { type: 'object', additionalProperties: true } },
        ],
        security: [{ asked: [] }],
        responses: done,
      },
    },
    '/counted': {
      get: {
        operationId: 'readCounted',
        parameters: [
          { name: 'q', in: 'query', schema: text },
          {
            name: 'counts',
            in: 'query',
            schema: { type: 'object', properties: { word: text }, additionalProperties: { type: 'integer' } },
          },
        ],
        responses: done,
      },
    },
    '/machines/{id}?action=start': {
      parameters: [machine, { name: 'force', in: 'query', schema: { type: 'boolean' } }],
      post: { operationId: 'startMachine', responses: done },
    },
    '/machines/{id}?action=stop&after={after}': {
      parameters: [machine, { name: 'after', in: 'path', required: true, schema: { type: 'integer' } }],
      post: { operationId: 'stopMachine', responses: done },
    },
    '/machines/{id}': {
      parameters: [machine, { name: 'after', in: 'query', schema: text }],
      post: { operationId: 'changeMachine', responses: done },
    },
    '/lines': takes('sendLines', { 'application/x-ndjson': { schema: note } }),
    '/sequence': takes('sendSequence', { 'application/json-seq': { schema: note } }),
    '/several': takes('sendSeveral', {
      'text/plain': { schema: text },
      'application/json': { schema: note },
      ...form({ message: text, code: { type: 'integer' } }),
      'application/octet-stream': { schema: bytes },
      'application/xml': { schema: text },
    }),
    '/elsewhere': {
      servers: [{ url: 'https://upload.example.com/{stage}', variables: { stage: { default: 'v1' } } }],
      get: { operationId: 'readElsewhere', responses: done },
      put: { operationId: 'writeElsewhere', servers: [{ url: '/files/' }], responses: done },
    },
    '/later': {
      post: {
        operationId: 'beginLater',
        responses: { ...ok({ 'application/json': { schema: note } }), '202': { description: 'Later.' } },
      },
    },
    '/moved': answers('readMoved', { '302': { description: 'Moved.' } }),
    '/picture': answers('readPicture', ok({ '*/*': { schema: bytes } })),
    '/chat': answers(
      'chat',
      ok({ 'application/json': { schema: note }, 'text/event-stream': { schema: note } }),
    ),
    '/events': answers('readEvents', ok({ 'text/event-stream': { schema: note } })),
    '/rows': answers('readRows', ok({ 'application/jsonl': { schema: note } })),
    '/failing': {
      get: {
        operationId: 'readFailing',
        responses: {
          ...done,
          '404': { description: 'No.', content: { 'application/json': { schema: ref('Owner') } } },
          '4XX': { description: 'Bad.', content: { 'application/problem+json': { schema: note } } },
          default: { description: 'Other.', content: { 'application/json': { schema: ref('Shape') } } },
        },
      },
    },
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: { required: true, content: { 'application/json': { schema: ref('Pet') } } },
        responses: ok({ 'application/json': { schema: ref('Owner') } }),
      },
    },
    '/records': answers('readRecords', ok({ 'application/json-seq': { schema: note } })),
  },
  components: {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'SID' },
      asked: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
    schemas: {
      Base: {
        type: 'object',
        required: ['id', 'name', 'secret'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: text,
          secret: { type: 'string', writeOnly: true },
        },
      },
      Pet: {
        allOf: [ref('Base'), { type: 'object', required: ['id'], properties: { owner: ref('Owner') } }],
      },
      Owner: {
        type: 'object',
        additionalProperties: false,
        properties: { pets: { type: 'array', items: ref('Pet') }, since: { type: 'string', readOnly: true } },
      },
      Shape: {
        type: 'object',
        required: ['kind'],
        discriminator: {
          propertyName: 'kind',
          mapping: { round: '#/components/schemas/Circle', flat: 'Square', cube: 'Cube' },
        },
        properties: { kind: text },
      },
      Circle: { allOf: [ref('Shape'), { type: 'object', properties: { radius: { type: 'number' } } }] },
      Square: { allOf: [ref('Shape'), { type: 'object', properties: { side: { type: 'number' } } }] },
      Cube: { allOf: [ref('Square')] },
      Line: { allOf: [ref('Shape')] },
    },
  },
};
