import type { ApiShape } from '../control/shape.ts';

/** A Vite configuration whose development server forwards the calls of a page to the mock, with a credential. */
export function viteConfig(apis: readonly ApiShape[], url: string): string {
  const targets = new Map<string, string>();
  const entries = new Map<string, string>();
  for (const { prefixes, credential } of apis) {
    const headers = credential.headers.map(([name, value]) => `${text(name)}: ${text(value)}`).join(', ');
    const target = `{ target: ${text(url)}${headers === '' ? '' : `, headers: { ${headers} }`} }`;
    const name = targets.get(target) ?? `mock${targets.size === 0 ? '' : String(targets.size + 1)}`;
    targets.set(target, name);
    for (const prefix of prefixes) if (!entries.has(prefix)) entries.set(prefix, name);
  }
  return [
    '// vite.config.ts',
    ...[...targets].map(([target, name]) => `const ${name} = ${target};`),
    '',
    'export default {',
    '  server: {',
    '    proxy: {',
    ...[...entries].map(([prefix, name]) =>
      prefix === ''
        ? `      '/mock': { ...${name}, rewrite: (path) => path.slice('/mock'.length) }, // call /mock/…`
        : `      ${text(prefix)}: ${name},`,
    ),
    '    },',
    '  },',
    '};',
  ].join('\n');
}

// --- internal ---

function text(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}
