// @module-tag attack
// @module-tag long
import ts from 'typescript';
import { afterEach, expect, test } from 'vitest';
import { compilerErrors, filesOf, imported } from './generated.ts';
import type { GeneratedFile } from '../../generator/index.ts';

/** Ways out of a literal, a comment, a template or an identifier; each calls `pwned` where it succeeds. */
const payloads: Record<string, string> = {
  quote: "'; pwned(); '",
  doubleQuote: '"; pwned(); "',
  backtick: '`; pwned(); `',
  template: '${pwned()}',
  comment: '*/ pwned(); /*',
  splitComment: '*\\/ *\u200b/ **/ pwned(); /**',
  lineFeed: 'x\n pwned(); //',
  return: 'x\r pwned(); //',
  separators: 'x\u2028 pwned(); \u2029 pwned(); //',
  backslash: "\\'; pwned(); //",
  script: '</script><script>pwned()</script><!--',
  handlebars: '{{pwned}} {{{pwned}}} {{constructor.constructor "pwned()"}} {{lookup this "pwned"}}',
  computed: "']; pwned(); ['",
  markdown: '--> <img src=x onerror=pwned()> `pwned()` | [x](javascript:pwned())',
};

/** A document with the payload in every place that takes text and stays a valid document. */
function infested(payload: string): object {
  const schema = {
    type: 'object',
    title: payload,
    description: payload,
    required: [payload, 'plain'],
    properties: {
      [payload]: {
        type: 'string',
        description: payload,
        default: payload,
        examples: [payload],
        deprecated: true,
      },
      plain: { enum: [payload, { [payload]: payload }, [payload], 1] },
      fixed: { const: payload },
      objectFixed: { const: { [payload]: payload } },
      matched: { type: 'string', pattern: payload.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), format: payload },
      keyed: {
        type: 'object',
        patternProperties: { [payload.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')]: { type: 'number' } },
      },
      depending: {
        dependentRequired: { [payload]: [payload] },
        dependentSchemas: { [payload]: { required: [payload] } },
      },
      tagged: {
        oneOf: [{ $ref: '#/components/schemas/Branch' }],
        discriminator: { propertyName: payload, mapping: { [payload]: '#/components/schemas/Branch' } },
      },
      closed: {
        type: 'object',
        properties: Object.fromEntries([...'abcdefgh'].map((name) => [`${name}${payload}`, {}])),
        additionalProperties: false,
      },
      encoded: {
        type: 'string',
        contentMediaType: payload,
        contentEncoding: payload,
        'x-enum-descriptions': [payload],
        [`x-${payload}`]: payload,
      },
      [`$ref-${payload}`]: { $ref: '#/components/schemas/Branch', description: payload },
    },
  };
  const parameter = (place: string): object => ({
    name: `${place}${payload}`,
    in: place,
    description: payload,
    schema: { type: 'string', default: payload, enum: [payload] },
    example: payload,
  });
  return {
    openapi: '3.1.0',
    info: { title: payload, version: payload, description: payload, summary: payload },
    servers: [{ url: `/${encodeURIComponent(payload)}`, description: payload }],
    tags: [{ name: payload, description: payload }],
    paths: {
      [`/things/${payload.replace(/[{}?#/]/g, '')}`]: {
        summary: payload,
        description: payload,
        post: {
          // What comes of it is an identifier of our own making, and not the one that the oracle looks for.
          operationId: `op ${payload}`,
          tags: [payload],
          summary: payload,
          description: payload,
          externalDocs: { url: 'https://example.com', description: payload },
          parameters: ['query', 'header', 'cookie']
            .map(parameter)
            .filter((each) => !('in' in each && each.in === 'header')),
          requestBody: {
            description: payload,
            content: {
              'application/json': { schema, examples: { one: { summary: payload, value: payload } } },
            },
          },
          responses: {
            '200': {
              description: payload,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Branch' } } },
            },
            '404': {
              description: payload,
              headers: { 'X-Y': { description: payload, schema: { type: 'string', default: payload } } },
            },
            default: {
              description: payload,
              content: { 'text/plain': { schema: { type: 'string', description: payload } } },
            },
          },
          security: [{ Key: [] }],
        },
      },
    },
    components: {
      securitySchemes: { Key: { type: 'apiKey', in: 'query', name: payload, description: payload } },
      schemas: {
        Branch: {
          type: 'object',
          title: payload,
          description: payload,
          properties: { [payload]: { type: 'string', description: payload } },
        },
        Infested: schema,
      },
    },
  };
}

/** The words of a payload that stand in code: neither in a literal nor in a comment. */
function leaked({ path, text }: GeneratedFile): string[] {
  if (!path.endsWith('.ts') || !/pwned/i.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && /^pwned$/i.test(node.text))
      found.push(`${path}: ${node.parent.getText().slice(0, 120)}`);
    if (ts.isTemplateExpression(node) && node.getText().includes('pwned'))
      found.push(`${path}: ${node.getText().slice(0, 120)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Most of the files are the same for every document. */
const sound = new Set<string>();

function syntaxErrors(files: readonly GeneratedFile[]): string[] {
  return files
    .filter(({ path, text }) => path.endsWith('.ts') && !sound.has(text))
    .flatMap(({ path, text }) => {
      const { diagnostics = [] } = ts.transpileModule(text, { fileName: path, reportDiagnostics: true });
      if (diagnostics.length === 0) sound.add(text);
      return diagnostics.map(
        ({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    });
}

const world = globalThis as { pwned?: () => void };

afterEach(() => {
  delete world.pwned;
});

test.each(Object.entries(payloads))(
  'no text of a document becomes code: %s in every text',
  async (_, payload) => {
    let calls = 0;
    world.pwned = () => {
      calls += 1;
    };
    const files = await filesOf(infested(payload), 'sample', { server: true });
    expect(syntaxErrors(files)).toStrictEqual([]);
    expect(files.flatMap(leaked)).toStrictEqual([]);
    const all = "import './sample/index.js';\nimport './sample/server.js';\n";
    await imported([...files, { path: 'all.ts', text: all }], 'all.ts');
    expect(calls).toBe(0);
  },
);

test('a document with a way out in every text compiles under every strictness', async () => {
  expect(
    compilerErrors(await filesOf(infested(Object.values(payloads).join(' ')), 'sample', { server: true })),
  ).toStrictEqual([]);
});

test('text of a document is in one of the first lines of each file', async () => {
  for (const { path, text } of await filesOf(infested(payloads['lineFeed'] ?? ''))) {
    if (path.startsWith('sample/') && path.endsWith('.ts'))
      expect(text.split('\n')[1]).toBe('/* eslint-disable */');
  }
});
