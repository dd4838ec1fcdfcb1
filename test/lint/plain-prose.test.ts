import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';

/** A phrase that prose must not contain, and what to write in its place. */
interface Refused {
  readonly phrase: RegExp;
  readonly why: string;
}

/** Refused in pages and in comments. */
const everywhere: readonly Refused[] = [
  { phrase: /\banew\b/i, why: 'archaic: write "again"' },
  { phrase: /\ball the same\b/i, why: 'reads as "identical": write "nevertheless" or "still"' },
  { phrase: /(?<!there )\b(?:is|are) none\b/i, why: 'a riddle: name the noun, "is not a cursor"' },
  { phrase: /\bof ours\b/i, why: 'says who owns it, not what it is: write "built-in" or name it' },
  { phrase: /\btells? of\b/i, why: 'archaic: write "report", "mention" or "name"' },
  { phrase: /\bwhoever\b/i, why: 'nobody is meant in particular: name the reader, the caller, the worker' },
  { phrase: /\bwhosoever\b|\btherein\b|\bwhereof\b/i, why: 'archaic' },
  { phrase: /\bleads? nowhere\b/i, why: 'a picture: write "broken", "has no target", "does not exist"' },
  { phrase: /\bwhence\b|\bthereof\b|\bhitherto\b|\blest\b|\bnought\b/i, why: 'archaic' },
  { phrase: /\bby the hand of\b/i, why: 'a picture: write "by"' },
  { phrase: /\bof nobody\b/i, why: 'a riddle: say what it is, "fictitious", "without an owner"' },
  { phrase: /\bwhat is no [a-z]+/i, why: 'a riddle: name the noun, "a text that is not JSON"' },
  { phrase: /\bby what is used of\b/i, why: 'a riddle: write "the used part of"' },
  { phrase: /\bgood for one use\b/i, why: 'the field says "single-use"' },
  { phrase: /\bfaithful cop(?:y|ies)\b/i, why: 'write "exact copy"' },
  { phrase: /\blives and dies with\b/i, why: 'a picture: name the process or the lifetime' },
  { phrase: /\bto no purpose\b/i, why: 'write "and discards it"' },
  { phrase: /\bfetch(?:ed)? back\b/i, why: 'a picture: say which view is shown' },
  { phrase: /\band (?:its|their) like\b/i, why: 'archaic: write "and similar", or name them' },
  { phrase: /\b(?:go|goes|went|going) on\b/i, why: 'write "continue"' },
  {
    phrase: /\bstands? (?:in|at|beside|twice|once|above|below|behind|here|there|alone)\b/i,
    why: 'text does not stand: write "is"',
  },
  { phrase: /\bnobody\b/i, why: 'a riddle: say who does not, or use the passive, "is not read"' },
  {
    phrase: /\bwhatever\b/i,
    why: 'says which things do not matter, not which do: write "any", "every" or "of any kind"',
  },
  { phrase: /\b(?:is|are|was|were) told\b/i, why: 'people are told, the field says "reported" or "named"' },
  { phrase: /\bwherever\b/i, why: 'write "in every place that", or name the places' },
  { phrase: /\bknows? no\b/i, why: 'an inversion: write "does not know" or "has no"' },
  { phrase: /\bbears? (?:a|an|the|its|it)\b/i, why: 'write "has" or "carries"' },
  { phrase: /\bfor good\b/i, why: 'write "permanently"' },
  { phrase: /\b(?:somebody|anybody)\b/i, why: 'name the reader, the caller or the user' },
  { phrase: /\bthe like\b/i, why: 'write "similar", or name them' },
  { phrase: /\bcomes? to nothing\b/i, why: 'a picture: write "has no effect" or "fails"' },
];

const any = new RegExp(everywhere.map(({ phrase }) => phrase.source).join('|'), 'i');

/** Refused in pages only: its pattern needs whole sentences, and comments break their lines. */
const onPages: readonly Refused[] = [
  {
    phrase: /(?<!\bthere )\bis no (?!longer\b|more\b|other\b)[a-z]+/i,
    why: 'an inversion: write "is not a …"',
  },
];

