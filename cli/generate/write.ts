import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shownPlace } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Kept, Manifest, Unsendable, WriteResult } from '../../generator/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { loadModels } from './models.ts';
import type { GenerateTask } from './options.ts';

/** What a run of `tallystick generate` did. */
export interface GenerateOutcome {
  readonly result: WriteResult;
  /** The generated APIs, with only the chosen operations. */
  readonly generated: readonly Contract[];
  readonly kept: Kept;
  /** Folders of APIs that are removed. */
  readonly dropped: readonly string[];
  /** The sources of the folder's previous content. */
  readonly earlier: Manifest | undefined;
}

/** Generates and writes. Concurrent runs for one folder write one after the other. */
export async function write(
  contracts: readonly Contract[],
  options: GenerateTask,
  context: Context,
): Promise<GenerateOutcome> {
  const { BusyError, RenderError, UnknownOperationError, WriteError } =
    await import('../../generator/index.ts');
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    try {
      return await writeOnce(contracts, options, context);
    } catch (error) {
      if (error instanceof BusyError && Date.now() < until) continue;
      const isTheirs = [WriteError, RenderError, UnknownOperationError].some((kind) => error instanceof kind);
      if (!isTheirs) throw error;
      throw new CommandFailure(2, (error as Error).message, ['nothing was changed'], { cause: error });
    }
  }
}

// --- internal ---

/** How long a run waits for another one that writes to the same folder. */
const PATIENCE_MS = 30_000;

async function writeOnce(
  contracts: readonly Contract[],
  options: GenerateTask,
  context: Context,
): Promise<GenerateOutcome> {
  const { folderName, generate, keptOf, MANIFEST_PATH, NOTHING_KEPT, parseManifest, readInside } =
    await import('../../generator/index.ts');
  const { unsendable, withOnly, writeGenerated } = await import('../../generator/index.ts');
  const out = resolve(context.cwd, options.out);
  const { only, except } = options;
  const isNarrow = only !== undefined || except !== undefined;
  const wanted = isNarrow ? withOnly(contracts, { only, except }) : contracts;
  const beside = await readInside(out, MANIFEST_PATH);
  const earlier = parseManifest(beside ?? '');
  const folders = wanted.map(({ name }) => folderName(name));
  const others = keptOf(earlier, folders);
  const kept = options.prune === true ? NOTHING_KEPT : others;
  await requireSameExtension(kept, options, out);
  for (const contract of wanted) sayLeftOut(contract, unsendable(contract), context);
  const models = await loadModels(wanted, earlier, options, context);
  const files = await generate(wanted, {
    ...{ models, kept, importExtension: options.importExtension },
    server: options.server === true || options.handlers !== undefined,
    withoutValidators: options.without === 'validators',
    typesOnly: options.typesOnly === true,
    query: options.query === true,
    ...(options.templates === undefined ? {} : { templates: resolve(context.cwd, options.templates) }),
  });
  // A write that has begun is completed: a signal waits for that.
  const forget = context.onSignal(() => {
    context.exit(130);
  });
  const result = await writeGenerated(files, {
    ...{ out, beside },
    check: options.check === true || options.dryRun === true,
    overwrite: (options.overwrite ?? []).map((path) => withoutFolder(path, options.out)),
  }).finally(forget);
  return {
    result,
    generated: wanted,
    kept,
    dropped: options.prune === true ? Object.keys(others.contracts) : [],
    earlier,
  };
}

/** Reports the omitted operations and bodies, with their places. */
function sayLeftOut(
  { document }: Contract,
  left: readonly Unsendable[],
  { terminal: { say, sign } }: Context,
): void {
  for (const { operation, what } of left) {
    const { id, path, pointer, method } = operation;
    const place = document.locate(pointer);
    const where = place === undefined ? '' : `  (${shownPlace(place)})`;
    const request = `${method.toUpperCase()} ${path}`;
    say(
      what === 'operation'
        ? `${sign.warning} ${id} is left out: no client can send ${request}${where}`
        : `${sign.warning} the body of ${id} is left out: fetch sends no body with ${request}${where}`,
    );
  }
}

/** One runtime serves all APIs of a folder, and its modules import each other by one extension. */
async function requireSameExtension(kept: Kept, options: GenerateTask, out: string): Promise<void> {
  const { readInside } = await import('../../generator/index.ts');
  for (const folder of Object.keys(kept.contracts)) {
    const index = (await readInside(out, `${folder}/index.ts`)) ?? '';
    const extension = /\bfrom '\.[^']*\.(js|ts)';/.exec(index)?.[1] ?? options.importExtension;
    if (extension === options.importExtension) continue;
    throw new CommandFailure(
      2,
      `${folder} in ${options.out} imports with .${extension}, this run would write .${options.importExtension}`,
      [
        `they share one runtime: add --import-extension ${extension}, or generate all of them together`,
        'nothing was changed',
      ],
    );
  }
}

function withoutFolder(path: string, out: string): string {
  const folder = `${out.replace(/(?<![\\/])[\\/]+$/, '')}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}
