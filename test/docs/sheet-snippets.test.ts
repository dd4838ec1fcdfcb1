import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { validatorOf } from '../../contract/built-validators.ts';
import { policyCases } from '../../contract/sheet/policy-cases.ts';
import { occasionFaults } from '../../conformance/target/occasions.ts';
import { root } from '../cli/command.ts';
import { blocksOf } from './blocks.ts';

const page = 'docs/guides/write-a-sheet.md';
const snippets = blocksOf(page).filter(({ language }) => language === 'text');

test.each(snippets.map(({ line, text }) => [line, text] as const))(
  `what line %i of ${page} shows can be a part of a sheet or of the fixtures`,
  async (_, text) => {
    const given = parse(text) as Readonly<Record<string, unknown>> | readonly unknown[];
    const parts = Array.isArray(given) ? { policies: given } : { policies: [], ...given };
    const { occasions, ...sheet } = parts as { readonly occasions?: unknown };
    if (occasions !== undefined) expect(occasionFaults(occasions)).toEqual([]);
    const validate = await validatorOf('behaviour sheet');
    validate({ api: 'rooms', contract: '1', document: 1, ...sheet });
    expect(validate.errors ?? []).toEqual([]);
  },
);

test.each(Object.keys(policyCases))('the guide says what a policy %s is for', (kind) => {
  expect(readFileSync(join(root, page), 'utf8')).toContain(`\`${kind}\``);
});
