import { resolve } from 'node:path';
import type { Fixtures } from '../conformance/index.ts';
import { readBounded } from './bounded-file.ts';
import type { Context } from './context.ts';
import { sayDiagnostics } from './diagnostics.ts';
import { Failure } from './failure.ts';

/** @throws {Failure} when the file is missing or wrong; each fault has been told by then */
export async function readFixturesFile(file: string, context: Context): Promise<Fixtures> {
  const { readFixtures } = await import('../conformance/index.ts');
  const text = await readBounded(resolve(context.cwd, file), file, MOST_BYTES).catch((cause: unknown) => {
    if (cause instanceof Failure) throw cause;
    throw new Failure(
      2,
      `The fixtures file ${file} cannot be read`,
      ['start from: tallystick fixtures --template'],
      { cause },
    );
  });
  const read = readFixtures(text, context.environment, file);
  if (read.ok) return read.fixtures;
  sayDiagnostics(read.diagnostics, context);
  throw new Failure(2, `${file} cannot be used as a fixtures file`, ['nothing was sent']);
}

// --- internal ---

/** Inputs may hold whole images. */
const MOST_BYTES = 64 * 1024 * 1024;
