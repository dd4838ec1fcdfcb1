import { expect, test } from 'vitest';
import { releaseProblems, type ReleaseFacts } from '../../scripts/release/checks.ts';

const good: ReleaseFacts = {
  changes: [],
  version: '0.2.0',
  lockedVersion: '0.2.0',
  changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n### Added\n\n- Something.\n',
  otherTags: ['v0.1.0'],
  packed: [
    'dist/contract/specs/router.openapi.json',
    `dist/contract/validators/${'0'.repeat(64)}.cjs`,
    'dist/generator/templates.cjs',
    'README.md',
    'docs/rules.md',
    'dist/mock/index.js',
    'dist/mock/index.d.ts',
    'dist/chunks/chunk-47AWKT7O.js',
    'dist/cli/bin.cjs',
    'dist/inspector/index.html',
  ],
  tracked: [
    'README.md',
    'contract/built-validators.ts',
    'docs/rules.md',
    'generator/built-templates.ts',
    'mock/index.ts',
    'cli/bin.cts',
    'mock/inspector/main.tsx',
    'scripts/build.mjs',
    'specs/router.openapi.yaml',
  ],
  promised: ['dist/mock/index.js', 'dist/cli/bin.cjs'],
  links: ['docs/rules.md', 'docs'],
  printedVersions: ['0.2.0'],
  today: '2026-11-23',
};

test('a release in order has no problems', () => {
  expect(releaseProblems(good)).toStrictEqual([]);
});

const faults: readonly (readonly [name: string, fault: Partial<ReleaseFacts>, says: string])[] = [
  ['an uncommitted change', { changes: [' M README.md'] }, 'uncommitted change: M README.md'],
  ['a version that is none', { version: '0.2', lockedVersion: '0.2' }, 'not MAJOR.MINOR.PATCH'],
  ['another version in the lockfile', { lockedVersion: '0.1.0' }, 'package-lock.json has version 0.1.0'],
  ['a version that was released before', { otherTags: ['v0.2.0'] }, 'tag v0.2.0 is on another commit'],
  ['an old version in the README', { printedVersions: ['0.1.0'] }, 'README.md says 0.1.0, not 0.2.0'],
  [
    'no heading for what comes next',
    { changelog: good.changelog.replace('## Unreleased\n\n', '') },
    'does not begin with',
  ],
  [
    'entries that are still unreleased',
    { changelog: good.changelog.replace('## Unreleased\n', '## Unreleased\n\n- More.\n') },
    'move them below 0.2.0',
  ],
  [
    'a version without a date',
    { changelog: good.changelog.replace(' (2026-11-23)', '') },
    'not "0.2.0 (YYYY-MM-DD)"',
  ],
  ['a date in the future', { today: '2026-11-22' }, 'in the future: 2026-11-23'],
  [
    'a version that says nothing',
    { changelog: good.changelog.replace('- Something.', '') },
    'says nothing about 0.2.0',
  ],
  [
    'a packed file that nobody wrote',
    { packed: [...good.packed, 'dist/leaked.js'] },
    'dist/leaked.js is packed and comes from no file',
  ],
  [
    'something read that no document says',
    { packed: [...good.packed, 'dist/contract/specs/other.openapi.json'] },
    'dist/contract/specs/other.openapi.json is packed and comes from no file',
  ],
  [
    'a packed test',
    { packed: [...good.packed, 'test/a.ts'], tracked: [...good.tracked, 'test/a.ts'] },
    'test/a.ts does not belong',
  ],
  ['an export that is not packed', { promised: ['dist/proxy/index.js'] }, 'names dist/proxy/index.js'],
  ['a link of the README that leads nowhere', { links: ['docs/gone.md'] }, 'links to docs/gone.md'],
];

test.each(faults)('%s stops a release', (_name, fault, says) => {
  const problems = releaseProblems({ ...good, ...fault });
  expect(problems.join('\n')).toContain(says);
});
