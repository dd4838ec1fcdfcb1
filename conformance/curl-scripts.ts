import { placeholderPattern } from './evidence.ts';
import type { Report } from './report.ts';

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
        `# ${rule} (${level})`,
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

/** What a server said stays on its line. */
function comment(name: string, text: string | undefined): string {
  return `#   ${name.padEnd(9)}${(text ?? '').replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`;
}
