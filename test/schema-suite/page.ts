import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Draft } from './suite.ts';
import { suiteOf } from './suite.ts';
import { judge, type Judged } from './verdicts.ts';

export const pageFile = new URL('../../docs/json-schema.md', import.meta.url);

/** The reasons for differences between guards and the suite, by file; any other difference is a fault. */
const REASONS: Readonly<Record<string, string>> = {
  format:
    'The suite takes formats for annotations. Guards judge the formats that they know, because documents mean them.',
  vocabulary: 'The metaschema switches validation off. Guards know one dialect and follow no `$schema`.',
};

/** Formats are judged as ajv-formats 3 judges them, so that client, mock and suite agree. */
const FORMATS = 'Judged as ajv-formats 3 does, so that client, mock and suite agree.';

const SETS: readonly { readonly draft: Draft; readonly title: string }[] = [
  { draft: 'draft-2020-12', title: 'Draft 2020-12 (OpenAPI 3.1), mandatory' },
  { draft: 'optional', title: 'Draft 2020-12 (OpenAPI 3.1), optional' },
  { draft: 'draft-4', title: 'Draft 4, what OpenAPI 3.0 has of it' },
  { draft: 'formats', title: 'Formats' },
];

/** `docs/json-schema.md`: what guards say about the JSON Schema Test Suite, and each difference with its reason. */
export async function schemaPage(): Promise<string> {
  const sets = await inTurn(SETS, async ({ draft, title }) => ({
    title,
    draft,
    judged: await judge(draft, suiteOf(draft)),
  }));
  const counts = sets.map(({ title, draft, judged }) => {
    const { asked, guards, mock, ajv, left } = countsOf(draft, judged);
    return `| ${title} | ${asked} | ${guards} | ${mock} | ${ajv ?? '-'} | ${left} |`;
  });
  const differences = sets.flatMap(({ draft, judged }) =>
    judged
      .filter(({ differing }) => differing.length > 0)
      .map(({ group: { file, description }, differing }) => {
        const reason = draft === 'formats' ? FORMATS : (REASONS[file] ?? 'a fault');
        return `| ${file} | ${cell(description)} | ${differing.map(cell).join('; ')} | ${reason} |`;
      }),
  );
  const refused = new Map<string, number>();
  for (const { refused: reason, group } of sets.flatMap(({ judged }) => judged))
    if (reason !== undefined) refused.set(reason, (refused.get(reason) ?? 0) + group.tests.length);
  const left = [...refused].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    '# Guards and the JSON Schema Test Suite',
    '',
    'Generated guards are judged by the expectations of the [JSON Schema Test',
    'Suite](https://github.com/json-schema-org/JSON-Schema-Test-Suite). Its schemas are components of an OpenAPI document, which is read and',
    'generated as any other. The same values are given to what judges bodies in the mock, which is ajv with formats, and to ajv alone, with',
    'formats as annotations.',
    '',
    'Written by `npm run docs -- json-schema`; a test compares it with a run.',
    '',
    '| tests | asked | guards right | mock right | ajv right | left out |',
    '| --- | --- | --- | --- | --- | --- |',
    ...counts,
    '',
    '## Differences',
    '',
    '| file | schema | values | why |',
    '| --- | --- | --- | --- |',
    ...differences,
    '',
    '## Left out',
    '',
    'Tests whose schema is no part of one OpenAPI document, by what stands in the way. A code is that of the',
    '[diagnostic](diagnostics.md) that refuses the document.',
    '',
    '| why | tests |',
    '| --- | --- |',
    ...left.map(
      ([reason, count]) => `| ${/^[a-z0-9-]+$/.test(reason) ? `\`${reason}\`` : reason} | ${count} |`,
    ),
    '',
  ].join('\n');
}

/** How many values were asked about and left out, and on how many of them each judge agrees with the suite. */
export function countsOf(
  draft: Draft,
  judged: readonly Judged[],
): {
  readonly asked: number;
  readonly guards: number;
  readonly mock: number;
  readonly ajv: number | undefined;
  readonly left: number;
} {
  const those = judged.filter(({ refused }) => refused === undefined);
  const asked = sum(those.map(({ group }) => group.tests.length));
  return {
    asked,
    guards: asked - sum(those.map(({ differing }) => differing.length)),
    mock: asked - sum(those.map(({ differingInMock }) => differingInMock.length)),
    ajv: ajvCount(draft, those),
    left: sum(judged.map(({ group }) => group.tests.length)) - asked,
  };
}

export function writtenPage(): string {
  return readFileSync(pageFile, 'utf8');
}

// --- internal ---

/** The number of values on which ajv agrees with the suite. It supports neither draft 4 nor, without another package, formats. */
function ajvCount(draft: Draft, judged: readonly Judged[]): number | undefined {
  if (draft === 'draft-4' || draft === 'formats') return undefined;
  let right = 0;
  for (const { group } of judged) {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
    for (const [isValid, value] of group.tests) {
      try {
        if (ajv.compile(group.schema as object)(value) === isValid) right += 1;
      } catch {
        // A schema that it cannot compile counts as wrong.
      }
    }
  }
  return right;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/[<>*_`]/g, '\\$&');
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  each: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await each(item));
  return results;
}
