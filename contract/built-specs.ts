import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** A file of `specs/`, as read by the build. */
interface BuiltSpec {
  /** Hash of the text, in hexadecimal. */
  readonly sha256: string;
  readonly value: unknown;
}

/**
 * The value that the build read from a file of `specs/`. Parsing YAML takes a quarter of the mock's start-up
 * time, so the build does it once. `undefined` if the text differs from what the build read, or if the code
 * runs from its sources.
 *
 * @param file as the caller named it
 */
export function builtSpec(file: string, text: string): Pick<BuiltSpec, 'value'> | undefined {
  const name = SPEC.exec(file)?.[1];
  if (name === undefined) return undefined;
  const place = placeOf(name, import.meta.url);
  if (!existsSync(place)) return undefined;
  const built = JSON.parse(readFileSync(place, 'utf8')) as BuiltSpec;
  return built.sha256 === sha256(text) ? built : undefined;
}

/** Stores the parsed files, for a build whose modules are in folders beside the one of the module at `base`. */
export function buildSpec(file: string, text: string, value: unknown, base: string): void {
  const name = SPEC.exec(file)?.[1];
  if (name === undefined) throw new Error(`${file} is not a file of specs/`);
  const built: BuiltSpec = { sha256: sha256(text), value };
  mkdirSync(new URL('../contract/specs/', base), { recursive: true });
  writeFileSync(placeOf(name, base), JSON.stringify(built));
}

// --- internal ---

const SPEC = /^specs\/(\w+\.(?:openapi|behaviour))\.yaml$/;

function placeOf(name: string, base: string): URL {
  return new URL(`../contract/specs/${name}.json`, base);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
