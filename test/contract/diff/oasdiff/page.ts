import { join } from 'node:path';
import { buildContract } from '../../../../contract/build.ts';
import { breaks, judgementOf } from '../../../../contract/diff/change.ts';
import { diffContracts } from '../../../../contract/diff/diff.ts';
import { packageRoot } from '../../../../contract/index.ts';
import type { Change, Contract, JsonObject } from '../../../../contract/index.ts';
import { oasdiffChecks } from './checks.ts';
import { type DocumentPair, pairFor } from './pairs.ts';

export const oasdiffFile = join(packageRoot(), 'docs/oasdiff.md');

type Level = keyof typeof oasdiffChecks;

interface Row {
  readonly id: string;
  readonly level: Level;
  readonly changes: readonly Change[] | undefined;
}

/** Every check of oasdiff with what we find in two documents that show it. */
export function oasdiffRows(): readonly Row[] {
  return (Object.keys(oasdiffChecks) as Level[]).flatMap((level) =>
    oasdiffChecks[level].map((id) => {
      const pair = pairFor(id);
      return { id, level, changes: pair === undefined ? undefined : changesOf(pair) };
    }),
  );
}

/** How the two judge a check, seen by callers. */
export function differenceOf({
  level,
  changes,
}: Row): 'same' | 'stricter' | 'milder' | 'undecided' | 'not compared' {
  if (changes === undefined) return 'not compared';
  const ours = changes.some((change) => breaks(change, 'callers'))
    ? 'error'
    : changes.some(({ callers }) => callers === 'unknown')
      ? 'warn'
      : 'info';
  if (ours === level || (level === 'warn' && ours === 'error')) return 'same';
  if (ours === 'warn') return 'undecided';
  return ours === 'error' ? 'stricter' : 'milder';
}

export function oasdiffPage(): string {
  const rows = oasdiffRows();
  const count = (wanted: ReturnType<typeof differenceOf>): string =>
    String(rows.filter((row) => differenceOf(row) === wanted).length);
  const lines = rows
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((row) => `| \`${row.id}\` | ${row.level} | ${oursOf(row)} | ${differenceOf(row)} |`);
  return `# diff beside oasdiff

\`npm run docs -- oasdiff\` writes this page, and a test checks it. [oasdiff](https://github.com/oasdiff/oasdiff) is the best known tool of its kind. Its
checks and their levels are those of its source at commit 4553c69 (2026-08-08). For each check, two small documents that
differ in what the check is about are compared by \`tallystick diff\`; oasdiff itself is not run.

oasdiff judges for callers. So the last column compares its level with our judgement for callers: \`same\` (an error is breaking, a warning
is breaking or unknown, an information is harmless), \`stricter\` (breaking here, an information there), \`milder\` (harmless
here), \`undecided\` (unknown here, with a reason) or \`not compared\`.

| Checks | same | stricter | milder | undecided | not compared |
| ------ | ---- | -------- | ------ | --------- | ------------ |
| ${String(rows.length)} | ${count('same')} | ${count('stricter')} | ${count('milder')} | ${count('undecided')} | ${count('not compared')} |

## Why they differ

- **Code counts.** What no longer compiles with generated code is breaking: an operation, a parameter, a member, a value or a type
  that is gone, also where the wire would bear it.
- **Both sides count.** \`servers\` is the other half of each judgement: what is harmless for callers often binds servers. oasdiff has
  no such half.
- **A value that callers do not know is breaking** wherever an answer is widened: a new value, a new alternative, a looser limit, a
  new status of success.
- **What cannot be decided is unknown**, with the reason: one pattern in place of another, a default of a request, where tokens are
  fetched, what is within \`not\` or \`if\`.
- **Not compared**: dates of sunset and levels of stability (\`x-sunset\`, \`x-stability-level\`, \`x-extensible-enum\` are extensions), whether the
  version was raised by enough, and \`contentSchema\`, which says nothing about valid values.
- **More is compared here** than these checks name: how parameters are written, servers and their variables, members of forms, schemas that
  only generated types use, and behaviour sheets with their policies, rules and open points.

## Every check

| oasdiff's check | its level | ours (callers/servers) | compared |
| --------------- | --------- | ---------------------- | -------- |
${lines.join('\n')}
`;
}

// --- internal ---

function oursOf({ changes }: Row): string {
  if (changes === undefined) return '';
  const shown = changes.map(
    (change) =>
      `\`${change.kind}\` ${judgementOf(change) === 'harmless' ? 'harmless' : `${change.callers}/${change.servers}`}`,
  );
  return shown.length === 0 ? 'no change' : [...new Set(shown)].join(', ');
}

function changesOf([old, next]: DocumentPair): readonly Change[] {
  return diffContracts(contractOf(old), contractOf(next)).changes;
}

function contractOf(document: object): Contract {
  const locate = (): undefined => undefined;
  const read = { file: 'sample.json', dialect: '3.1', hash: '', locate } as const;
  return buildContract('sample', { ...read, root: document as JsonObject }, undefined);
}
