import type { HeaderLine } from './answer.ts';
import type { EngineFinding } from './engine.ts';

/** Violations of a document in a request or an answer, in the form that clients of Prism read. */
export interface PrismViolation {
  readonly location: readonly string[];
  readonly severity: 'Error' | 'Warning';
  readonly code: string | number;
  readonly message: string;
}

/** @param side the prefix of the locations; if left out, the locations are relative to the request itself */
export function violationsOf(
  findings: readonly EngineFinding[],
  side?: 'request' | 'response',
): readonly PrismViolation[] {
  const outer = side === undefined ? [] : [side];
  return findings.map(({ at, keyword, message, severity }) => ({
    location: at === 'security' ? outer : [...outer, ...at.split('.')],
    severity: severity === undefined ? 'Error' : 'Warning',
    code: at === 'security' ? 401 : keyword,
    message,
  }));
}

/** The violations in an answer and its request, as one header line of JSON; `undefined` if there are none. */
export function violationsHeader(
  request: readonly EngineFinding[],
  response: readonly EngineFinding[],
): HeaderLine | undefined {
  const all = [...violationsOf(response, 'response'), ...violationsOf(request, 'request')];
  if (all.length === 0) return undefined;
  // Entries beyond the limit are left out completely, so that the value stays valid JSON.
  let text = '';
  for (const each of all.map(ascii)) {
    const next = text === '' ? each : `${text},${each}`;
    if (next.length > LONGEST) break;
    text = next;
  }
  return ['Sl-Violations', `[${text}]`];
}

// --- internal ---

const LONGEST = 4_000;

/** Header fields are limited to ASCII. */
function ascii(value: PrismViolation): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
