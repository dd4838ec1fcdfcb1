/** A document that is read, and what it refers to. */
export interface SlipDocument {
  /** Its path; one that is in a folder of its own is named by `root` or is part of another one. */
  readonly name: string;
  readonly text: string | Uint8Array;
}

/** Documents as careless authors, converters and generators write them, each with slips of one kind or in one style. */
export function slipDocuments(): readonly SlipDocument[] {
  return written;
}

// --- internal ---

const written: SlipDocument[] = [];
const w = (name: string, text: string | Uint8Array): void => void written.push({ name, text });

const op = (extra = ''): string => `paths:
  /x:
    get:
      operationId: x
${extra}      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
`;
const head = (v = '3.0.3'): string => `openapi: ${v}\ninfo: {title: t, version: '1'}\n`;
const A = 'components: {schemas: {A: {type: object, properties: {a: {type: string}}}}}\n';
// slips
w('no info.yaml', `openapi: 3.0.3\n` + op() + A);
w(
  'undeclared path parameters.yaml',
  head() +
    `paths:
  /a/{id}/b/{other-id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: ok}}}
    post: {responses: {'200': {description: ok}}}
`,
);
w(
  'operationIds twice.yaml',
  head() +
    `paths:
  /a: {get: {operationId: same, responses: {'200': {description: ok}}}, post: {operationId: same, responses: {'200': {description: ok}}}}
  /b: {get: {operationId: same, responses: {'200': {description: ok}}}, put: {operationId: Same, responses: {'200': {description: ok}}}}
`,
);
w(
  'types of other languages.yaml',
  head() +
    op() +
    `components: {schemas: {A: {type: object, properties: {a: {type: any}, b: {type: file}, c: {type: date}, d: {type: String}, e: {type: int}, f: {type: float}, g: {type: uuid}, h: {type: bool}, i: {type: dict}, j: {type: list, items: {type: str}}, k: {type: null}, l: {type: datetime}, m: {type: [string, null]}, n: {type: ''}, o: {type: undefined}}}}}\n`,
);
w(
  'required true on a property.yaml',
  head() +
    op() +
    `components: {schemas: {A: {type: object, required: true, properties: {a: {type: string, required: true}, b: {type: object, required: false, properties: {c: {type: string, required: 'true'}}}}}}}\n`,
);
w(
  'nullable in 3.1.yaml',
  head('3.1.0') +
    op() +
    `components: {schemas: {A: {type: object, properties: {a: {type: string, nullable: true}, b: {$ref: '#/components/schemas/B', nullable: true}, c: {allOf: [{$ref: '#/components/schemas/B'}], nullable: true}, d: {enum: [a, b], nullable: true}, e: {nullable: true}, f: {type: string, enum: [x], nullable: 'true'}}}, B: {type: object}}}\n`,
);
w(
  'example beside examples.yaml',
  head() +
    `paths:
  /x:
    get:
      parameters: [{name: q, in: query, schema: {type: string, example: a, examples: [b]}, example: a, examples: {one: {value: a}}}, {name: r, in: query, schema: {type: string}, examples: [a, b]}, {name: s, in: query, schema: {type: string}, examples: {one: plain}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, examples: {a: {value: 1}}}, example: {a: 1}, examples: {one: {value: {a: 1}}, two: {a: 2}}}}}}
`,
);
w(
  'siblings of $ref.yaml',
  head() +
    op() +
    `components: {schemas: {A: {type: object, properties: {a: {$ref: '#/components/schemas/B', type: object, nullable: true, required: [z]}, b: {$ref: '#/components/schemas/B', description: d, readOnly: true}}}, B: {$ref: '#/components/schemas/C', description: x}, C: {type: object, properties: {z: {type: string}}}}}\n`,
);
w(
  'status codes as numbers and texts.yaml',
  head() +
    `paths:
  /x:
    get: {responses: {200: {description: ok}, 404: {description: no}, 5xx: {description: bad}, Default: {description: d}}}
    put: {responses: {'2XX': {description: ok}, 'x-foo': 1}}
    post: {responses: {}}
    delete: {operationId: d}
    patch: {responses: {'200': ok, '404': null, '500': {}}}
`,
);
w(
  'bodies of Swagger 2.yaml',
  head() +
    `paths:
  /x:
    post: {consumes: [application/json], produces: [application/json], schemes: [https], parameters: [{name: b, in: body, required: true, schema: {type: object, properties: {a: {type: string}}}}, {name: q, in: query, type: string, format: date, enum: ['2020-01-01']}], responses: {'200': {description: ok, schema: {type: object}}}}
    put: {consumes: [multipart/form-data], parameters: [{name: f, in: formData, type: file, required: true}, {name: n, in: formData, type: integer}], responses: {'200': {description: ok}}}
    patch: {parameters: [{name: f, in: formData, type: string}, {name: l, in: query, type: array, items: {type: string}, collectionFormat: multi}, {name: m, in: query, type: array, items: {type: string}, collectionFormat: pipes}, {name: t, in: query, type: array, items: {type: string}, collectionFormat: csv}], responses: {'200': {description: ok, schema: {type: string}, examples: {application/json: {a: 1}}}}}
`,
);
w(
  'host and basePath.yaml',
  head() +
    `host: api.example.com\nbasePath: /v1\nschemes: [https]\nconsumes: [application/json]\nproduces: [application/json]\n` +
    op() +
    A,
);
w('empty paths.yaml', head() + `paths:\n` + A);
w('no paths.yaml', head() + A);
w('paths as a list.yaml', head() + `paths: []\n`);
w('paths without a value.yaml', head() + `paths:\n  /x:\n  /y: {get: }\n  /z: {get: {}}\n`);
w(
  'enums.yaml',
  head() +
    op() +
    `components: {schemas: {A: {type: object, properties: {a: {type: string, enum: [a, null]}, b: {type: string, nullable: true, enum: [a, b]}, c: {type: string, enum: []}, d: {type: string, enum: [a, a]}, e: {type: integer, enum: ['1', 2]}, f: {enum: [null]}, g: {type: string, enum: a}, h: {type: boolean, enum: [yes, no]}, i: {type: string, enum: [1, true, 2.5]}}}}}\n`,
);
w(
  'tags as objects.yaml',
  head() + `tags: [a, {name: b}, {description: nameless}]\n` + op(`      tags: [{name: b}, c, 5]\n`) + A,
);
w('tags as a text.yaml', head() + `tags: {a: x}\n` + op(`      tags: b\n`) + A);
w('indented by tabs.yaml', "openapi: 3.0.3\ninfo:\n\ttitle: t\n\tversion: '1'\npaths: {}\n");
w(
  'tabs between values.yaml',
  "openapi: 3.0.3\ninfo: {title: t,\tversion: '1'}\npaths:\n  /x:\n    get:\t\n      responses:\t{'200':\t{description: ok}}\t# c\n",
);
w(
  'anchors, aliases and merge keys.yaml',
  head() +
    `x-base: &base {type: object, properties: {a: {type: string}}}\nx-p: &p\n  - {name: q, in: query, schema: {type: string}}\n` +
    `paths:
  /x:
    get: &get
      operationId: gx
      parameters: *p
      responses: &r {'200': {description: ok, content: {application/json: {schema: {<<: *base, description: more}}}}}
    post: {<<: *get, operationId: px}
    put: {<<: [*get, {deprecated: true}], operationId: ux}
components: {schemas: {A: {<<: *base}, B: *base}}
`,
);
w('byte order mark.yaml', '\uFEFF' + head() + op() + A);
w(
  'byte order mark.json',
  '\uFEFF' + JSON.stringify({ openapi: '3.0.3', info: { title: 't', version: '1' }, paths: {} }),
);
w('CRLF.yaml', (head() + '  \n' + op() + A + '\n').replaceAll('\n', '\r\n'));
w('CR.yaml', (head() + op() + A).replaceAll('\n', '\r'));
w(
  'comments.json',
  `// a comment\n{ /* b */ "openapi": "3.0.3", "info": {"title": "t", "version": "1",}, "paths": {},\n}`,
);
w(
  'JSON in YAML.yaml',
  JSON.stringify({ openapi: '3.0.3', info: { title: 't', version: '1' }, paths: {} }, null, '\t'),
);
w(
  'huge numbers.yaml',
  head() +
    op() +
    `components: {schemas: {A: {type: object, properties: {a: {type: integer, maximum: 18446744073709551615, minimum: -9223372036854775808, default: 9007199254740993}, c: {type: integer, enum: [9223372036854775807, 1]}, d: {type: string, maxLength: 99999999999999999999}, e: {type: string, minLength: -1}, f: {type: array, items: {type: string}, maxItems: '10'}}}}}\n`,
);
w(
  'huge numbers.json',
  `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":{"A":{"type":"integer","maximum":18446744073709551615,"enum":[9223372036854775807]}}}}`,
);
w(
  'plain.yaml',
  head() + op() + `components: {schemas: {A: {type: object, properties: {a: {type: string}}}}}\n`,
);
w(
  'keys twice.yaml',
  head() +
    op() +
    `components: {schemas: {A: {type: object, properties: {a: {type: string}, a: {type: integer}}}}}\n`,
);
w(
  'keys twice.json',
  `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/x":{"get":{"responses":{"200":{"description":"a"},"200":{"description":"b"}}}}}}`,
);
w(
  '$ref into paths.yaml',
  head() +
    `paths:
  /x/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: x, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}}}
  /y:
    get: {operationId: y, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/paths/~1x~1%7Bid%7D/get/responses/200/content/application~1json/schema'}}}}}}
    post: {operationId: py, responses: {'200': {$ref: '#/paths/~1x~1{id}/get/responses/200'}}, requestBody: {content: {application/json: {schema: {$ref: '#/paths/~1x~1{id}/get/responses/200/content/application~1json/schema/properties/a'}}}}}
  /z: {$ref: '#/paths/~1y'}
`,
);
w(
  'several files/root document.yaml',
  head() +
    `paths:
  /x: {$ref: 'sub dir/paths.yaml#/~1x'}
  /y: {$ref: 'sub%20dir/item.yaml'}
components: {schemas: {A: {$ref: './sub dir/schemas.yaml#/A'}, Own: {type: object, properties: {b: {$ref: 'sub dir/schemas.yaml#/B'}}}}}
`,
);
w(
  'several files/sub dir/paths.yaml',
  `/x:\n  get: {operationId: x, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '../root doc.yaml#/components/schemas/A'}}}}}}\n`,
);
w(
  'several files/sub dir/item.yaml',
  `get: {operationId: y, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: 'schemas.yaml#/B'}}}}}}\nparameters: [{$ref: 'schemas.yaml#/P'}]\n`,
);
w(
  'several files/sub dir/schemas.yaml',
  `A: {type: object, properties: {b: {$ref: '#/B'}, self: {$ref: 'schemas.yaml#/A'}}}\nB: {type: object, properties: {a: {$ref: '../root%20doc.yaml#/components/schemas/A'}, c: {$ref: 'more/c.json'}}}\nP: {name: p, in: query, schema: {$ref: '#/B'}}\n`,
);
w(
  'several files/sub dir/more/c.json',
  `{"type":"object","properties":{"up":{"$ref":"../schemas.yaml#/B"},"me":{"$ref":"#"}}}`,
);
const names = [
  'class',
  'default',
  'Class',
  'CLASS',
  'delete',
  'enum',
  '1st',
  '2-nd',
  '',
  'a b',
  'ünï',
  '名前',
  '😀',
  'Answer',
  'Connection',
  'Status',
  'Operation',
  'Call',
  'Failure',
  'Api',
  'Response',
  'Blob',
  'Promise',
  'Record',
  'Array',
  'Map',
  'String',
  'any',
  'never',
  'unknown',
  'object',
  'string',
  'number',
  'undefined',
  'null',
  'void',
  'type',
  'await',
  'async',
  'static',
  '__proto__',
  'constructor',
  'toString',
  'a.b',
  'a-b',
  'a_b',
  'aB',
  'AB',
  'Ab',
  'x'.repeat(120),
  'x'.repeat(119) + 'y',
  'ApiError',
  'ItemStream',
  'Partial',
  'Omit',
  'Readonly',
  'Request',
  'Headers',
  'URL',
  'File',
  'FormData',
  'isA',
  'A',
  'checkA',
  'createT',
  'settle',
  'Error',
  'Symbol',
  'Date',
  'globalThis',
  'Models',
  'Input',
  'Schema',
  'T',
  'Params',
  'Body',
  'TypeError',
  'Number',
  'Boolean',
  'Object',
  'Function',
  'ReadableStream',
  'Uint8Array',
  'AbortSignal',
  'Iterable',
  'AsyncIterable',
  'Pick',
  'Exclude',
  'Extract',
  'NonNullable',
  'JSON',
  'Math',
  'Set',
  'RegExp',
];
w(
  'names of the language and of the generator.json',
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    paths: Object.fromEntries(
      names.map((n, i) => [
        '/p' + i,
        {
          get: {
            operationId: n || undefined,
            tags: [n],
            parameters: [{ name: n || 'e', in: 'query', schema: { type: 'string' } }],
            responses: {
              200: {
                description: 'ok',
                content: {
                  'application/json': { schema: { type: 'object', properties: { v: { type: 'string' } } } },
                },
              },
            },
          },
        },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        names
          .filter((n) => /^[a-zA-Z0-9._-]+$/.test(n))
          .map((n) => [
            n,
            { type: 'object', properties: { [n]: { type: 'string' }, v: { type: 'string' } } },
          ]),
      ),
    },
  }).replace(
    '"__proto__":{"type":"object","properties":{}',
    '"__proto__":{"type":"object","properties":{"q":{"type":"string"}}',
  ),
);
w(
  'names with brackets, spaces and slashes.json',
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 't', version: '1' },
    paths: {
      '/x': {
        get: {
          operationId: 'x',
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/List«Pet»' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        'List«Pet»': { type: 'array', items: { $ref: '#/components/schemas/My Pet' } },
        'My Pet': { type: 'object', properties: { a: { $ref: '#/components/schemas/Page%5BPet%5D' } } },
        'Page[Pet]': { type: 'object' },
        名前: { type: 'string' },
        'a/b': { type: 'object', properties: { z: { $ref: '#/components/schemas/a~1b' } } },
        '': { type: 'string' },
      },
    },
  }),
);
w(
  'parameters.yaml',
  head() +
    `paths:
  /x/{id}:
    get:
      parameters:
        - {name: id, in: path, schema: {type: string}}
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: q, in: query}
        - {name: r, in: Query, schema: {type: string}}
        - {name: s, in: query, required: 'true', schema: {type: string}}
        - {name: t, in: query, style: csv, schema: {type: string}}
        - {name: u, in: query, schema: {type: array}}
        - {name: missing, in: path, required: true, schema: {type: string}}
        - {name: Authorization, in: header, schema: {type: string}}
        - {name: Content-Type, in: header, schema: {type: string}}
        - {name: Accept, in: header, schema: {type: string}}
        - {name: deep, in: query, style: deepObject, schema: {type: string}}
        - {name: 5, in: query, schema: {type: string}}
        - {name: y, in: query, schema: string}
      responses: {'200': {description: ok}}
`,
);
w(
  'security.yaml',
  head() +
    `security: {key: []}
paths:
  /x: {get: {security: [{key: []}, b], responses: {'200': {description: ok}}}}
  /y: {get: {security: {}, responses: {'200': {description: ok}}}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    b: {type: http, scheme: Bearer, bearerFormat: JWT}
    c: {type: bearer}
    e: {type: oauth2, flows: {authorizationCode: {authorizationUrl: '/a', tokenUrl: '/b', scopes: {}}}}
    f: {type: oauth2, flow: accessCode, authorizationUrl: 'http://x', tokenUrl: 'http://y', scopes: {a: b}}
    g: {type: basic}
`,
);
w(
  'content.yaml',
  head() +
    `paths:
  /x:
    post:
      requestBody: {required: true, schema: {type: object}}
      responses: {'200': {description: ok, content: {application/json: {type: object, properties: {a: {type: string}}}}}, '201': {description: ok, content: {application/json: }}, '202': {description: ok, content: {'application/json; charset=utf-8': {schema: {type: string}}, 'JSON': {schema: {type: string}}}}, '203': {description: ok, content: []}}
    put:
      requestBody: {$ref: '#/components/requestBodies/B'}
      responses: {'200': {$ref: '#/components/responses/R'}}
    get: {requestBody: {content: {application/json: {schema: {type: string}}}}, responses: {'200': {description: ok, headers: {X-A: {type: string}, X-B: {schema: {type: integer}, description: 5}, Content-Type: {schema: {type: string}}}}}}
components:
  requestBodies: {B: {description: b}}
  responses: {R: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
  schemas: {A: {type: object}}
`,
);
w(
  'schemas.yaml',
  head() +
    op() +
    `components:
  schemas:
    A: {type: object, properties: []}
    B: {type: array}
    C: {type: object, properties: {a: string, b: {type: [string, integer]}, c: null, d: {}, e: true, f: []}}
    D: {allOf: {$ref: '#/components/schemas/A'}}
    E: {oneOf: []}
    F: {type: object, additionalProperties: 'false'}
    G: {type: string, pattern: '/^a$/i'}
    H: {type: string, pattern: '^\\\\p{L}+$'}
    I: {type: object, required: a, properties: {a: {type: string}}}
    J: {type: object, required: [a, b, 5], properties: {a: {type: string}}}
    K: {type: integer, minimum: '1', exclusiveMaximum: 10}
    L: {properties: {a: {type: string, Description: x, desc: y}}}
    M: {type: object, discriminator: kind, properties: {kind: {type: string}}}
    N: {oneOf: [{$ref: '#/components/schemas/B'}], discriminator: {mapping: {a: B}}}
    O: {type: string, format: 5, description: 7}
    P: {items: [{type: string}, {type: integer}], type: array}
    Q: {type: object, items: {type: string}}
    R: {not: [{type: string}]}
    S: {const: 5}
    T: {type: string, default: null, example: null}
    U: {type: object, patternProperties: {'^a': {type: string}}, propertyNames: {pattern: a}, if: {}, then: {}, $defs: {x: {type: string}}}
    V: {$ref: 'A'}
    W: {$ref: '#/definitions/A'}
    Y: {$ref: '#components/schemas/A'}
`,
);
w(
  '$refs that miss.yaml',
  head() +
    op() +
    `components:
  schemas:
    A: {type: object}
    W: {$ref: '#/definitions/A'}
    Y: {$ref: '#components/schemas/A'}
    X: {$ref: '/components/schemas/A'}
    V: {$ref: A}
    T: {ref: '#/components/schemas/A'}
`,
);
w(
  'keywords of other drafts.yaml',
  head('3.1.0') +
    op() +
    `components:
  schemas:
    A: {type: object, properties: {a: {type: integer, exclusiveMinimum: true, minimum: 0}, c: {type: string, example: x}, d: {id: foo, type: string}, e: {definitions: {q: {type: string}}, $ref: '#/components/schemas/A/properties/e/definitions/q'}, f: {dependencies: {x: [y]}}, g: {$recursiveRef: '#'}, h: {additionalItems: false, items: [{type: string}]}, i: {prefixItems: [{type: string}], items: false}, j: {contentMediaType: application/json, contentEncoding: base64, type: string}, k: {const: null}, l: {type: [object, array, 'null'], items: {type: string}, properties: {z: {type: string}}}, m: {unevaluatedProperties: false, allOf: [{properties: {a: {}}}]}, n: true, o: false, p: {dependentRequired: {a: [b]}, dependentSchemas: {a: {required: [c]}}}, q: {if: {properties: {a: {const: 1}}}, then: {required: [b]}, else: {required: [c]}}, r: {minContains: 1, contains: {type: string}}, s: {propertyNames: {pattern: '^a'}}}}
    $x: {type: string}
`,
);
w(
  'info of other types.yaml',
  `openapi: '3.0'
info: {title: 5, version: 1.0, contact: me@example.com, license: MIT, termsOfService: 7, description: null}
servers: https://api.example.com
externalDocs: https://docs
paths: {}
`,
);
w(
  'servers.yaml',
  head() +
    `servers: [https://api.example.com, {url: 'https://{x}.example.com'}, {url: 'https://{y}.example.com', variables: {y: {enum: [a, b]}}}, {url: 'https://{z}.example.com', variables: {z: {default: 5, enum: [1, 2]}}}, {description: none}, {url: '//foo/bar'}, {url: ''}, {url: 'not a url'}]\npaths: {}\n`,
);
w('version 3.0 as a number.yaml', `openapi: 3.0\ninfo: {title: t, version: '1'}\npaths: {}\n`);
w('version 3.1 as a number.yaml', `openapi: 3.1\ninfo: {title: t, version: '1'}\npaths: {}\n`);
w('version with a v.yaml', `openapi: 'v3.0.1'\ninfo: {title: t, version: '1'}\npaths: {}\n`);
w('two versions.yaml', `swagger: '2.0'\nopenapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {}\n`);
w(
  'paths.yaml',
  head() +
    `paths:
  users: {get: {responses: {'200': {description: ok}}}}
  /a?x={x}: {get: {parameters: [{name: x, in: query, required: true, schema: {type: string}}], responses: {'200': {description: ok}}}}
  /b/:id: {get: {responses: {'200': {description: ok}}}}
  /c/{id}: {get: {operationId: c1, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: ok}}}}
  /c/{name}: {get: {operationId: c2, parameters: [{name: name, in: path, required: true, schema: {type: string}}], responses: {'200': {description: ok}}}}
  /d//e/: {get: {responses: {'200': {description: ok}}}}
  /g/{id: {get: {responses: {'200': {description: ok}}}}
  '/h#{frag}': {get: {responses: {'200': {description: ok}}}}
  '/i/{id}.{ext}': {get: {responses: {'200': {description: ok}}}}
  '/j/{+path}': {get: {responses: {'200': {description: ok}}}}
  '/k/{path*}': {get: {responses: {'200': {description: ok}}}}
  '/l m/ü': {get: {responses: {'200': {description: ok}}}}
  x-note: hello
  /m: {GET: {responses: {'200': {description: ok}}}, Post: {responses: {'200': {description: ok}}}, foo: {responses: {}}, summary: s, description: d}
`,
);
w(
  'circular schemas.yaml',
  head() +
    op() +
    `components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {allOf: [{$ref: '#/components/schemas/C'}]}, C: {type: object, properties: {a: {$ref: '#/components/schemas/A'}, l: {type: array, items: {$ref: '#/components/schemas/C'}}, m: {additionalProperties: {$ref: '#/components/schemas/B'}}}}}}\n`,
);
w(
  'a schema that is itself.yaml',
  head() + op() + `components: {schemas: {A: {$ref: '#/components/schemas/A'}}}\n`,
);
w(
  'dates and words of YAML 1.1.yaml',
  head() +
    op() +
    `components: {schemas: {A: {type: object, properties: {a: {type: string, format: date, default: 2020-01-01, example: 2020-01-01}, b: {type: string, enum: [2020-01-01, on, off, ~]}, c: {type: string, default: 12:30:45}, d: {type: string, example: 0x1F}, e: {type: boolean, default: 'true'}, f: {type: integer, default: '5'}}}}}\n`,
);
w(
  'webhooks alone.yaml',
  head('3.1.0') +
    `webhooks: {new: {post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok}}}}}\n`,
);
w(
  'callbacks and links.yaml',
  head() +
    `paths: {/x: {post: {operationId: x, callbacks: {onE: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok}}}}}}, responses: {'200': {description: ok, links: {a: {operationId: none}}}}}}}\n`,
);
w(
  'OpenAPI 3.2.yaml',
  head('3.2.0') +
    `tags: [{name: a, summary: A, parent: b, kind: nav}, {name: b}]
$self: https://example.com/api
paths:
  /x:
    query: {operationId: qx, requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok}}}
    additionalOperations: {LINK: {operationId: lx, responses: {'200': {description: ok}}}, COPY: {responses: {'204': {description: ok}}}}
    get: {operationId: gx, parameters: [{name: qs, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}, {name: ck, in: cookie, style: cookie, schema: {type: string}}], responses: {'200': {summary: s, content: {text/event-stream: {itemSchema: {type: object, properties: {data: {type: string}}}}}}}}
components: {mediaTypes: {M: {schema: {type: string}}}}
`,
);
w(
  'in the style of a .NET server.yaml',
  `openapi: 3.0.1
info: {title: Vendor API, version: v1, x-logo: {url: x}, logo: y}
servers: [{url: /}]
security: [{}]
tags: [{name: A, name2: b}]
x-tagGroups: [{name: a, tags: [A]}]
paths:
  /api/v1/Users({id}):
    get: {operationId: Users.GetById/v1, tags: [A], parameters: [{name: $expand, in: query, schema: {type: array, items: {type: string}}, style: form, explode: false}, {name: X-Api-Version, in: header, schema: {type: string, default: 1.0}}, {name: api-version, in: query, required: true, schema: {type: string}}], responses: {'200': {description: OK, content: {text/plain: {schema: {$ref: '#/components/schemas/Ns.User'}}, application/json: {schema: {$ref: '#/components/schemas/Ns.User'}}, text/json: {schema: {$ref: '#/components/schemas/Ns.User'}}}}}}
components: {schemas: {Ns.User: {type: object, properties: {id: {type: integer, format: int32}, nick: {type: string, nullable: true}, kind: {$ref: '#/components/schemas/Ns.Kind'}}, additionalProperties: false}, Ns.Kind: {enum: [0, 1, 2], type: integer, format: int32, x-enumNames: [A, B, C]}, 'Ns.Result\`1[[Ns.User, Ns, Version=1.0.0.0]]': {type: object}}}
`,
);
w(
  'in the style of a Python server.json',
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'FastAPI', version: '0.1.0' },
    paths: {
      '/items/{item_id}': {
        get: {
          summary: 'Read',
          operationId: 'read_item_items__item_id__get',
          parameters: [
            { name: 'item_id', in: 'path', required: true, schema: { type: 'integer', title: 'Item Id' } },
            {
              name: 'q',
              in: 'query',
              required: false,
              schema: { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'Q' },
            },
          ],
          responses: {
            200: { description: 'Successful', content: { 'application/json': { schema: {} } } },
            422: {
              description: 'Validation Error',
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } },
              },
            },
          },
        },
      },
      '/upload': {
        post: {
          operationId: 'upload',
          requestBody: {
            required: true,
            content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/Body_upload' } } },
          },
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } },
        },
      },
    },
    components: {
      schemas: {
        Body_upload: {
          properties: {
            files: { items: { type: 'string', format: 'binary' }, type: 'array', title: 'F' },
            f2: { type: 'string', contentMediaType: 'application/octet-stream' },
          },
          type: 'object',
          required: ['files'],
          title: 'Body_upload',
        },
        HTTPValidationError: {
          properties: { detail: { items: { $ref: '#/components/schemas/ValidationError' }, type: 'array' } },
          type: 'object',
        },
        ValidationError: {
          properties: {
            loc: { items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, type: 'array' },
            msg: { type: 'string' },
            type: { type: 'string' },
          },
          type: 'object',
          required: ['loc', 'msg', 'type'],
        },
      },
    },
  }),
);
w('UTF-16.yaml', Buffer.from('\uFEFF' + head() + 'paths: {}\n', 'utf16le'));
w(
  'Latin 1.yaml',
  Buffer.from(
    head() + 'paths: {/x: {get: {summary: "caf\xe9", responses: {"200": {description: ok}}}}}\n',
    'latin1',
  ),
);
w('two documents.yaml', '---\n' + head() + 'paths: {}\n---\nfoo: bar\n');
w('directives and an end.yaml', '%YAML 1.2\n---\n' + head() + 'paths: {}\n...\n');
w('empty.yaml', '');
w('a page.yaml', '<!DOCTYPE html><html></html>');
w(
  'encodings.yaml',
  head() +
    `paths:
  /x:
    post:
      operationId: x
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {meta: {type: object, properties: {a: {type: string}}}, f: {type: string, format: binary}}}
            encoding: {meta: {contentType: 'application/json, text/plain', headers: {X-Part: {schema: {type: string}}, X-Req: {required: true, schema: {type: integer}}}}, f: {contentType: 'image/png, image/*'}, none: {contentType: x}}
          application/x-www-form-urlencoded: {schema: {allOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {b: {type: array, items: {type: object}}}}]}, encoding: {a: {style: form}}}
      responses: {'200': {description: ok}}
components: {schemas: {A: {type: object, properties: {a: {type: string}}}}}
`,
);
w(
  'words of YAML 1.1 as names.yaml',
  head() +
    `paths:
  /x:
    get:
      description: |
        a
        	tabbed */ \`\${x}\`
      summary: "with # hash"
      responses:
        200:
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  on: {type: boolean}
                  yes: {type: string}
                  123: {type: string}
                  1.50: {type: string}
                  null: {type: string}
                  true: {type: string}
`,
);
w(
  'closed classes that extend each other.yaml',
  head('3.0.4') +
    op() +
    `components:
  schemas:
    A: {type: object, required: [$type], properties: {$type: {type: string}}, additionalProperties: false, discriminator: {propertyName: $type, mapping: {b: '#/components/schemas/B', c: '#/components/schemas/C'}}}
    B: {type: object, allOf: [{$ref: '#/components/schemas/A'}], properties: {x: {type: string, nullable: true}}, additionalProperties: false}
    C: {type: object, allOf: [{$ref: '#/components/schemas/A'}], properties: {of: {type: object, oneOf: [{$ref: '#/components/schemas/B'}], nullable: true}}, additionalProperties: false}
`,
);
w(
  'statuses with words and numbers of an own.yaml',
  head() +
    `paths:
  /x: {get: {responses: {200 OK: {description: ok}, 404 Not Found: {description: gone}, 600: {description: own}, 1001: {description: own}}}}
`,
);
w(
  'booleans of other languages.yaml',
  head() +
    `paths:
  /x:
    get:
      deprecated: 'yes'
      parameters: [{name: a, in: query, required: 'True', schema: {type: array, items: {type: string}, uniqueItems: 1}}, {name: b, in: query, required: 'no', schema: {type: string, nullable: 'on'}}]
      responses: {'200': {description: ok}}
`,
);
w(
  'a schema beside content.yaml',
  head() +
    `paths:
  /x: {post: {requestBody: {schema: {type: object}, content: {application/json: {example: {a: 1}}}}, responses: {'200': {description: ok}}}}
`,
);
w(
  'many media types for one value.yaml',
  head() +
    `paths:
  /x:
    get: {operationId: x, responses: {'200': {description: ok, content: {text/plain: {schema: {$ref: '#/components/schemas/A'}}, application/json: {schema: {$ref: '#/components/schemas/A'}}, text/json: {schema: {$ref: '#/components/schemas/A'}}}}}}
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}, application/*+json: {schema: {$ref: '#/components/schemas/A'}}}}, responses: {'200': {description: ok, content: {'*/*': {schema: {type: string}}}}}}
` +
    A,
);
w(
  'bytes in JSON and in parts.yaml',
  head() +
    `paths:
  /x: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/F'}}, multipart/form-data: {schema: {$ref: '#/components/schemas/F'}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/F'}}}}}}}
components: {schemas: {F: {type: object, required: [data], properties: {data: {type: string, format: binary}, pages: {type: array, items: {$ref: '#/components/schemas/P'}}}}, P: {type: string, format: binary}}}
`,
);
w(
  'numbers beyond those of JavaScript.json',
  '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query","schema":{"enum":[1e400,-1e400,1]}}],"responses":{"200":{"description":"ok"}}}}}}',
);
