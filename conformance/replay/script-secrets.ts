import { placeholderPattern } from '../exchanges/masking.ts';
import type { StoredExchange } from '../verdicts/report.ts';

/** A secret that a script needs from the environment. */
interface NeededSecret {
  /** The name of the variable. */
  readonly name: string;
  /** Where the scenario sends it, such as `the member password in the body of x0003`. */
  readonly place: string;
}

/** The secrets of these requests that are variables of their script. */
export function neededSecrets(sent: readonly StoredExchange[], script: string): readonly NeededSecret[] {
  const names = new Set(script.match(placeholderPattern) ?? []);
  return [...names].map((placeholder) => ({
    name: placeholder.slice(1),
    place:
      sent.map((exchange) => placeIn(exchange, placeholder)).find((place) => place !== undefined) ??
      'a request',
  }));
}

/** The lines of a script that say what each secret is, and that end the script if one is missing. */
export function secretLines(secrets: readonly NeededSecret[]): readonly string[] {
  if (secrets.length === 0) return [];
  return [
    '# The report hides these secrets. Set them in the environment:',
    ...secrets.map(({ name, place }) => `#   ${name} is ${place}${name === 'API_KEY' ? OR_THE_RUN : ''}.`),
    ...secrets.map(({ name, place }) => {
      const missing = `"\${${name}:?is not set: it is ${place}}"`;
      return name === 'API_KEY'
        ? `: "\${API_KEY:=\${TALLYSTICK_API_KEY:-\${TALLYSTICK_BEARER:-}}}" ${missing}`
        : `: ${missing}`;
    }),
    `export ${secrets.map(({ name }) => name).join(' ')}`,
  ];
}

// --- internal ---

/** The credential of the run may be where `conform` reads it. */
const OR_THE_RUN = ', and taken from TALLYSTICK_API_KEY or TALLYSTICK_BEARER if it is not set';

function placeIn({ id, request }: StoredExchange, placeholder: string): string | undefined {
  const has = (text: string): boolean =>
    (text.match(placeholderPattern) ?? []).some((name) => name === placeholder);
  const header = request.headers.find(([, value]) => has(value));
  if (header !== undefined) return `the value of the header ${plain(header[0])} of ${id}`;
  if (has(request.target)) return `the value at the end of the address of ${id}`;
  const text = request.body?.text ?? '';
  if (!has(text)) return undefined;
  const [before = ''] = text.split(placeholder);
  const member = /"([^"]*)"\s*:\s*"[^"]*$/.exec(before.slice(-LONGEST_MEMBER))?.[1];
  return member === undefined
    ? `a value in the body of ${id}`
    : `the value of ${plain(member)} in the body of ${id}`;
}

const LONGEST_MEMBER = 300;

/** A name from a report, as a comment and a message of a shell can have it. */
function plain(name: string): string {
  return name.replace(/[^\w.-]/g, '').slice(0, 60);
}
