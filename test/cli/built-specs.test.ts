import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { builtSpec as Built } from '../../contract/built-specs.ts';
import type { parseText as Parse } from '../../contract/text/parse.ts';
import { parseText } from '../../contract/text/parse.ts';
import { root } from './command.ts';

/** What the build has read of `specs/` is what reading them says, and where things are in them. */
const imported = (name: string): Promise<object> =>
  import(pathToFileURL(join(root, 'dist/contract', name)).href) as Promise<object>;
const { builtSpec } = (await imported('built-specs.js')) as { readonly builtSpec: typeof Built };
const shipped = (await imported('text/parse.js')) as { readonly parseText: typeof Parse };

describe.each(readdirSync(join(root, 'specs')).filter((name) => /\.(openapi|behaviour)\.yaml$/.test(name)))(
  'specs/%s',
  (name) => {
    const file = `specs/${name}`;
    const text = readFileSync(join(root, file), 'utf8');

    test('the copy in the build equals the text that is read at run time', () => {
      const read = parseText(file, text);
      const built = shipped.parseText(file, text);
      if (!read.ok || !built.ok) throw new Error('it cannot be read');
      expect(builtSpec(file, text)?.value).toStrictEqual(read.value);
      expect(built.value).toStrictEqual(read.value);
      for (const [name, list] of Object.entries(read.value as object)) {
        const paths = Array.isArray(list) ? list.map((_, index) => [name, String(index)]) : [];
        for (const path of [...paths, [name, 'missing'], [name]])
          expect(built.offsetOf(path)).toBe(read.offsetOf(path));
      }
    });

    test('a copy is read again after its text has changed', () => {
      const changed = `${text}\nx-added: 1\n`;
      expect(builtSpec(file, changed)).toBeUndefined();
      expect(shipped.parseText(file, changed)).toMatchObject({ ok: true, value: { 'x-added': 1 } });
    });
  },
);

test('a text of another file is never used', () => {
  expect(builtSpec('specs/other.openapi.yaml', '')).toBeUndefined();
  expect(builtSpec('../specs/router.openapi.yaml', '')).toBeUndefined();
});
