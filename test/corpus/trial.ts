/**
 * Imports the client that was generated for a document and calls it on the mock that serves the same document. Runs in
 * a process of its own: `trial.ts DOCUMENT FOLDER OPERATIONS`. Tells its parent how the calls ended.
 */
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { pathToFileURL } from 'node:url';
import { loadContract, type Operation } from '../../contract/index.ts';
import { handlersOf } from '../../generator/index.ts';
import { sendable } from '../../generator/only.ts';
import { referredName } from '../../generator/schemas/table-entry.ts';
import { type ApiView, apiOf, type ApiOperation } from '../../generator/views/api.ts';
import { createMock } from '../../mock/index.ts';
import { sampleInput } from './samples.ts';

/** How the calls of one client ended. */
export interface Trial {
  readonly results: number;
  /** Answers that are errors, told as such. */
  readonly refusals: number;
  /** What a client must never do: how, call by call. */
  readonly faults: readonly string[];
}

type Generated = Readonly<Record<string, unknown>>;
type Callable = (...values: readonly unknown[]) => unknown;

const [document = '', folder = '', count = '20'] = process.argv.slice(2);
const trial = await tried(document, folder, Number(count)).catch((error: unknown): Trial => ({
  results: 0,
  refusals: 0,
  faults: [told('before any call', error)],
}));
// What a client left open must not hold up the run.
process.send?.(trial, () => process.exit());

// --- internal ---

async function tried(file: string, generated: string, most: number): Promise<Trial> {
  const loaded = await loadContract({ document: file, name: 'sample' });
  if (!loaded.ok) throw new Error('the document became code and is no contract');
  const { contract } = loaded;
  const module = (await import(pathToFileURL(`${generated}/index.ts`).href)) as Generated;
  const guards = (await import(pathToFileURL(`${generated}/validators.ts`).href)) as Generated;
  const { createSample: create, ApiError } = module;
  if (typeof create !== 'function' || typeof ApiError !== 'function')
    throw new Error('no client is exported');
  const mock = createMock({ contracts: [contract] });
  await mock.ready();

  const [{ operations: named } = { operations: [] }] = handlersOf([contract], () => '');
  const read = apiOf(sendable(contract), []);
  const judge = judgeOf(read);
  const calls = read.operations.map((api, index) => ({ api, name: named[index]?.name ?? '' }));
  const client = (create as Callable)({
    baseUrl: mock.url,
    credentials: credentialsOf(contract.operations),
    fetch: mock.fetch,
    retries: 0,
    timeoutMs: 10_000,
  }) as Generated;
  const faults: string[] = [];
  let results = 0;
  let refusals = 0;
  for (const { api, name } of spread(calls, most)) {
    const call = client[name];
    if (typeof call !== 'function') {
      faults.push(`${name}: the client has no such function`);
      continue;
    }
    try {
      const takesInput = api.parameters.length > 0 || api.body !== undefined;
      const input = takesInput ? [sampleInput(contract.document.root, api)] : [];
      const { data, status } = (await (call as Callable)(...input)) as { data: unknown; status: number };
      // A stream is not read to its end.
      if (data instanceof ReadableStream) await data.cancel();
      results += 1;
      const type = typeOf(api, status);
      const guard = type === undefined ? undefined : guards[`is${type}`];
      if (type !== undefined && typeof guard === 'function' && guard(data) !== judge(type, data))
        faults.push(`${name}: our validators and ajv disagree about an answer`);
    } catch (error) {
      // An answer that cannot be read is an error of this kind, too, and no refusal.
      if (error instanceof ApiError) refusals += 1;
      else faults.push(told(name, error));
    }
  }
  mock.close();
  return { results, refusals, faults };
}

/** The type of an answer's body, where the document describes one of JSON under this status. */
function typeOf({ responses }: ApiOperation, status: number): string | undefined {
  const contents = responses.find((response) => response.status === String(status))?.contents ?? [];
  const [content] = contents;
  if (contents.length !== 1 || content?.bodyFormat !== 'json' || typeof content.schema !== 'object')
    return undefined;
  return referredName(content.schema['$ref']);
}

/** What ajv says of a value of a type: examples of a document, and what is made from a schema, can well be wrong. */
function judgeOf({ table }: ApiView): (type: string, value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  addFormats.default(ajv);
  const schemas = Object.fromEntries(table.entries.map(({ name, schema }) => [name, schema]));
  ajv.addSchema({ components: { schemas } }, 'document');
  return (type, value) => ajv.validate({ $ref: `document#/components/schemas/${type}` }, value) === true;
}

/** Some secret for each scheme. */
function credentialsOf(operations: readonly Operation[]): Readonly<Record<string, string>> {
  const schemes = operations.flatMap(({ security }) => security.flatMap((each) => each.schemes));
  return Object.fromEntries(
    schemes.map(({ name, scheme }) => [
      name,
      scheme === undefined || /^(?:basic|bearer)$/i.test(scheme) ? 'user:password' : `${scheme} secret`,
    ]),
  );
}

/** So many of them, from the whole of the list. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  return Array.from(
    { length: Math.min(most, items.length) },
    (_, index) => items[Math.floor(index * step)],
  ).filter((item) => item !== undefined);
}

function told(where: string, error: unknown): string {
  if (!(error instanceof Error)) return `${where}: ${String(error)}`;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${where}: ${error.name}: ${error.message.split('\n')[0] ?? ''}${cause}`;
}
