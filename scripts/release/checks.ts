/** The facts that a release is judged by. */
export interface ReleaseFacts {
  /** Lines of `git status --porcelain`. */
  readonly changes: readonly string[];
  /** Of package.json, and of package-lock.json. */
  readonly version: string;
  readonly lockedVersion: string;
  readonly changelog: string;
  /** Tags that point to other commits than this one. */
  readonly otherTags: readonly string[];
  /** Paths in the tarball. */
  readonly packed: readonly string[];
  /** Paths tracked by git. */
  readonly tracked: readonly string[];
  /** Paths in `exports` and `bin`. */
  readonly promised: readonly string[];
  /** Relative links of the packed README. */
  readonly links: readonly string[];
  /** Versions that the README prints. */
  readonly printedVersions: readonly string[];
  /** ISO date. */
  readonly today: string;
}

/** The faults of a release, one per line, each with a fix. */
export function releaseProblems(facts: ReleaseFacts): readonly string[] {
  return [
    ...facts.changes.map((line) => `uncommitted change: ${line.trim()}. Commit it or undo it.`),
    ...versionProblems(facts),
    ...changelogProblems(facts),
    ...tarballProblems(facts),
  ];
}

/** The text of one version in the changelog; `undefined` if there is none. */
export function sectionOf(changelog: string, heading: string): string | undefined {
  const parts = changelog.split(/^## /m).slice(1);
  const found = parts.find((part) => part.startsWith(heading));
  return found?.slice(found.indexOf('\n') + 1);
}

/**
 * A file of `dist/` comes from its source. What several entries need, and the inspector, are bundled; the validators of
 * fixed schemas are named by the hash of their schema, and the templates are compiled into one file.
 */
export function comesFrom(path: string, tracked: ReadonlySet<string>): boolean {
  if (tracked.has(path)) return true;
  const compiled = /^dist\/(.+?)(?:\.d)?\.([cm]?)(?:js|ts)(?:\.map)?$/.exec(path);
  if (compiled !== null && tracked.has(`${compiled[1] ?? ''}.${compiled[2] ?? ''}ts`)) return true;
  const read = /^dist\/contract\/(specs\/.+)\.json$/.exec(path);
  if (read !== null && tracked.has(`${read[1] ?? ''}.yaml`)) return true;
  if (/^dist\/contract\/validators\/[0-9a-f]{64}\.cjs$/.test(path))
    return tracked.has('contract/built-validators.ts');
  if (path === 'dist/generator/templates.cjs') return tracked.has('generator/built-templates.ts');
  if (/^dist\/chunks\/[\w-]+\.js$/.test(path)) return tracked.has('scripts/build.mjs');
  return path.startsWith('dist/inspector/') && tracked.has('mock/inspector/main.tsx');
}

// --- internal ---

function versionProblems({
  version,
  lockedVersion,
  otherTags,
  printedVersions,
}: ReleaseFacts): readonly string[] {
  return [
    ...(/^\d+\.\d+\.\d+$/.test(version)
      ? []
      : [`package.json has version ${version}, which is not MAJOR.MINOR.PATCH`]),
    ...(lockedVersion === version
      ? []
      : [`package-lock.json has version ${lockedVersion}: npm install --package-lock-only`]),
    ...(otherTags.includes(`v${version}`)
      ? [`tag v${version} is on another commit: choose a new version`]
      : []),
    ...printedVersions
      .filter((printed) => printed !== version)
      .map((printed) => `README.md says ${printed}, not ${version}`),
  ];
}

function changelogProblems({ changelog, version, today }: ReleaseFacts): readonly string[] {
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const [first, second = 'nothing'] = headings;
  const dated = new RegExp(`^${version.replaceAll('.', '\\.')} \\((\\d{4}-\\d\\d-\\d\\d)\\)$`).exec(second);
  const problems: string[] = [];
  if (first !== 'Unreleased') problems.push('CHANGELOG.md does not begin with "## Unreleased"');
  if (/^- /m.test(sectionOf(changelog, 'Unreleased') ?? ''))
    problems.push(`CHANGELOG.md has entries under Unreleased: move them below ${version}`);
  if (dated === null)
    problems.push(`CHANGELOG.md has ${second} behind Unreleased, not "${version} (YYYY-MM-DD)"`);
  else if ((dated[1] ?? '') > today)
    problems.push(`CHANGELOG.md dates ${version} in the future: ${dated[1] ?? ''}`);
  if (dated !== null && !/^- /m.test(sectionOf(changelog, version) ?? ''))
    problems.push(`CHANGELOG.md says nothing about ${version}`);
  return problems;
}

/** Every file of a release must belong to a commit. */
function tarballProblems({ packed, tracked, promised, links }: ReleaseFacts): readonly string[] {
  const known = new Set(tracked);
  const isThere = (path: string): boolean =>
    packed.some((file) => file === path || file.startsWith(`${path}/`));
  return [
    ...packed
      .filter((path) => !comesFrom(path, known))
      .map((path) => `${path} is packed and comes from no file that git tracks`),
    ...packed
      .filter((path) => /^(?:test|scripts|\.site|\.ci)\//.test(path))
      .map((path) => `${path} does not belong into the package`),
    ...promised
      .filter((path) => !isThere(path))
      .map((path) => `package.json names ${path}, which is not packed`),
    ...links
      .filter((link) => !isThere(link))
      .map((link) => `README.md links to ${link}, which is not packed`),
  ];
}
