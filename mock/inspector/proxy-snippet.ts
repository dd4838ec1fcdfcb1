import type { ApiShape } from '../control/shape.ts';

/** A configuration of Vite whose development server passes the calls of a page on to the mock, with a credential. */
export function viteConfig(apis: readonly ApiShape[], url: string): string {
  const targets = new Map<string, string>();
  const entries = new Map<string, string>();
  for (const { operations, mountPrefix, beside, credential } of apis) {
    const headers = credential.headers.map(([name, value]) => `${text(name)}: ${text(value)}`).join(', ');
    const target = `{ target: ${text(url)}${headers === '' ? '' : `, headers: { ${headers} }`} }`;
    const name = targets.get(target) ?? `mock${targets.size === 0 ? '' : String(targets.size + 1)}`;
    targets.set(target, name);
    const served = [...operations.map(({ path }) => prefixOf(path, mountPrefix)), ...beside];
    for (const prefix of served) if (!entries.has(prefix)) entries.set(prefix, name);
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

/** `/api/v2` of `/api/v2/jobs/{id}`: what stands before the resource. Empty where all paths of the page would be meant. */
function prefixOf(path: string, mountPrefix: string): string {
  if (mountPrefix !== '') return mountPrefix;
  const parts = path.split('/').slice(1);
  const version = parts.findIndex((part) => /^v\d+$/.test(part));
  const taken = version >= 0 && version < 2 ? parts.slice(0, version + 1) : parts.slice(0, 1);
  const prefix = taken.join('/');
  return prefix === '' || /[{}]/.test(prefix) ? '' : `/${prefix}`;
}

function text(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}
