// @module-tag attack
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));

test.each(files)('%s is run by npm run attacks', (name) => {
  expect(readFileSync(join(import.meta.dirname, name), 'utf8')).toMatch(
    /^(?:\/\/ @module-tag long\n)?\/\/ @module-tag attack\n/,
  );
});
