import { expect, test } from 'vitest';
import { parseFile } from '../../contract/text/parse.ts';

/** A text, and for each syntax error of it the place, the message and what to do. */
const rows: readonly (readonly [text: string, ...want: string[]])[] = [
  ['a: 1\nb\nc: 2', '2:1 missing colon after a key: write `key: value`'],
  ['openapi 3.1.0\ninfo: 1', '1:8 missing colon: write `openapi: 3.1.0`'],
  ['a\nb: 1', '1:1 a key must be on one line: check for a missing colon or quote'],
  [
    'a: b: c',
    '1:4 a second colon on this line, or the next line is indented too far: put the value in quotes, or align the keys',
  ],
  ['a:\n  b: 1\n c: 2', '3:1 inconsistent indentation: align this line with the lines around it'],
  ['a:\n\t- b', '2:1 a tab is used for indentation: replace it with spaces'],
  ['a: "b', '1:4 unterminated string: add the closing "'],
  ["a: 'b\nc: d", "1:4 unterminated string: add the closing '"],
  ['a: "\\q"', '1:5 invalid escape sequence \\q: write \\\\ for a backslash'],
  ['a: [1,2', '1:8 missing ]: add ] before this place, or indent this line'],
  ['a: {b: 1', '1:9 missing }: add } before this place, or indent this line'],
  [
    'a: {b: 1 c: 2}',
    '1:8 a second colon or an indented block inside { } or [ ]: add the missing comma, or write the inner part with { } or [ ] too',
  ],
  ['a: [1,,2]', '1:7 unexpected ,: check the quotes, commas and indentation here'],
  ['a: "b" c', '1:8 unexpected c: check the quotes, commas and indentation here'],
  ['a: }', '1:4 unexpected }: check the quotes, commas and indentation here'],
  ['a: @b', '1:4 a value cannot start with @: put the value in quotes'],
  ['a: "b"#c', '1:7 missing space before #: add a space before the comment, or put the value in quotes'],
  ['a: !foo b', '1:4 unknown tag !foo: remove the tag: only plain data is allowed'],
  ['a: !x !y b', '1:7 the value has two tags: remove one of them'],
  ['a: &x &y b', '1:7 the value has two anchors: remove one of them'],
  ['a: &x b\nc: &y *x', '2:7 an alias cannot have an anchor or a tag: remove the anchor or the tag'],
  [
    'a: & b',
    '1:4 invalid name of an anchor or alias: write a name without a colon after & or *; put the value in quotes if it is a string',
  ],
  ['--- a: b', '1:5 the value is on the same line as ---: move it to the next line'],
  [
    '%FOO\na: 1',
    '1:1 invalid YAML directive: remove the line that begins with %',
    '2:1 missing line --- after a directive: remove the directive',
  ],
  [
    `${'k'.repeat(1100)}: 1\nb: "c`,
    '1:1 the key is longer than 1024 characters: shorten the key',
    '2:4 unterminated string: add the closing "',
  ],
];

test.each(rows)('%j is reported in words for people who write YAML', (text, ...want) => {
  const parsed = parseFile('f.yaml', text);
  const told = parsed.ok
    ? []
    : parsed.diagnostics.map(
        ({ message, help, location }) =>
          `${location?.line ?? 0}:${location?.column ?? 0} ${message}: ${help ?? ''}`,
      );
  expect(told).toStrictEqual(want);
});

const jsonRows: readonly (readonly [text: string, want: string])[] = [
  ['{"a": "b}', '1:7 unterminated string: add the closing "'],
  ["{'a': 1}", `1:2 JSON requires double quotes: replace ' with "`],
  ['{"a": 1 /* b */}', '1:9 JSON does not allow comments: remove the comment'],
  ['{"a": 1}}', '1:9 unexpected content after the end of the document: remove it'],
  ['{"a": 1,}', '1:9 trailing comma before }: remove the comma'],
  ['{"a": [1,]}', '1:10 trailing comma before ]: remove the comma'],
  ['{a: 1}', '1:2 expected a property name: put property names in double quotes'],
  ['{"a" 1}', '1:6 missing colon: add : between the name and its value'],
  ['{"a": 1 "b": 2}', '1:9 missing comma or }: add it before this place'],
  ['{"a": [1 2]}', '1:10 missing comma or ]: add it before this place'],
  ['{"a": "\\q"}', '1:7 invalid escape sequence in a string: write \\\\ for a backslash'],
  ['{"a": }', '1:7 missing value before }: add it'],
  ['{"a": yes}', '1:7 yes is not a JSON value: put it in double quotes if it is a string'],
  ['{"a": [', '1:8 unexpected end of file: the closing ] } is missing: the file may be truncated'],
  ['{"a": 1, "a": 2}', '1:10 duplicate key "a": remove one of the two'],
];

test.each(jsonRows)('%j is reported in words for people who write JSON', (text, want) => {
  const parsed = parseFile('f.json', text);
  const [first] = parsed.ok ? [] : parsed.diagnostics;
  expect(
    `${first?.location?.line ?? 0}:${first?.location?.column ?? 0} ${first?.message ?? ''}: ${first?.help ?? ''}`,
  ).toBe(want);
});
