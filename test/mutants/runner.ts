import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import type { Judged, Setting } from './judged.ts';

/** What became of a server: judged, or dead or hanging in the middle of the run. */
export type Outcome = Judged | { readonly failed: string };

const folder = fileURLToPath(new URL('../fixtures/second-server/', import.meta.url));

export const sourceOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** Files of the second server with other contents, by name. */
export type Changed = ReadonlyMap<string, string>;

/** Starts changed servers one after the other, and lets the suite judge them, in a process of their own. */
export class Runner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  #child: ChildProcess | undefined;
  #count = 0;

  /** @param changed without it, the server as it is */
  async judge(setting: Setting, changed: Changed = new Map()): Promise<Outcome> {
    const bundle = join(this.#folder, `${(this.#count += 1)}.mjs`);
    await build({
      entryPoints: [join(folder, 'index.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bundle,
      logLevel: 'silent',
      plugins: [replacing(changed)],
    });
    const child = this.#child ?? this.#start();
    return new Promise((resolve) => {
      const end = (outcome: Outcome, isOver: boolean): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (isOver) {
          child.kill('SIGKILL');
          this.#child = undefined;
        }
        resolve(outcome);
      };
      const timer = setTimeout(
        () => end({ failed: `no verdict after ${LIMIT_MS / 1000} s` }, true),
        LIMIT_MS,
      );
      child.once('message', (outcome: Outcome) => end(outcome, 'failed' in outcome));
      child.once('exit', (code) => end({ failed: `the process ended with ${code ?? 'a signal'}` }, true));
      child.send({ bundle, setting });
    });
  }

  close(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #start(): ChildProcess {
    const file = fileURLToPath(new URL('judge-child.ts', import.meta.url));
    const child = fork(file, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    if (child.pid !== undefined) setPriority(child.pid, 10);
    this.#child = child;
    return child;
  }
}

// --- internal ---

/** For one server and one setting. */
const LIMIT_MS = 200_000;

function replacing(changed: Changed): Plugin {
  return {
    name: 'changed',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = changed.get(relative(folder, path));
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      });
    },
  };
}
