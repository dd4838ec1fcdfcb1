import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';

const folders = ['cli', 'conformance', 'contract', 'engine', 'generator', 'mock', 'proxy', 'server'];

/**
 * Files by the files that they import, types included. The mechanisms of a module are a list of functions in its other files,
 * from where its type comes: who asks them by that type is in no circle.
 */
const imports = new Map(
  folders.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/node_modules|dist\//.test(name))
      .map((name): [string, readonly string[]] => {
        const file = join(folder, name);
        const text = readFileSync(join(packageRoot(), file), 'utf8');
        const found = text.matchAll(/^(?:import|export)\b[^;]*? from '(\.{1,2}\/[^']+)';/gm);
        const paths = [...found].map(([, path = '']) => normalize(join(dirname(file), path)));
        return [file, paths.filter((path) => !path.endsWith('/mechanisms.ts'))];
      }),
  ),
);

/** The files that import each other, in a circle (Tarjan's algorithm). */
function circles(isKnown: (file: string) => boolean): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const known = order.get(file);
    if (known !== undefined) return open.includes(file) ? known : Infinity;
    const number = order.size;
    order.set(file, number);
    low.set(file, number);
    open.push(file);
    for (const next of imports.get(file) ?? [])
      if (imports.has(next) && isKnown(next)) low.set(file, Math.min(low.get(file) ?? 0, visit(next)));
    if (low.get(file) === number) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) found.push(circle.toSorted());
    }
    return low.get(file) ?? number;
  };
  for (const file of imports.keys()) if (isKnown(file)) visit(file);
  return found;
}

test.each(folders)('no files of %s/ import each other in a circle', (folder) => {
  expect(circles((file) => file.startsWith(`${folder}/`))).toStrictEqual([]);
});
