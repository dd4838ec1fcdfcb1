import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the page of the inspector is built with the licence of each package that it contains', async () => {
  const inspector = join(root, 'mock/inspector');
  const built = await build({
    configFile: join(inspector, 'vite.config.js'),
    logLevel: 'error',
    build: { write: false },
  });
  const output = 'output' in built ? built.output : [];
  const notices = output.find(({ fileName }) => fileName === 'THIRD-PARTY-NOTICES.md');
  const text = notices?.type === 'asset' ? String(notices.source) : '';
  const bundled = output
    .flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
    .flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  for (const name of new Set(bundled)) expect(text).toContain(`## ${name} - `);
  expect(bundled).toContain('preact');
  expect(text).toContain('Permission is hereby granted');
});

test('the notices and the security policy are packed', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  expect(files).toEqual(expect.arrayContaining(['/THIRD-PARTY-NOTICES.md', '/SECURITY.md']));
});
