/** A group of the sidebar. */
export interface Section {
  readonly title: string;
  /** Paths of pages from the root of the repository, in their order; `folder/` means every page in it. */
  readonly pages: readonly string[];
  /** Long tables of results, which search excludes, so that it finds explanations first. */
  readonly isEvidence?: true;
}

/** The pages of the site, in the order of its sidebar. A test compares it with the pages in `docs/`. */
export const sections: readonly Section[] = [
  { title: 'Start', pages: ['docs/questions.md', 'docs/versioning.md', 'CHANGELOG.md'] },
  {
    title: 'Guides',
    pages: [
      ...[
        'mock',
        'generate',
        'conform',
        'a-server-that-exists',
        'behaviour',
        'write-a-sheet',
        'write-a-module',
        'upgrade',
        'proxy',
        'servers',
        'test-handlers',
        'observe',
        'proxies-and-certificates',
      ].map((name) => `docs/guides/${name}.md`),
      ...['docs/stores.md', 'examples/README.md'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ...['cli', 'configuration', 'behaviour-sheets', 'control-api', 'report', 'templates', 'exports'].map(
        (name) => `docs/reference/${name}.md`,
      ),
      'docs/diagnostics.md',
    ],
  },
  { title: 'Exports', pages: ['docs/reference/exports/'] },
  { title: 'Contract', pages: ['docs/rules.md', 'specs/README.md', 'docs/readings.md'] },
  { title: 'Decisions', pages: ['docs/adr/'] },
  {
    title: 'Project',
    pages: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'THIRD-PARTY-NOTICES.md'],
  },
  {
    title: 'Evidence',
    isEvidence: true,
    pages: [
      'kill-matrix',
      'mutants',
      'explored',
      'twin',
      'sick-servers',
      'real-servers',
      'soak',
      'corpus',
      'slips',
      'speed',
      'oasdiff',
      'json-schema',
      'agreement',
      'prism-server',
    ].map((name) => `docs/${name}.md`),
  },
];
