import type { Setting } from '../judged.ts';
import { sourceOf } from '../runner.ts';
import type { Changed } from '../runner.ts';

/** A plausible misreading of a contract document, as a change of the second server. */
export interface Fault {
  readonly api: 'router' | 'registry' | 'jobs';
  /** What the server then does. */
  readonly says: string;
  readonly edits: readonly Edit[];
  /** The contract leaves this open: why. Nothing may notice it. */
  readonly open?: string;
  /** A break that the suite does not look for: why. */
  readonly unseen?: string;
  /** Where only some surfaces of the jobs can show it. */
  readonly where?: Omit<Setting, 'apis'>;
}

/** A file of the second server, a text in it, and the replacement. */
export type Edit = readonly [file: string, from: string, to: string];

/** State that a file of the server has of its own, before all else in it. */
export const stated = (file: string, code: string): Edit => [file, 'import ', `${code}\nimport `];

export const open = (because: string, fault: Fault): Fault => ({ ...fault, open: because });

export const unseen = (because: string, fault: Fault): Fault => ({ ...fault, unseen: because });

/** The files with the fault in them. Throws where the server has changed and the fault finds its place no more. */
export function changedBy({ says, edits }: Fault): Changed {
  const changed = new Map<string, string>();
  for (const [file, from, to] of edits) {
    const source = changed.get(file) ?? sourceOf(file);
    if (!source.includes(from)) throw new Error(`"${says}": ${file} has no ${from}`);
    changed.set(
      file,
      source.replace(from, () => to),
    );
  }
  return changed;
}

export function settingsFor({ api, where = {} }: Fault): readonly Setting[] {
  return [{ apis: [api], ...where }];
}
