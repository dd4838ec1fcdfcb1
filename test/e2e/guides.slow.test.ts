// @module-tag long
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from '../cli/command.ts';
import { pages, parseBlocks } from '../docs/blocks.ts';
import { packedProject } from './packed.ts';
import { nativeTsc, readerIn } from './reader.ts';

/** With the packed package, in an empty project, in the order of the page. */
for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = parseBlocks(page, text);
  const tags = text.includes('curl ') ? ['curl'] : [];
  test(`a reader of ${page} gets what it promises`, { tags, timeout: 600_000 }, async () => {
    const project = await packedProject();
    const reader = await readerIn(project, text, { real: page === 'README.md' });
    try {
      for (const block of blocks) {
        await reader.follow(block).catch((error: unknown) => {
          throw new Error(`${page}:${block.line}\n${block.text}`, { cause: error });
        });
      }
    } finally {
      await reader.leave();
    }
    // Vitest and Vite run TypeScript without a look at its types; some pages compile theirs themselves.
    if (text.includes('-- tsc ')) return;
    const files = blocks.flatMap(({ language, file, promised }) =>
      language === 'ts' && file !== undefined && promised.byHand === undefined ? [file] : [],
    );
    expect(await typeErrors(project, files)).toBe('');
  });
}

async function typeErrors(project: string, files: readonly string[]): Promise<string> {
  if (files.length === 0) return '';
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true },
    ...{ types: ['node'], skipLibCheck: true },
  };
  await writeFile(join(project, 'tsconfig.page.json'), JSON.stringify({ compilerOptions, files }));
  return (await run(process.execPath, [nativeTsc, '-p', 'tsconfig.page.json'], { cwd: project })).stdout;
}
