import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findPolicy, loadContract } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Manifest, ModelDocument } from '../../generator/index.ts';
import type { Context } from '../context.ts';
import { printDiagnostics } from '../diagnostics.ts';
import { CommandFailure } from '../failure.ts';
import type { GenerateTask } from './options.ts';

/** The longest document that is read, in bytes after decompression, and the time limit for all of it. */
const MOST_BYTES = 4_000_000;
const PATIENCE_MS = 30_000;

/**
 * The documents of the requested models, and of the models that the output has already. With `--from`, they are
 * fetched from the server, without the body if the saved one is current; otherwise, the ones that an earlier run
 * saved are used. `--check` sends no requests. With `--prune`, only the requested models stay.
 *
 * @throws {CommandFailure} for a model without a document, and if no API of this run has models
 */
export async function loadModels(
  contracts: readonly Contract[],
  earlier: Manifest | undefined,
  options: GenerateTask,
  context: Context,
): Promise<readonly ModelDocument[]> {
  const { modelPath, readInside, runsModels } = await import('../../generator/index.ts');
  const contract = contracts.find(runsModels);
  const kept = earlier?.models ?? {};
  if (contract === undefined) {
    if ((options.models ?? []).length === 0) return [];
    throw new CommandFailure(2, 'None of these APIs has models', [
      'use --model with a contract whose sheet has the policy model-schemas',
    ]);
  }
  const ids = [
    ...new Set([...(options.models ?? []), ...(options.prune === true ? [] : Object.keys(kept))]),
  ].sort();
  const out = resolve(context.cwd, options.out);
  const documents: ModelDocument[] = [];
  for (const id of ids) {
    const { path, form } = modelPath(contract, id);
    if (path === undefined) throw new CommandFailure(2, `${id} is not a model id: they look like ${form}`);
    const folder = Object.hasOwn(kept, id) ? kept[id]?.folder : undefined;
    const known = folder === undefined ? undefined : await readInside(out, `${folder}/openapi.json`);
    const held = known === undefined ? undefined : { text: known, etag: kept[id]?.etag };
    const { text, etag } =
      options.from === undefined || options.check === true
        ? requireHeld(held, id, options)
        : await fetchDocument({ from: options.from, path, id }, contract, held, context);
    documents.push({ id, text, etag, contract: await read(id, text, context) });
  }
  return documents;
}

// --- internal ---

interface Held {
  readonly text: string;
  readonly etag: string | undefined;
}

function requireHeld(held: Held | undefined, id: string, { check, commandLine }: GenerateTask): Held {
  if (held !== undefined) return held;
  throw new CommandFailure(check === true ? 1 : 2, `the schema of ${id} is not in the output yet`, [
    `fetch it from a server: ${commandLine} --from https://api.example.com`,
    'that address is an example: give the address of your server, or of a mock',
  ]);
}

async function fetchDocument(
  { from, path, id }: { readonly from: string; readonly path: string; readonly id: string },
  contract: Contract,
  held: Held | undefined,
  { environment }: Context,
): Promise<Held> {
  if (!/^https?:\/\/[^/?#@\\]+(?:\/[^?#]*)?$/i.test(from))
    throw new CommandFailure(2, '--from needs an http(s) address without a password, query or fragment');
  const keyHeader = findPolicy(contract, 'credentials')?.keyHeader;
  const { TALLYSTICK_API_KEY: key, TALLYSTICK_BEARER: bearer } = environment;
  const headers = {
    accept: 'application/json',
    ...(held?.etag === undefined ? {} : { 'if-none-match': held.etag }),
    ...(key !== undefined && keyHeader !== undefined
      ? { [keyHeader]: key }
      : bearer === undefined
        ? {}
        : { authorization: `Bearer ${bearer}` }),
  };
  const url = from.replace(/(?<!\/)\/+$/, '') + path;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const failed = (message: string, help: readonly string[] = [], cause?: unknown): CommandFailure =>
    new CommandFailure(3, message, [...help, 'nothing was changed'], { cause });
  let response: Response;
  let text: string | undefined;
  try {
    response = await fetch(url, { headers, redirect: 'manual', signal });
    if (response.status === 200) text = await boundedText(response);
    else await response.body?.cancel();
  } catch (cause) {
    throw signal.aborted
      ? failed(
          `${from} did not send the whole schema of ${id} within ${String(PATIENCE_MS / 1000)} s`,
          [],
          cause,
        )
      : failed(`${from} cannot be reached for the schema of ${id}`, [], cause);
  }
  if (response.status === 304 && held !== undefined) return held;
  if (response.status !== 200)
    throw failed(
      `${from} answered ${String(response.status)} for the schema of ${id}`,
      response.status === 401 ? ['set TALLYSTICK_API_KEY or TALLYSTICK_BEARER'] : [],
    );
  if (text === undefined)
    throw failed(`${from} sent more than ${String(MOST_BYTES / 1_000_000)} MB as the schema of ${id}`);
  return { text, etag: response.headers.get('etag') ?? undefined };
}

/** Read like any other document: the answer of a server is as untrusted as a file. */
async function read(id: string, text: string, context: Context): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-model-'));
  try {
    await writeFile(join(folder, 'openapi.json'), text);
    const loaded = await loadContract({ document: 'openapi.json', cwd: folder, name: 'model' });
    if (loaded.ok) return loaded.contract;
    printDiagnostics(loaded.diagnostics, context);
    throw new CommandFailure(2, `the schema of ${id} cannot be used`, ['nothing was changed']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text of an answer; `undefined` if it exceeds the limit. It reads no more than that. */
async function boundedText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop ends the download.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
