import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { type Contract, loadContract } from '../../../contract/index.ts';
import { type GeneratedFile, generate, handlersOf } from '../../../generator/index.ts';
import { referredName } from '../../../generator/schemas/table-entry.ts';
import { type ApiContent, type ApiOperation, apiOf } from '../../../generator/views/api.ts';
import type { RandomContent } from './bodies.ts';
import { type RandomAnswerOf, randomDocument, type RandomOperation } from './documents.ts';
import { plain } from './plain.ts';

/** What became of calls of a generated client to a generated server. */
export interface Exchanges {
  readonly files: readonly GeneratedFile[];
  readonly calls: number;
  /** Calls that were answered with an error that the document describes. */
  readonly errors: number;
  /** What arrived differently, was refused, or was not accepted by a guard. */
  readonly faults: readonly string[];
}

/** Calls the operations of a random document, from its client to its server. */
export async function randomExchanges(options: {
  readonly operations: number;
  readonly callsEach: number;
  readonly seed: number;
}): Promise<Exchanges> {
  const { document, operations } = randomDocument(options.operations, options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-random-documents-'));
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    const loaded = await loadContract({ document: 'openapi.json', cwd: folder, name: 'random' });
    if (!loaded.ok) throw new Error(`refused: ${JSON.stringify(loaded.diagnostics[0])}`);
    const files = await generate([loaded.contract], { server: true });
    const pair = await imported(folder, files);
    const views = apiOf(loaded.contract, []).operations;
    const names = namesOf(loaded.contract);
    const faults: string[] = [];
    let calls = 0;
    let errors = 0;
    for (const [index, operation] of operations.entries()) {
      const at = views.findIndex(({ operation: { path } }) => path === operation.path);
      const view = views[at];
      const name = names[at];
      if (view === undefined || name === undefined) throw new Error(`no operation at ${operation.path}`);
      const seed = options.seed + index;
      for (const call of fc.sample(callOf(operation), { numRuns: options.callsEach, seed })) {
        const found = await exchanged(pair, view, name, call);
        calls += 1;
        if (call.answer.status >= 400) errors += 1;
        for (const fault of found)
          faults.push(`${operation.path}: ${fault}\n  ${JSON.stringify(operation.described)}`);
      }
    }
    return { files, calls, errors, faults: faults.sort((one, other) => one.length - other.length) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

async function imported(folder: string, files: readonly GeneratedFile[]): Promise<Pair> {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { path, text } of files.filter((file) => file.path.endsWith('.ts'))) {
    const to = join(folder, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, transformSync(text, { loader: 'ts', target: 'es2022' }).code);
  }
  const module = async (name: string): Promise<Module> =>
    (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'random', `${name}.js`)).href)) as Module;
  return {
    client: await module('index'),
    server: await module('server'),
    guards: await module('validators'),
    failures: await module('failures'),
  };
}

type Module = Readonly<Record<string, unknown>>;
interface Pair {
  readonly client: Module;
  readonly server: Module;
  readonly guards: Module;
  readonly failures: Module;
}

interface Call {
  /** The values of the parameters, in the order of the document; `undefined` for one that is left out. */
  readonly parameters: readonly unknown[];
  readonly body:
    { readonly content: RandomContent; readonly value: unknown; readonly isOnly: boolean } | undefined;
  readonly answer: RandomAnswerOf;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
}

function namesOf(contract: Contract): readonly string[] {
  return (handlersOf([contract], () => '')[0]?.operations ?? []).map(({ name }) => name);
}

function callOf({ parameters, body, answers }: RandomOperation): fc.Arbitrary<Call> {
  const values = parameters.map(({ required, values: each }) =>
    required
      ? each
      : fc.oneof({ weight: 3, arbitrary: each }, { weight: 1, arbitrary: fc.constant(undefined) }),
  );
  const contents = (body?.contents ?? []).map((content) =>
    content.sent.map((value) => ({ content, value, isOnly: body?.contents.length === 1 })),
  );
  const bodies = body === undefined || !body.required ? [...contents, fc.constant(undefined)] : contents;
  return fc
    .record({
      parameters: fc.tuple(...values),
      body: fc.oneof(...bodies),
      answer: fc.constantFrom(...answers),
    })
    .chain(({ answer, ...rest }) =>
      fc
        .record({
          headers: fc.record(answer.headers),
          value: answer.content?.answered ?? fc.constant(undefined),
        })
        .map((given) => ({ ...rest, answer, ...given })),
    );
}

