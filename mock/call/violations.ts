import type { HeaderLine } from './answer.ts';
import type { EngineFinding } from './engine.ts';

/** What a document has against a request or an answer, in the form that clients of Prism read. */
export interface PrismViolation {
  readonly location: readonly string[];
  readonly severity: 'Error' | 'Warning';
  readonly code: string | number;
  readonly message: string;
}

/** @param side where the locations begin; they are those of the request itself where it is left out */
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

/** What is wrong with an answer and its request, as one header line of JSON; `undefined` where nothing is. */
export function violationsHeader(
  request: readonly EngineFinding[],
  response: readonly EngineFinding[],
): HeaderLine | undefined {
  const all = [...violationsOf(response, 'response'), ...violationsOf(request, 'request')];
  if (all.length === 0) return undefined;
  // Entries that do not fit are left out completely, so that the value stays JSON.
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

/** Header fields are of ASCII. */
function ascii(value: PrismViolation): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
