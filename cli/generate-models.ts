import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findPolicy, loadContract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { ModelDocument } from '../generator/index.ts';
import type { Context } from './context.ts';
import { sayDiagnostics } from './diagnostics.ts';
import { Failure } from './failure.ts';
import type { GenerateOptions } from './generate-options.ts';

/** The longest document that is read, and the longest wait for it. */
const MOST_CHARACTERS = 4_000_000;
const PATIENCE_MS = 30_000;

/**
 * The documents of the models that are asked for: from their server where `--from` says so, spared the body where the
 * kept one is current; else those that an earlier run has kept. `--check` asks no server.
 *
 * @throws {Failure} for a model that cannot be had, and where no API of these runs models
 */
export async function loadModels(
  contracts: readonly Contract[],
  options: GenerateOptions,
  context: Context,
): Promise<readonly ModelDocument[]> {
  const ids = [...new Set(options.models ?? [])].sort();
  if (ids.length === 0) return [];
  const { MANIFEST_PATH, modelPath, parseManifest, runsModels } = await import('../generator/index.ts');
  const contract = contracts.find(runsModels);
  if (contract === undefined)
    throw new Failure(2, 'none of these APIs runs models', ['--model goes with the router']);
  const out = resolve(context.cwd, options.out);
  const kept = parseManifest(await textAt(join(out, MANIFEST_PATH)))?.models ?? {};
  const documents: ModelDocument[] = [];
  for (const id of ids) {
    const { path, form } = modelPath(contract, id);
    if (path === undefined) throw new Failure(2, `${id} is no model id: they look like ${form}`);
    const folder = Object.hasOwn(kept, id) ? kept[id]?.folder : undefined;
    const known = folder === undefined ? '' : await textAt(join(out, folder, 'openapi.json'));
    const held = known === '' ? undefined : { text: known, etag: kept[id]?.etag };
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

function requireHeld(held: Held | undefined, id: string, { check, commandLine }: GenerateOptions): Held {
  if (held !== undefined) return held;
  throw new Failure(check === true ? 1 : 2, `the document of ${id} is not kept in the output`, [
    `fetch it: ${commandLine} --from <address of the router>`,
  ]);
}

async function fetchDocument(
  { from, path, id }: { readonly from: string; readonly path: string; readonly id: string },
  contract: Contract,
  held: Held | undefined,
  { environment }: Context,
): Promise<Held> {
  if (!/^https?:\/\/[^/?#@\\]+(?:\/[^?#]*)?$/i.test(from))
    throw new Failure(2, '--from needs an http(s) address without password, query and fragment');
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
  const url = from.replace(/\/+$/, '') + path;
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    response = await fetch(url, { headers, redirect: 'manual', signal });
    text = await response.text();
  } catch (cause) {
    throw new Failure(3, `${from} cannot be reached for the document of ${id}`, ['nothing was changed'], {
      cause,
    });
  }
  if (response.status === 304 && held !== undefined) return held;
  if (response.status !== 200 || text.length > MOST_CHARACTERS)
    throw new Failure(
      3,
      `${from} answered ${String(response.status)} for the document of ${id}`,
      response.status === 401 ? ['set TALLYSTICK_API_KEY or TALLYSTICK_BEARER'] : ['nothing was changed'],
    );
  return { text, etag: response.headers.get('etag') ?? undefined };
}

/** As any other document is read: what a server gives is no more to be trusted than a file. */
async function read(id: string, text: string, context: Context): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-model-'));
  try {
    await writeFile(join(folder, 'openapi.json'), text);
    const loaded = await loadContract({ document: 'openapi.json', cwd: folder, name: 'model' });
    if (loaded.ok) return loaded.contract;
    sayDiagnostics(loaded.diagnostics, context);
    throw new Failure(2, `the document of ${id} cannot be used`, ['nothing was changed']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function textAt(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
