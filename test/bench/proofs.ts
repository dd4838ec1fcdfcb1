import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import type { Row } from './rows.ts';

/**
 * What the long runs found, as they wrote it into their pages: each takes longer than all of the bench. Nothing is measured here.
 */
export async function proofs(): Promise<readonly Row[]> {
  const [deviations = '', rules = '', survivors = ''] = recorded(
    'kill-matrix.md',
    /^(\d+) deviations, (\d+) rules, (\d+) survivors/m,
  );
  const [noticed = '', holes = '', share = ''] = recorded(
    'mutants.md',
    /\*\*together\*\* *\| *\d+ *\| *(\d+) *\| *\d+ *\| *\d+ *\| *(\d+) *\| *(\d+ %)/,
  );
  const ours = 'tallystick';
  return [
    {
      what: 'suite: deviations of the mock, as recorded by npm run kill-matrix',
      who: ours,
      measured: `${deviations} for ${rules} rules, ${survivors} not noticed`,
      bar: '0 not noticed',
    },
    {
      what: 'suite: mutants of another server, as recorded by npm run mutants',
      who: ours,
      measured: `${noticed} noticed, ${holes} not: ${share}`,
      bar: '90 %',
      aim: '97 %',
    },
    ...beside('documents with slips, as recorded by npm run slips', 'slips.md'),
    ...beside('documents of published packages, as recorded by npm run corpus', 'corpus.md'),
  ];
}

// --- internal ---

/** A page that begins with a sentence for each generator. */
function beside(what: string, page: string): readonly Row[] {
  return ['tallystick', 'openapi-typescript', 'hey-api'].map((who) => {
    const [measured = ''] = recorded(page, new RegExp(`^- ${who}: (.*?)\\.?$`, 'm'));
    return { what, who, measured };
  });
}

function recorded(page: string, pattern: RegExp): readonly string[] {
  const found = pattern.exec(readFileSync(join(packageRoot(), 'docs', page), 'utf8'));
  if (found === null) throw new Error(`docs/${page} does not have what the bench reads: ${String(pattern)}`);
  return found.slice(1);
}
