import { expect, test } from 'vitest';
import { type Diagnostic, renderDiagnostics } from '../../contract/index.ts';

const diagnostic: Diagnostic = {
  code: 'ref-dangling',
  severity: 'error',
  message: '$ref leads nowhere: #/a',
  help: 'did you mean #/b?',
  location: { file: 'openapi.yaml', line: 2, column: 5 },
};
const warning: Diagnostic = { code: 'no-operations', severity: 'warning', message: 'nothing to do' };
const source = (): string => 'openapi: 3.1.0\nx: { $ref: "#/a" }\n';

test('a diagnostic shows the fault, its place, the lines around it and the next step', () => {
  expect(renderDiagnostics([diagnostic, warning], { colour: false, source })).toBe(
    [
      '✖ $ref leads nowhere: #/a  (openapi.yaml:2:5)  ref-dangling',
      '   1 | openapi: 3.1.0',
      '   2 | x: { $ref: "#/a" }',
      '     |     ^',
      '   did you mean #/b?',
      '▲ nothing to do  no-operations',
    ].join('\n'),
  );
});

test('without the text of the file there is no code frame', () => {
  expect(renderDiagnostics([diagnostic], { colour: false })).not.toContain('|');
  expect(renderDiagnostics([diagnostic], { colour: false, source: () => undefined })).not.toContain('|');
});

test('signs that any terminal can show, when asked', () => {
  const text = renderDiagnostics([diagnostic, warning], { colour: false, source, ascii: true });
  expect(text).toMatch(/^x \$ref.*\n(?:.*\n)*! nothing/);
});

test('colour only on request, on any terminal', () => {
  expect(renderDiagnostics([diagnostic], { colour: true, source })).toContain('\u001b[31m✖\u001b[39m');
  expect(renderDiagnostics([diagnostic], { colour: false, source })).not.toContain('\u001b');
});

test(
  'a document cannot control the terminal: control characters and bidirectional text are shown as escapes',
  { tags: 'attack' },
  () => {
    const hostile = '\u001b[2J\u0007\u202eevil\u0000';
    const text = renderDiagnostics(
      [{ ...diagnostic, message: hostile, help: hostile, location: { file: hostile, line: 1, column: 1 } }],
      { colour: false, source: () => `${hostile}\n` },
    );
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(text).toContain('\\u001b[2J\\u0007\\u202eevil\\u0000');
  },
);

test('of a long line the part around the place is shown', () => {
  const text = renderDiagnostics([{ ...diagnostic, location: { file: 'x', line: 1, column: 5001 } }], {
    colour: false,
    source: () => `${'a'.repeat(5000)}HERE${'b'.repeat(5000)}`,
  });
  const [, line = '', caret = ''] = text.split('\n');
  expect(line.length).toBeLessThan(120);
  expect(line.slice(caret.indexOf('^'), caret.indexOf('^') + 4)).toBe('HERE');
});

test('a place after the end of the text causes no failure', () => {
  const location = { file: 'x', line: 99, column: 99 };
  expect(renderDiagnostics([{ ...diagnostic, location }], { colour: false, source })).toContain('x:99:99');
});
