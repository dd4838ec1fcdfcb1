import type { HeaderLine } from './answer.ts';
import type { EngineFinding } from './engine.ts';

/** What is wrong with a request and its answer, as one header line of JSON; `undefined` where nothing is. */
export function violationsHeader(
  request: readonly EngineFinding[],
  response: readonly EngineFinding[],
): HeaderLine | undefined {
  const all = [
    ...request.map((finding) => violation('request', finding)),
    ...response.map((finding) => violation('response', finding)),
  ];
  if (all.length === 0) return undefined;
  // What does not fit is left out as a whole, so that the value stays JSON.
  let text = '';
  for (const each of all) {
    const next = text === '' ? each : `${text},${each}`;
    if (next.length > LONGEST) break;
    text = next;
  }
  return ['Sl-Violations', `[${text}]`];
}

// --- internal ---

const LONGEST = 4_000;

function violation(side: string, { at, keyword, message, severity }: EngineFinding): string {
  const code = at === 'security' ? 401 : keyword;
  const location = at === 'security' ? [side] : [side, ...at.split('.')];
  const value = { location, severity: severity === undefined ? 'Error' : 'Warning', code, message };
  // Header fields are of ASCII.
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
