import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** A file of `specs/`, as the build read it. */
interface BuiltSpec {
  /** Of the text, in hexadecimal. */
  readonly sha256: string;
  readonly value: unknown;
}

/**
 * What the build has read of a file of `specs/`: reading YAML takes a quarter of the time until the mock is ready. `undefined` for a
 * text that the build has not read, and beside the sources, where nothing is built.
 *
 * @param file as somebody named it
 */
export function builtSpec(file: string, text: string): Pick<BuiltSpec, 'value'> | undefined {
  const name = SPEC.exec(file)?.[1];
  if (name === undefined) return undefined;
  const place = placeOf(name, import.meta.url);
  if (!existsSync(place)) return undefined;
  const built = JSON.parse(readFileSync(place, 'utf8')) as BuiltSpec;
  return built.sha256 === sha256(text) ? built : undefined;
}

/** Keeps what was read, for a build in the folder of the module at `base`. */
export function buildSpec(file: string, text: string, value: unknown, base: string): void {
  const name = SPEC.exec(file)?.[1];
  if (name === undefined) throw new Error(`${file} is not a file of specs/`);
  const built: BuiltSpec = { sha256: sha256(text), value };
  mkdirSync(new URL('specs/', base), { recursive: true });
  writeFileSync(placeOf(name, base), JSON.stringify(built));
}

// --- internal ---

const SPEC = /^specs\/(\w+\.(?:openapi|behaviour))\.yaml$/;

function placeOf(name: string, base: string): URL {
  return new URL(`specs/${name}.json`, base);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
