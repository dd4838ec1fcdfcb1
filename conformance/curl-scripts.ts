import { shellWord, visible } from '../contract/index.ts';
import { placeholderPattern } from './masking.ts';
import type { Report, StoredExchange } from './report.ts';

/** The exchange as a command line; the secrets are variables of the shell, and none goes into the address. */
export function curlLine(exchange: StoredExchange, baseUrl: string): string {
  const { method, target, headers, body } = exchange.request;
  const { origin } = new URL(baseUrl);
  const parts = ['curl -i --path-as-is --globoff'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push(`-X ${shellWord(method)}`);
  for (const [name, value] of headers) {
    const line = `${name}: ${value}`;
    if (!SET_BY_CURL.has(name.toLowerCase()) && !SET_BY_CURL.has(line.toLowerCase()))
      parts.push(`-H ${shellWord(line, placeholderPattern)}`);
  }
  if (body !== undefined)
    parts.push(`--data-raw ${shellWord(body.cut ? `${body.text}…` : body.text, placeholderPattern)}`);
  // What does not begin with a slash could turn the origin into another one.
  if (!target.startsWith('/')) parts.push(`--request-target ${shellWord(target)}`);
  parts.push(shellWord(target.startsWith('/') ? `${origin}${target}` : `${origin}/`));
  return parts.join(' ');
}

/** Shell scripts by file name, `x0042.sh`: each sends again what showed broken rules, with the secret as a variable. */
export function curlScripts(report: Report): Readonly<Record<string, string>> {
  const rulesOf = new Map<string, Report['rules'][number][]>();
  for (const rule of report.rules) {
    const [first] = rule.exchanges;
    if (rule.repeat === undefined || first === undefined) continue;
    rulesOf.set(first, [...(rulesOf.get(first) ?? []), rule]);
  }
  const scripts = [...rulesOf].map(([id, rules]) => {
    const command = rules[0]?.repeat?.curl ?? '';
    const variables = [...new Set(command.match(placeholderPattern) ?? [])].map((name) => name.slice(1));
    const lines = [
      '#!/bin/sh',
      ...rules.flatMap(({ id: rule, level, expected, observed }) => [
        `# ${visible(`${rule} (${level})`)}`,
        comment('expected', expected),
        comment('got', observed),
      ]),
      ...variables.map(required),
      `exec ${command}`,
    ];
    return [`${id}.sh`, `${lines.join('\n')}\n`] as const;
  });
  return Object.fromEntries(scripts);
}

// --- internal ---

/** Ends the script where a secret is missing. The credential of the run may be where `conform` looked for it. */
function required(name: string): string {
  return name === 'API_KEY'
    ? `: "\${API_KEY:=\${TALLYSTICK_API_KEY:-\${TALLYSTICK_BEARER:-}}}" "\${API_KEY:?is not set}"`
    : `: "\${${name}:?is not set}"`;
}

const SET_BY_CURL = new Set([
  'host',
  'content-length',
  'connection',
  'accept: */*',
  // curl asks for no coding unless it is told to.
  'accept-encoding: identity',
  'user-agent: tallystick',
]);

/** What a server said stays on its line. */
function comment(name: string, text: string | undefined): string {
  return `#   ${name.padEnd(9)}${visible(text ?? '')}`;
}
