import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ParsedText } from './text/parsed-text.ts';
import { isRecord } from './record.ts';

/** A file of `specs/`, as read by the build. */
interface BuiltSpec {
  /** Hash of the text, in hexadecimal. */
  readonly sha256: string;
  readonly value: unknown;
  /** Offsets of the elements of lists at the top level, by `list/index`: reports name the place of each rule. */
  readonly offsets: Readonly<Record<string, number | undefined>>;
}

/**
 * What the build read from a file of `specs/`. Parsing YAML takes a quarter of the mock's start-up time, so the
 * build does it once. `undefined` if the text differs from what the build read, or if the code runs from its
 * sources.
 *
 * @param file as the caller named it
 */
export function builtSpec(file: string, text: string): Pick<BuiltSpec, 'value' | 'offsets'> | undefined {
  const name = SPEC.exec(file)?.[1];
  if (name === undefined) return undefined;
  const place = placeOf(name, import.meta.url);
  if (!existsSync(place)) return undefined;
  const built = JSON.parse(readFileSync(place, 'utf8')) as BuiltSpec;
  return built.sha256 === sha256(text) ? built : undefined;
}

/** Stores the parsed files, for a build whose modules are in folders beside the one of the module at `base`. */
export function buildSpec(
  file: string,
  text: string,
  { value, offsetOf }: Extract<ParsedText, { ok: true }>,
  base: string,
): void {
  const name = SPEC.exec(file)?.[1];
  if (name === undefined) throw new Error(`${file} is not a file of specs/`);
  const elements = Object.entries(isRecord(value) ? value : {}).flatMap(([key, list]) =>
    Array.isArray(list) ? list.map((_, index) => [key, String(index)] as const) : [],
  );
  const offsets = Object.fromEntries(elements.map((path) => [path.join('/'), offsetOf(path)]));
  const built: BuiltSpec = { sha256: sha256(text), value, offsets };
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
