/**
 * `npm run docs:site` builds the site into `.site/dist`, from the pages of the repository. `-- --serve` also
 * serves it on the loopback address. The site makes no external requests.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import { sitePages, type SitePage } from './pages.ts';
import { sections } from './sections.ts';

// Its types would add those of the DOM to every file of this project.
const { build, serve } = (await import('vitepress' as string)) as {
  readonly build: (root: string) => Promise<void>;
  readonly serve: (options: { readonly root: string }) => Promise<unknown>;
};

const root = join(packageRoot(), '.site');
const source = join(root, 'src');
const own = join(packageRoot(), 'scripts', 'site');
/** A notched stick, embedded in the page. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#8a4b08" d="M1 6h3l1 3 1-3h3l1 3 1-3h4v5H1z"/></svg>',
)}`;

rmSync(root, { recursive: true, force: true });
const { pages, files } = sitePages();
for (const { path, text } of pages) write(path, text);
for (const file of [...files, 'docs/images/inspector-light.webp', 'docs/images/inspector-dark.webp'])
  cpSync(join(packageRoot(), file), join(source, 'public', file), { recursive: true });
cpSync(join(packageRoot(), 'docs/images'), join(source, 'docs/images'), { recursive: true });
cpSync(join(own, 'index.md'), join(source, 'index.md'));
cpSync(join(own, 'theme'), join(source, '.vitepress', 'theme'), { recursive: true });
write('.vitepress/config.mjs', `export default ${JSON.stringify(config(pages), null, 2)};\n`);
await build(source);
console.log(`✔ .site/dist: ${String(pages.length + 1)} pages. To read them: npm run docs:site -- --serve`);
if (process.argv.includes('--serve')) await serve({ root: source });

// --- internal ---

function write(path: string, text: string): void {
  const file = join(source, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function config(all: readonly SitePage[]): object {
  const address = ({ path }: SitePage): string =>
    `/${path.replace(/index\.md$/, '').replace(/\.md$/, '.html')}`;
  return {
    title: 'tallystick',
    description: 'One HTTP contract: generate code, mock the server, prove that a server conforms.',
    lang: 'en-GB',
    head: [['link', { rel: 'icon', href: ICON }]],
    outDir: '../dist',
    cacheDir: '../cache',
    lastUpdated: false,
    ignoreDeadLinks: 'localhostLinks',
    vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 4_000 } },
    markdown: { headers: { level: [2, 3] } },
    themeConfig: {
      nav: [
        { text: 'Questions', link: '/docs/questions.html' },
        { text: 'Guides', link: '/docs/guides/mock.html' },
        { text: 'Reference', link: '/docs/reference/cli.html' },
        { text: 'Rules', link: '/docs/rules.html' },
      ],
      sidebar: sections.map(({ title }) => ({
        text: title,
        collapsed: !['Start', 'Guides', 'Reference'].includes(title),
        items: all
          .filter(({ section }) => section === title)
          .map((page) => ({ text: plain(page.title), link: address(page) })),
      })),
      outline: { level: [2, 2] },
      search: {
        provider: 'local',
        options: {
          miniSearch: {
            searchOptions: { fuzzy: 0.1, prefix: true, boost: { title: 6, titles: 2, text: 1 } },
          },
        },
      },
      footer: { message: 'MIT licence. This site loads nothing from elsewhere.' },
    },
  };
}

/** `Mock: a server that …` as `Mock`; a heading in the sidebar has no Markdown. */
function plain(title: string): string {
  return title.replace(/: .*/, '').replaceAll('`', '');
}
