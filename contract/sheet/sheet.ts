import { createHash } from 'node:crypto';
import { validatorOf } from '../built-validators.ts';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import { fixedSchemas } from '../judge/fixed-schemas.ts';
import { locateNear } from '../text/locate.ts';
import type { BehaviourSheet, Diagnostic } from '../model.ts';
import { parseFile, type SourceFile } from '../text/parse.ts';
import { readText } from '../text/read.ts';
import { findingsFrom, isAboutName } from '../schemas/schema-findings.ts';

export type LoadedSheet =
  | { readonly ok: true; readonly sheet: BehaviourSheet }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a behaviour sheet and validates it by `specs/behaviour.schema.json`. Its agreement with the document
 * is checked elsewhere.
 *
 * @param file the name that the user gave
 * @param options.trusted skips the validation: our own sheets are validated by our tests
 * @param options.onText receives the text, also of a broken sheet
 */
export async function loadSheet(
  path: string,
  file: string,
  options: { readonly trusted?: boolean; readonly onText?: (file: string, text: string) => void } = {},
): Promise<LoadedSheet> {
  const read = await readText(path, file);
  if (!read.ok) return { ok: false, diagnostics: [read.diagnostic] };
  options.onText?.(file, read.text);
  const parsed = parseFile(file, read.text, {
    help: 'a behaviour sheet begins with a line such as `api: rooms`: `sheet draft my.yaml` writes one',
  });
  if (!parsed.ok) return parsed;
  const { source } = parsed;
  const diagnostics = options.trusted === true ? [] : (otherFile(source) ?? (await judge(source)));
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const content = source.value as unknown as Omit<BehaviourSheet, 'file' | 'hash' | 'locate'>;
  const hash = `sha256:${createHash('sha256').update(read.bytes).digest('hex')}`;
  return { ok: true, sheet: { ...content, file, hash, locate: source.locate } };
}

// --- internal ---

/** An OpenAPI document where a sheet is expected. */
function otherFile({ file, value, locate }: SourceFile): Diagnostic[] | undefined {
  const [version] = ['openapi', 'swagger'].filter((name) => Object.hasOwn(value, name));
  if (version === undefined || Object.hasOwn(value, 'policies')) return undefined;
  return [
    problem('sheet-invalid', `${file} is an OpenAPI document, not a behaviour sheet`, {
      location: locate(`/${version}`, 'name'),
      help: 'name its behaviour sheet; `sheet draft` writes one',
    }),
  ];
}

/** Validates a sheet and fills in the defaults of the schema. */
async function judge({ value, locate }: SourceFile): Promise<Diagnostic[]> {
  const validate = await validatorOf('behaviour sheet');
  if (validate(value)) return [];
  const schema = await fixedSchemas['behaviour sheet'].schema();
  const known = (): readonly string[] => membersOf(schema);
  return findingsFrom(validate.errors ?? [], value, { known }).map((finding) => {
    const { pointer, keyword, message, help } = finding;
    const isKind = keyword === 'enum' && /^\/policies\/\d+\/kind$/.test(pointer);
    const code = isKind ? 'sheet-policy-unknown' : 'sheet-invalid';
    const location = locateNear(locate, pointer, isAboutName(finding) ? 'name' : undefined);
    const isDuration = keyword === 'pattern' && /\/(?:window|default)$/.test(pointer);
    return isDuration
      ? problem(code, `${pointer.split('/').at(-1) ?? ''} is not a duration (ISO 8601)`, {
          pointer,
          help: 'write a duration such as PT30S, PT24H or P1D',
          location,
        })
      : problem(code, message, { pointer, help, location });
  });
}

/** Every member name in the schema: the candidates for a misspelt member. */
function membersOf(schema: unknown): string[] {
  const names = new Set<string>();
  const waiting = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [keyword, value] of Object.entries(next)) {
      if (keyword === 'properties' && typeof value === 'object' && value !== null) {
        for (const name of Object.keys(value as object)) names.add(name);
      }
      waiting.push(value);
    }
  }
  return [...names];
}
