import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runConformance } from '../../../conformance/index.ts';
import { loadContract, loadOwnContract } from '../../../contract/index.ts';
import { createJobs } from '../../../generated/jobs/client.ts';
import { type ServedApi, serverOf } from '../../../generated/server-runtime/index.ts';
import { generate } from '../../../generator/index.ts';
import { createMock } from '../../../mock/index.ts';
import { bodyShapes, documentShapes, requestShapes, type Request as Asked } from './shapes.ts';

/** Something that reads what strangers send. */
export interface Subject {
  readonly name: string;
  readonly shapes: readonly string[];
  /** Makes the subject ready, and gives what is measured: it resolves to the answer, in a few words. */
  readonly prepare: (shape: string) => Promise<(bytes: number) => Promise<string>>;
}

export const subjects: readonly Subject[] = [
  {
    name: 'generated server',
    shapes: requestShapes.map(({ name }) => name),
    prepare: async (shape) => {
      const server = serverOf(
        servedApi,
        {},
        { order: () => ({ status: 204 }) },
        { authenticate: () => ({ id: 'anybody' }) },
      );
      return listening(shape, (request) => server(request));
    },
  },
  {
    name: 'mock',
    shapes: requestShapes.map(({ name }) => name),
    prepare: async (shape) => {
      const loaded = await read(JSON.stringify(document));
      if (!loaded.ok) throw new Error('the document of the bench is not valid');
      const mock = createMock({ contracts: [loaded.contract] });
      return listening(shape, (request) => mock.fetch(request));
    },
  },
  {
    name: 'generated client',
    shapes: bodyShapes.map(({ name }) => name),
    prepare: async (shape) => {
      let body = '';
      const client = createJobs({
        baseUrl: 'http://localhost',
        credentials: { BearerAuth: 'secret' },
        fetch: async () => new Response(body, { headers: { 'Content-Type': 'application/json' } }),
      });
      return async (bytes) => {
        body = bodyOf(shape, bytes);
        return client.getJob({ id: 'j' }).then(
          () => 'a job',
          (error: unknown) => nameOf(error),
        );
      };
    },
  },
  {
    name: 'conform',
    shapes: bodyShapes.map(({ name }) => name),
    prepare: async (shape) => {
      const contracts = [await loadOwnContract('router')];
      return async (bytes) => {
        const body = bodyOf(shape, bytes);
        const server = createServer((request, response) => {
          request.resume();
          response
            .writeHead(200, { 'Content-Type': 'application/json', 'X-Service-Request-Id': 'r' })
            .end(body);
        });
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const report = await runConformance({
          contracts,
          baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
          credential: { header: 'X-API-Key', value: 'service-secret' },
          rules: ['router.list.*'],
        });
        server.closeAllConnections();
        server.close();
        const { pass, fail, error } = report.summary;
        if (error > 0) throw new Error('a rule ended with an error');
        return `${String(pass)} pass, ${String(fail)} fail`;
      };
    },
  },
  {
    name: 'generate',
    shapes: documentShapes.map(({ name }) => name),
    prepare: async (shape) => {
      const { body } = named(documentShapes, shape);
      return async (bytes) => {
        const loaded = await read(body(bytes));
        if (!loaded.ok) return loaded.diagnostics[0]?.code ?? 'refused without a word';
        const files = await generate([loaded.contract], { server: true });
        return `${String(files.length)} files, ${String(loaded.warnings.length)} warnings`;
      };
    },
  },
];

// --- internal ---

function named<Named extends { readonly name: string }>(all: readonly Named[], name: string): Named {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no shape is called ${name}`);
  return found;
}

const bodyOf = (shape: string, bytes: number): string => named(bodyShapes, shape).body(bytes);

/** Sends a request of that shape in this process. */
function listening(
  shape: string,
  answer: (request: Request) => Promise<Response>,
): (bytes: number) => Promise<string> {
  const { request } = named<{ name: string; request: (bytes: number) => Asked }>(requestShapes, shape);
  return async (bytes) => {
    const { type, body, query, headers } = request(bytes);
    const response = await answer(
      new Request(`http://localhost/orders${query}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': type },
        body,
      }),
    );
    const text = await response.text();
    if (response.status >= 500 && !/"(?:title|code|message|detail|error)"/.test(text))
      throw new Error(`answered ${String(response.status)} without a reason`);
    return String(response.status);
  };
}

function nameOf(error: unknown): string {
  if (error instanceof RangeError || !(error instanceof Error)) throw error;
  return error.name === 'Error' ? error.constructor.name : error.name;
}

async function read(text: string): ReturnType<typeof loadContract> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-hostile-'));
  try {
    await writeFile(join(folder, 'hostile.json'), text);
    return await loadContract({ document: 'hostile.json', cwd: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const order = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;

const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'order',
        parameters: [{ name: 'a', in: 'query', schema: { type: 'array', items: { type: 'integer' } } }],
        requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: order }])) },
        responses: { 204: { description: 'ok' } },
      },
    },
  },
};

/** The same as tables, for the runtime of generated servers: the packaged contracts take no forms. */
const servedApi: ServedApi = {
  name: 'orders',
  errors: { kind: 'plain' },
  operations: [
    {
      id: 'order',
      method: 'POST',
      path: '/orders',
      parameters: [
        {
          name: 'a',
          in: 'query',
          style: 'form',
          explode: true,
          reads: { kinds: ['array'], items: { kinds: ['number'] } },
        },
      ],
      body: {
        required: true,
        contents: [
          { mediaType: types[0], bodyFormat: 'json' },
          { mediaType: types[1], bodyFormat: 'form' },
          { mediaType: types[2], bodyFormat: 'multipart' },
        ],
      },
      responses: { '204': [] },
    },
  ],
};
