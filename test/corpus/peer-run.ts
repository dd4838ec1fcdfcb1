import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundler, compile } from './compile.ts';
import type { Peer } from './peers.ts';
import { run } from './timed-process.ts';

/** What became of one document with a peer. */
export interface PeerOutcome {
  readonly kind: 'accepted' | 'refused' | 'timeout';
  readonly seconds: number;
  /** `timeout` where the compiler was not done in time, which says nothing of the code. */
  readonly errors: number | 'timeout';
}

/** No peer may take longer, and no compiler with what it writes. */
const LIMIT_MS = 120_000;

/**
 * Runs the command of a peer on a document, in a process of its own, and compiles what came of it as strictly as ours.
 *
 * @param tsc the script of a compiler
 */
export async function runPeer({ command }: Peer, file: string, tsc: string): Promise<PeerOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-peer-'));
  try {
    const out = join(folder, 'api');
    mkdirSync(out);
    const [script, ...args] = command(file, out);
    const { code, seconds, timedOut } = await run(LIMIT_MS, script, args, folder);
    if (timedOut) return { kind: 'timeout', seconds, errors: 0 };
    if (code !== 0 || !hasCode(out)) return { kind: 'refused', seconds, errors: 0 };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const errors = await compile(folder, tsc, bundler, { exclude: [], compilerOptions: {} }, LIMIT_MS);
    return { kind: 'accepted', seconds, errors };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

function hasCode(folder: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.ts'));
}
