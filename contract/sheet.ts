import { createHash } from 'node:crypto';
import type { Diagnostic, BehaviourSheet } from './model.ts';
import { parseFile, type SourceFile } from './parse.ts';
import { readText } from './read.ts';

export type LoadedSheet =
  | { readonly ok: true; readonly sheet: BehaviourSheet; readonly source: SourceFile }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads a behaviour sheet. Whether it fits a document is checked where both are known. */
export async function loadSheet(path: string, file: string): Promise<LoadedSheet> {
  const read = await readText(path, file);
  if (!read.ok) return { ok: false, diagnostics: [read.diagnostic] };
  const parsed = await parseFile(file, read.text);
  if (!parsed.ok) return parsed;
  const { source } = parsed;
  const raw = source.value as unknown as Omit<BehaviourSheet, 'file' | 'hash' | 'locate'>;
  const hash = `sha256:${createHash('sha256').update(read.bytes).digest('hex')}`;
  return { ok: true, source, sheet: { ...raw, file, hash, locate: source.locate } };
}
