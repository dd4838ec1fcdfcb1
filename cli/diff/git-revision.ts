import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, sep } from 'node:path';
import { loadContract } from '../../contract/index.ts';
import type { Contract, Diagnostic, LoadOptions, LoadResult, SourceLocation } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { sheetNameOf } from '../contracts/sheet-beside.ts';

/** A file in a commit. */
export interface Revision {
  /** Any name that git accepts for a commit: a branch, a tag, `HEAD~1`. */
  readonly commit: string;
  /** From the root of the repository; with `./` from the working directory. */
  readonly path: string;
}

type World = Pick<Context, 'cwd' | 'environment'>;

/** Reads `REV:path` as git does; `undefined` for a path, for a URL and for the drive of a disk. */
export function parseRevision(text: string): Revision | undefined {
  const [, commit, path] = /^([^:]{2,}):(.+)$/s.exec(text) ?? [];
  if (commit === undefined || path === undefined || /^https?$/i.test(commit)) return undefined;
  return { commit, path };
}

/**
 * Reads a document of a commit with its sheet and all files that they refer to. Places in it are reported as
 * `REV:path`.
 *
 * @param sheet its path in the same commit; by default the one beside the document, with `false` none
 * @throws {CommandFailure} if git, the commit or the document cannot be found
 */
export async function loadRevision(
  { commit, path }: Revision,
  {
    sheet,
    ...options
  }: Pick<LoadOptions, 'allowRemote' | 'strict' | 'name'> & { readonly sheet?: string | false },
  world: World,
): Promise<LoadResult> {
  const tree = await treeOf(commit, world);
  const document = await fromRoot(path, world);
  const wanted =
    typeof sheet === 'string'
      ? await fromRoot(sheet, world)
      : sheet === false
        ? undefined
        : sheetNameOf(document);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tallystick-revision-')));
  try {
    const place = async (file: string): Promise<boolean> => {
      const bytes = await blob(`${tree}:${file}`, world);
      if (bytes === undefined) return false;
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(join(folder, file), bytes);
      return true;
    };
    if (!(await place(document))) throw notThere(commit, document, path);
    const hasSheet = wanted !== undefined && (await place(wanted));
    if (typeof sheet === 'string' && !hasSheet) throw notThere(commit, wanted ?? sheet, sheet);
    const tried = new Set<string>();
    for (;;) {
      const loaded = await loadContract({
        ...options,
        document,
        cwd: folder,
        ...(hasSheet ? { sheet: wanted } : {}),
      });
      const missing = loaded.files.filter((file) => !existsSync(file) && !tried.has(file));
      let found = false;
      for (const file of missing) {
        tried.add(file);
        const inner = relative(folder, file).split(sep).join('/');
        if (!inner.startsWith('..')) found = (await place(inner)) || found;
      }
      // References of a file are known only after it was read, so each level of references takes one more
      // round.
      if (!found || tried.size > MOST_FILES) return named(loaded, commit);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The last commits that changed something in a folder, the newest first; none if git does not track it. */
export async function commitsIn(folder: string, world: World): Promise<readonly string[]> {
  const args = ['log', `-n${String(MOST_COMMITS)}`, '--format=%H', '--', `:(literal)${folder}`];
  const listed = await git(args, world);
  if (!listed.ok) return [];
  return listed.bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** The bytes of a file in a commit. */
export async function bytesOf({ commit, path }: Revision, world: World): Promise<Buffer | undefined> {
  return blob(`${commit}:${path}`, world);
}

// --- internal ---

const MOST_FILES = 1000;
const MOST_COMMITS = 20;
const MOST_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 60_000;

async function treeOf(commit: string, world: World): Promise<string> {
  const refuse = (message: string, help: string): never => {
    throw new CommandFailure(2, message, [help]);
  };
  // Git would treat it as an option.
  if (commit.startsWith('-'))
    return refuse(`${commit} is not a git revision`, 'name a commit, a branch or a tag');
  const found = await git(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], world);
  if (found.ok) return found.bytes.toString('utf8').trim();
  if (found.reason === 'ENOENT')
    return refuse('git was not found', 'install git, or give the path of a file');
  const inside = await git(['rev-parse', '--git-dir'], world);
  if (!inside.ok)
    return refuse(
      `${commit} cannot be looked up: this folder is not in a git repository`,
      'run the command in the repository, or give the path of a file',
    );
  return refuse(
    `git does not know the revision ${commit}`,
    'check its name; in a shallow clone, fetch more commits first: git fetch --unshallow',
  );
}

/** A path from the root of the repository. */
async function fromRoot(path: string, world: World): Promise<string> {
  if (!/^\.{1,2}\//.test(path)) return posix.normalize(path);
  const prefix = await git(['rev-parse', '--show-prefix'], world);
  return posix.normalize(posix.join(prefix.ok ? prefix.bytes.toString('utf8').trim() : '', path));
}

async function blob(name: string, world: World): Promise<Buffer | undefined> {
  const found = await git(['cat-file', 'blob', name], world);
  if (found.ok) return found.bytes;
  if (found.reason !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return undefined;
  throw new CommandFailure(2, `${name} is too large: the limit is ${String(MOST_BYTES / 1024 / 1024)} MiB`, [
    'split it into several files and join them with $ref',
  ]);
}

function notThere(commit: string, file: string, path: string): CommandFailure {
  const near = path.startsWith('./')
    ? []
    : [`paths count from the root of the repository; from here: ${commit}:./${path}`];
  return new CommandFailure(2, `${commit} has no file ${file}`, ['check the path', ...near]);
}

type Ran = { readonly ok: true; readonly bytes: Buffer } | { readonly ok: false; readonly reason: string };

/** Runs git without a shell; its error messages are rewritten for users of this tool. */
function git(args: readonly string[], { cwd, environment }: World): Promise<Ran> {
  const options = {
    ...{ cwd, encoding: 'buffer' as const, maxBuffer: MOST_BYTES, timeout: PATIENCE_MS, windowsHide: true },
    env: { ...environment, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' },
  };
  return new Promise((resolve) => {
    execFile('git', [...args], options, (error, stdout) => {
      resolve(
        error === null ? { ok: true, bytes: stdout } : { ok: false, reason: String(error.code ?? 'failed') },
      );
    });
  });
}

/** The same contract, with places that name the commit. */
function named(loaded: LoadResult, commit: string): LoadResult {
  const at = (location: SourceLocation | undefined): SourceLocation | undefined =>
    location && { ...location, file: `${commit}:${location.file}` };
  if (!loaded.ok) return { ...loaded, diagnostics: loaded.diagnostics.map((each) => placed(each, at)) };
  const { document, sheet } = loaded.contract;
  const contract: Contract = {
    ...loaded.contract,
    document: {
      ...document,
      file: `${commit}:${document.file}`,
      locate: (pointer) => at(document.locate(pointer)),
    },
    sheet: sheet && {
      ...sheet,
      file: `${commit}:${sheet.file}`,
      locate: (pointer) => at(sheet.locate(pointer)),
    },
  };
  return { ...loaded, contract, warnings: loaded.warnings.map((each) => placed(each, at)) };
}

function placed(
  { location, ...diagnostic }: Diagnostic,
  at: (location: SourceLocation | undefined) => SourceLocation | undefined,
): Diagnostic {
  const moved = at(location);
  return moved === undefined ? diagnostic : { ...diagnostic, location: moved };
}
