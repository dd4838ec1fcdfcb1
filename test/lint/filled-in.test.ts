import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';
import { TO_FILL_IN } from '../../scripts/scaffold-rule.ts';

test('no committed file contains a placeholder of the scaffold', () => {
  const folders = ['specs', 'conformance/apis', 'mock/apis'].map((folder) => join(packageRoot(), folder));
  const left = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|yaml)$/.test(name))
      .flatMap((name) =>
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            line.includes(TO_FILL_IN) ? [`${name}:${index + 1}: ${line.trim()}`] : [],
          ),
      ),
  );
  expect(left).toEqual([]);
});
