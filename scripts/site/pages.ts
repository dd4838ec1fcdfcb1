import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import { rulesAsSections } from './rules.ts';
import { sections } from './sections.ts';

/** A page of the site. */
export interface SitePage {
  /** Its path in the repository. */
  readonly source: string;
  /** Its path in the site: a README is the index of its folder. */
  readonly path: string;
  readonly title: string;
  readonly section: string;
  readonly text: string;
}

/** Every page, and the files that pages link to. */
export function sitePages(): { readonly pages: readonly SitePage[]; readonly files: readonly string[] } {
  const listed = sections.flatMap(({ title, pages, isEvidence = false }) =>
    pages.flatMap(sourcesOf).map((source) => ({ source, section: title, isEvidence })),
  );
  const sources = [...listed, ...examples().map((source) => ({ source, section: '', isEvidence: true }))];
  const known = new Set(sources.map(({ source }) => source));
  const files = new Set<string>();
  const pages = sources.map(({ source, section, isEvidence }) => {
    const original = readFileSync(join(packageRoot(), source), 'utf8');
    const own = source === 'docs/rules.md' ? rulesAsSections(original) : original;
    const text = withLinks(withPlainFences(own), source, known, files);
    const title = /^# (.+)$/m.exec(original)?.[1] ?? source;
    return {
      source,
      section,
      title,
      path: pathOf(source),
      text: isEvidence ? `---\nsearch: false\n---\n\n${text}` : text,
    };
  });
  return { pages, files: [...files] };
}

// --- internal ---

function sourcesOf(path: string): readonly string[] {
  if (!path.endsWith('/')) return [path];
  return readdirSync(join(packageRoot(), path))
    .filter((name) => name.endsWith('.md'))
    .sort(
      (left, right) =>
        Number(right === 'README.md') - Number(left === 'README.md') || left.localeCompare(right),
    )
    .map((name) => `${path}${name}`);
}

function examples(): readonly string[] {
  return readdirSync(join(packageRoot(), 'examples'))
    .map((name) => `examples/${name}/README.md`)
    .filter((path) => existsSync(join(packageRoot(), path)));
}

function pathOf(source: string): string {
  return source.replace(/README\.md$/, 'index.md');
}

/** Without the attributes of code fences, which only the tests of the guides use. */
function withPlainFences(text: string): string {
  return text.replace(/^( *`{3,})(\w+) [^\n]*$/gm, '$1$2');
}

/** Links to pages lead to pages; other linked files are copied; folders without a page are not. */
function withLinks(text: string, source: string, known: ReadonlySet<string>, files: Set<string>): string {
  return text.replace(/\]\(([^)\s#:]+)(#[^)\s]*)?\)/g, (whole, link: string, anchor = '') => {
    const target = posix.normalize(posix.join(posix.dirname(source), link)).replace(/\/$/, '');
    const page = [target, `${target}/README.md`].find((each) => known.has(each));
    if (page !== undefined) return `](/${pathOf(page)}${anchor})`;
    if (
      statSync(join(packageRoot(), target), { throwIfNoEntry: false })?.isFile() === true &&
      isPublic(target)
    ) {
      files.add(target);
      return `](/${target}){target="_blank"}`;
    }
    return whole.replace(/^\]\(.*\)$/, `](${REPOSITORY})`);
  });
}

function isPublic(path: string): boolean {
  return !path.endsWith('.md') && dirname(path) !== '.';
}

/** Files that are only in the repository: the site mentions that once. */
const REPOSITORY = '/docs/questions.md#what-is-only-in-the-repository';
