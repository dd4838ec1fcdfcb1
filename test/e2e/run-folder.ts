import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run alone: what its test files share. */
    readonly runFolder: string;
  }
}

/** Vitest calls it before the first test file, and what it returns after the last. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'tallystick-run-'));
  provide('runFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
