import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { ownContractNames, packageRoot } from '../../contract/index.ts';

interface Document {
  readonly title: string;
  readonly sections: readonly string[];
}
interface Sheet {
  readonly document: number;
  readonly rules: readonly { id: string; source: { document: number; section: string } }[];
  readonly unspecified: readonly { id: string }[];
}

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
const documents = parse(read('specs/sections.yaml')) as Readonly<Record<number, Document>>;
const sheets = ownContractNames.map((name) => parse(read(`specs/${name}.behaviour.yaml`)) as Sheet);
const openPoints = new Set(sheets.flatMap(({ unspecified }) => unspecified.map(({ id }) => id)));

const folders = [
  ...['cli', 'contract', 'conformance', 'docs', 'engine', 'examples', 'generator', 'mock', 'proxy', 'server'],
  ...['specs', 'templates', 'test'],
];
const texts = [
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  ...folders.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          /\.(?:tsx?|ya?ml|md|hbs)$/.test(name) && !/node_modules|fixtures|corpus\/|\/dist\//.test(name),
      )
      .map((name) => join(folder, name)),
  ),
].filter((file) => !file.endsWith('citations.test.ts'));

/** Where a comment or a page names a place of the contract, with what follows the number. */
const CITATION = /\b[Dd]ocument (\d), "?(?=[A-Z])([^\n]{0,90})/g;

/** A comment may shorten a path in the name of a section: `GET …/openapi.json`. */
function isNamed(section: string, rest: string): boolean {
  if (rest.startsWith(section)) return !/^(?:\w|\/[\w{])/.test(rest.slice(section.length));
  const [method = '', ...path] = section.split(' ');
  const short = /^([A-Z]+) (\S*?)…(\/\S*?)[",.:;)]*(?:\s|$)/.exec(rest);
  const whole = path.join(' ');
  return (
    short !== null &&
    short[1] === method &&
    whole.startsWith(short[2] ?? '') &&
    whole.endsWith(short[3] ?? '')
  );
}

test('each source in a sheet is a section of the document that it names', () => {
  const lost = sheets.flatMap(({ rules }) =>
    rules
      .filter(({ source }) => documents[source.document]?.sections.includes(source.section) !== true)
      .map(({ id, source }) => `${id}: document ${source.document}, ${source.section}`),
  );
  expect(lost).toStrictEqual([]);
});

test('each place of the contract that a comment or a page names is a section of that document', () => {
  let found = 0;
  const lost = texts.flatMap((file) =>
    [
      ...read(file)
        .replace(/\n\s*(?:\*|#|\/\/) ?/g, ' ')
        .matchAll(CITATION),
    ]
      .filter(([, number, rest = '']) => {
        found += 1;
        return documents[Number(number)]?.sections.some((section) => isNamed(section, rest)) !== true;
      })
      .map(([whole]) => `${file}: ${whole}`),
  );
  expect(lost).toStrictEqual([]);
  expect(found).toBeGreaterThan(150);
});

test('each open point that is named is in a sheet', () => {
  const lost = texts.flatMap((file) =>
    [...read(file).matchAll(/\bA-\d{2}\b/g)]
      .filter(([id]) => !openPoints.has(id))
      .map(([id]) => `${file}: ${id}`),
  );
  expect(lost).toStrictEqual([]);
});

test('open points and rules have one name: no number of another list', () => {
  const other = texts.flatMap((file) =>
    [...read(file).matchAll(/silent[- ]points?|[(, ']C\d{1,2}[:),]/gi)].map(([found]) => `${file}: ${found}`),
  );
  expect(other).toStrictEqual([]);
});

test('each relative link of a page leads to a file', () => {
  const lost = texts
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .filter(([, link = '']) => !existsSync(join(packageRoot(), dirname(file), decodeURIComponent(link))))
        .map(([, link]) => `${file}: ${link ?? ''}`),
    );
  expect(lost).toStrictEqual([]);
});
