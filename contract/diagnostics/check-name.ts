import type { DiagnosticCode } from './diagnostic-codes.ts';
import { suggest } from './suggest.ts';

/** Reports a problem at a pointer into a sheet. */
export type Tell = (code: DiagnosticCode, pointer: string, message: string, help?: string) => void;

/** Reports a name that is not among the known ones, with the one that was probably meant. */
export function checkName(
  tell: Tell,
  code: DiagnosticCode,
  { noun, of }: { readonly noun: string; readonly of?: string },
  { name, pointer }: { readonly name: string; readonly pointer: string },
  known: readonly string[],
): void {
  if (known.includes(name)) return;
  const meant = suggest(name, known);
  const shown = known.length === 0 ? `no ${noun} is defined` : `known: ${known.slice(0, 20).join(', ')}`;
  tell(
    code,
    pointer,
    `unknown ${noun} ${JSON.stringify(name)}${of === undefined ? '' : ` of ${of}`}`,
    meant === undefined ? shown : `did you mean ${meant}?`,
  );
}
