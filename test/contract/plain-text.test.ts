// @module-tag attack
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  escapeHtml,
  escapeMarkdown,
  escapeXml,
  markdownBlock,
  markdownCode,
  shellWord,
  unseenCharacters,
  visible,
  visibleJson,
  visibleLines,
  visibleStrings,
  withoutWorkflowCommands,
  workflowMessage,
  workflowProperty,
} from '../../contract/index.ts';

const unseen = new RegExp(unseenCharacters, 'u');
const unseenBut = new RegExp(`(?![\\n\\t])${unseenCharacters}`, 'u');
const anyText = fc.string({ unit: 'binary' });

test.each([
  ['an escape sequence', 'a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['a C1 control', 'a\u009b2Jb', 'a\\u009b2Jb'],
  ['a bidirectional override', 'a\u202eb', 'a\\u202eb'],
  ['an Arabic letter mark', 'a\u061cb', 'a\\u061cb'],
  ['zero-width characters', '\u200b\u200d\u2060\ufeff', '\\u200b\\u200d\\u2060\\ufeff'],
  ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
  ['an invisible tag', '\u{e0041}', '\\udb40\\udc41'],
  ['line feeds and tabs', 'a\r\n\tb', 'a   b'],
  ['what people write', 'déjà 💥 ÷ „x“', 'déjà 💥 ÷ „x“'],
])('%s on one line', (_, text, want) => {
  expect(visible(text)).toBe(want);
});

test('no text ends a workflow command of GitHub Actions, or adds a property or a command', () => {
  expect(workflowMessage('50 % of\r\na: b, c')).toBe('50 %25 of\\u000d%0Aa: b, c');
  expect(workflowProperty('a::b,c=d\n%')).toBe('a%3A%3Ab%2Cc=d %25');
  fc.assert(
    fc.property(anyText, (text) => {
      expect(workflowMessage(text)).not.toMatch(/[\r\n]/);
      expect(workflowProperty(text)).not.toMatch(/[\r\n:,]/);
    }),
  );
});

test('a line of a log is never a workflow command, and JSON keeps its value', () => {
  const parts = fc.constantFrom(':', '::', '##[', '[', '#', ' ', '\n', '\t', 'error', 'a');
  fc.assert(
    fc.property(fc.array(parts), (pieces) => {
      const shown = withoutWorkflowCommands(pieces.join(''));
      for (const line of shown.split('\n')) {
        expect(line.trimStart().startsWith('::')).toBe(false);
        expect(line).not.toContain('##[');
      }
      const value = { text: pieces.join('') };
      const json = withoutWorkflowCommands(JSON.stringify(value, undefined, 2));
      expect(json).not.toContain('##[');
      expect(JSON.parse(json)).toEqual(value);
    }),
  );
});

test('in text of several lines, line feeds and tabs stay, and nothing else that is not seen', () => {
  expect(visibleLines('a\n\tb\r\u0000')).toBe('a\n\tb\\u000d\\u0000');
  fc.assert(fc.property(anyText, (text) => !unseenBut.test(visibleLines(text))));
  fc.assert(fc.property(anyText, (text) => !unseen.test(visible(text))));
});

test('JSON that is shown reads back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(undefined, 1), (value, indent) => {
      const text = visibleJson(value, indent);
      expect(text).not.toMatch(unseenBut);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('every string of a value is put on one line', () => {
  expect(visibleStrings({ 'a\u202e': ['x\ny', { b: '\u001b', c: 1, d: null }] })).toEqual({
    'a\\u202e': ['x y', { b: '\\u001b', c: 1, d: null }],
  });
});

test('no text becomes an element, an attribute or an entity', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const escaped of [escapeHtml(text), escapeXml(text)]) {
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped.replace(/&(?:amp|lt|gt|quot|#39|#10);/g, '')).not.toContain('&');
        expect(escaped).not.toMatch(unseenBut);
      }
    }),
  );
});

test.each([
  ['a heading and a list', '# a\n- b', '\\# a - b'],
  ['HTML', '<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
  ['an entity of a turning character', '&#x202e;', '\\&\\#x202e;'],
  ['a link', '[a](https://evil.example)', '\\[a\\](https\\://evil.example)'],
  ['a bare address', 'see www.evil.example', 'see www\\.evil.example'],
  ['a formula', '$x$', '\\$x\\$'],
  ['a table', 'a | b', 'a \\| b'],
])('%s is prose in Markdown', (_, text, want) => {
  expect(escapeMarkdown(text)).toBe(want);
});

test('text cannot end its code span in Markdown early', () => {
  expect(markdownCode('a')).toBe('`a`');
  expect(markdownCode('a `b` ``c')).toBe('``` a `b` ``c ```');
  expect(markdownCode('a\u001b|\nb')).toBe('`a\\u001b¦ b`');
  expect(markdownBlock('a\n```\n# b', 'sh')).toBe('````sh\na\n```\n# b\n````');
});

test('a word of a shell is one word, opens nothing and shows what it holds', () => {
  const words = anyText.filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 20 }), (texts) => {
      const quoted = texts.map((text) => shellWord(text));
      for (const word of quoted) expect(word).not.toMatch(unseenBut);
      const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${quoted.join(' ')}`]).toString();
      expect(printed).toBe(texts.map((text) => `${Buffer.from(text).toString()}\0`).join(''));
    }),
    { numRuns: 20 },
  );
});

test('of variables in a word of a shell, only the known ones are opened', () => {
  const word = shellWord('X: $KEY $HOME `id` \u001b $KEY', /\$KEY/g);
  const environment = { KEY: '"; touch x; $(id)', HOME: 'home', PATH: process.env['PATH'] ?? '' };
  const printed = execFileSync('sh', ['-c', `printf %s ${word}`], { env: environment }).toString();
  expect(printed).toBe(`X: ${environment.KEY} $HOME \`id\` \u001b ${environment.KEY}`);
});