/** What is wrong with one call. */
async function exchanged(pair: Pair, view: ApiOperation, name: string, call: Call): Promise<string[]> {
  const input: Record<string, unknown> = {};
  const put = (member: string, value: unknown): void => {
    Object.defineProperty(input, member, { value, enumerable: true, configurable: true, writable: true });
  };
  for (const [at, value] of call.parameters.entries()) {
    const member = view.parameters[at]?.member;
    if (member !== undefined && value !== undefined) put(member, value);
  }
  if (call.body !== undefined) {
    put('body', call.body.value);
    if (!call.body.isOnly) put('contentType', call.body.content.mediaType);
  }

  const faults: string[] = [];
  let received: unknown = 'nothing';
  const createServer = pair.server['createServer'] as (
    handlers: object,
    options: object,
  ) => (request: Request) => Promise<Response>;
  const serve = createServer(
    {
      [name]: (given: unknown) => {
        received = given;
        return replyOf(call);
      },
    },
    {
      authenticate: () => ({ id: 'ada' }),
      checkResponses: true,
      onFinding: (finding: { kind: string; misfits?: readonly string[] }) => {
        if (['response', 'handler', 'stream'].includes(finding.kind))
          faults.push(`finding ${JSON.stringify(finding, errorText)}`);
      },
    },
  );
  const create = pair.client['createRandom'] as (
    options: object,
  ) => Record<string, (input?: object) => Promise<Answered>>;
  let refusal = '';
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await serve(new Request(url, { ...init, duplex: 'half' } as RequestInit));
    if (response.status === 400 && received === 'nothing')
      refusal = `${url} ${await response.clone().text()}`;
    return response;
  };
  const client = create({ baseUrl: 'http://localhost', fetch, retries: 0 });
  const outcome = await (async (): Promise<Outcome> => {
    try {
      return { answer: await (Object.keys(input).length === 0 ? client[name]?.() : client[name]?.(input)) };
    } catch (error) {
      return { error };
    }
  })();

  const want = await plain(input);
  const got = await plain(received);
  if (want !== got)
    faults.push(`sent ${want}, arrived ${got} ${refusal}${received === 'nothing' ? describe(outcome) : ''}`);
  else faults.push(...(await answerFaults(pair, name, call, outcome)));
  faults.push(...guardFaults(pair, view, call));
  return faults;
}

interface Answered {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Headers;
}
type Outcome = { readonly answer: Answered | undefined } | { readonly error: unknown };

const errorText = (_name: string, value: unknown): unknown =>
  value instanceof Error ? (value.stack ?? '') : value;

function describe(outcome: Outcome): string {
  return 'error' in outcome ? ` (${String(outcome.error)})` : '';
}

function replyOf({ answer: { status, content }, headers, value }: Call): object {
  if (content === undefined) return { status, headers };
  if (content.bodyFormat !== 'events') return { status, headers, body: value };
  const events = (async function* () {
    await Promise.resolve();
    for (const data of value as unknown[]) yield { event: 'said', data: JSON.stringify(data) };
  })();
  return { status, headers, events };
}

async function answerFaults(
  pair: Pair,
  name: string,
  { answer, headers, value }: Call,
  outcome: Outcome,
): Promise<string[]> {
  const isError = answer.status >= 400;
  if ('error' in outcome !== isError) return [`answered ${String(answer.status)}${describe(outcome)}`];
  const got = 'error' in outcome ? errorFacts(outcome.error) : outcome.answer;
  if (got === undefined) return [`no answer${describe(outcome)}`];
  const faults: string[] = [];
  if (got.status !== answer.status)
    faults.push(`status ${String(answer.status)} arrived as ${String(got.status)}`);
  for (const [header, text] of Object.entries(headers))
    if (got.headers.get(header) !== text)
      faults.push(
        `header ${header} ${JSON.stringify(text)} arrived as ${JSON.stringify(got.headers.get(header))}`,
      );
  const bodyFormat = answer.content?.bodyFormat;
  const isListed = bodyFormat === 'items' || bodyFormat === 'events';
  if (isError && bodyFormat !== 'json' && bodyFormat !== undefined) return faults;
  try {
    const data = isListed ? await itemsOf(got.data) : got.data;
    const [want, arrived] = [await plain(value), await plain(data)];
    if (want !== arrived) faults.push(`answered ${String(answer.status)} ${want}, arrived ${arrived}`);
  } catch (error) {
    faults.push(`answered ${await plain(value)}, ${String(error)}`);
  }
  if ('error' in outcome && bodyFormat === 'json') {
    const failure = pair.failures[`${name}Failure`] as
      ((error: unknown, place: unknown) => unknown) | undefined;
    const place = /^\d+$/.test(answer.place) ? Number(answer.place) : answer.place;
    if (failure !== undefined && failure(outcome.error, place) !== outcome.error)
      faults.push(`the error is not the one that is described for ${answer.place}: ${await plain(got.data)}`);
  }
  return faults;
}

function errorFacts(error: unknown): Answered | undefined {
  const { status, body, headers } = error as { status?: number; body?: unknown; headers?: Headers };
  return status === undefined || headers === undefined ? undefined : { status, data: body, headers };
}

async function itemsOf(data: unknown): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of data as AsyncIterable<unknown>)
    items.push(
      typeof item === 'object' && item !== null && 'event' in item && 'data' in item ? item.data : item,
    );
  return items;
}

/** Guards accept what the document describes. */
function guardFaults(pair: Pair, view: ApiOperation, call: Call): string[] {
  const faults: string[] = [];
  const check = (content: ApiContent | undefined, value: unknown, what: string): void => {
    const type =
      content?.bodyFormat === 'json' && typeof content.schema === 'object'
        ? referredName(content.schema['$ref'])
        : undefined;
    const guard = type === undefined ? undefined : pair.guards[`is${type}`];
    if (typeof guard === 'function' && (guard as (value: unknown) => boolean)(value) !== true)
      faults.push(`is${type ?? ''} refuses ${what} ${JSON.stringify(value)}`);
  };
  const { body, answer, value } = call;
  if (body !== undefined)
    check(
      [...(view.body === undefined ? [] : [view.body.content, ...view.body.others])].find(
        ({ mediaType }) => mediaType === body.content.mediaType,
      ),
      body.value,
      'what was sent',
    );
  if (answer.content !== undefined)
    check(
      view.responses.find(({ status }) => status === answer.place)?.contents[0],
      value,
      'what was answered',
    );
  return faults;
}