const folders = [
  'cli',
  'conformance',
  'contract',
  'engine',
  'generator',
  'mock',
  'proxy',
  'server',
  'templates',
  'scripts',
  'test',
];

/** Pages that people write. Written ones take their words from the sources; the changelog keeps what was released. */
const pages = filesIn('.', /\.md$/, false)
  .filter((path) => path !== 'CHANGELOG.md' && path !== 'THIRD-PARTY-NOTICES.md')
  .concat(
    filesIn('docs', /\.md$/),
    filesIn('examples', /\.md$/),
    filesIn('specs', /\.md$/),
    filesIn('scripts/site', /\.md$/),
  )
  .filter((path) => !isWritten(path));

test.each(pages)('%s has no phrase that has to be read twice', (path) => {
  expect(hitsIn(path, proseOf(read(path)), [...everywhere, ...onPages])).toStrictEqual([]);
});

test('no comment of the sources has a phrase that has to be read twice', () => {
  const sources = folders.flatMap((folder) => filesIn(folder, /\.(?:ts|tsx|cts|hbs)$/));
  expect(sources.length).toBeGreaterThan(500);
  // Most files have none of the phrases even in their code, and need not be taken apart.
  const suspects = sources.map((path) => ({ path, text: read(path) })).filter(({ text }) => any.test(text));
  const hits = suspects.flatMap(({ path, text }) => hitsIn(path, commentsOf(path, text), everywhere));
  expect(hits).toStrictEqual([]);
});

test.each(filesIn('specs', /\.yaml$/))('%s has no phrase that has to be read twice', (path) => {
  expect(hitsIn(path, read(path), everywhere)).toStrictEqual([]);
});

test('each phrase is found in prose and in comments, and not in code', () => {
  const code = "const anew = 'anew'; // made anew\n/** whoever\n * reads */ const of = `ours`;";
  expect(hitsIn('a.ts', commentsOf('a.ts', code), everywhere)).toStrictEqual([
    'a.ts:1: "anew": archaic: write "again"',
    'a.ts:2: "whoever": nobody is meant in particular: name the reader, the caller, the worker',
  ]);
  const page = 'It is no page.\n\n```sh\necho anew\n```\n\nThere is no `anew`, and it stands in a list.';
  expect(hitsIn('a.md', proseOf(page), [...everywhere, ...onPages])).toStrictEqual([
    'a.md:1: "is no page": an inversion: write "is not a …"',
    'a.md:7: "stands in": text does not stand: write "is"',
  ]);
});

// --- internal ---

function read(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8');
}

function filesIn(folder: string, name: RegExp, recursive = true): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.includes('node_modules') && !path.includes('/project/'))
    .map((path) => (folder === '.' ? path : `${folder}/${path}`));
}

function isWritten(path: string): boolean {
  const start = read(path).slice(0, 600);
  return /Written by|Generated from|npm run (?:docs|soak|corpus|slips|kill-matrix|mutants|explored|twin|sick-servers)/.test(
    start,
  );
}

/** Text of the same lines in which code is blank. */
function proseOf(markdown: string): string {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ');
  return markdown.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank);
}

/** Text of the same lines that has the comments alone; a template is read as it is. */
function commentsOf(path: string, text: string): string {
  if (path.endsWith('.hbs')) return text;
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    path.endsWith('x') ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard,
    text,
  );
  let comments = '';
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const part = scanner.getTokenText();
    const isComment =
      token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    comments += isComment ? part : part.replace(/[^\n]/g, ' ');
  }
  return comments;
}

function hitsIn(path: string, text: string, refused: readonly Refused[]): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    refused.flatMap(({ phrase, why }) => {
      const [found] = phrase.exec(line) ?? [];
      return found === undefined ? [] : [`${path}:${String(index + 1)}: "${found}": ${why}`];
    }),
  );
}
