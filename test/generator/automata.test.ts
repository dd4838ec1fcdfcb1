import fc from 'fast-check';
import { expect, test } from 'vitest';
import { automaton } from '../../generator/validation/automaton.ts';
import { automatonOf, walkText } from '../../generator/validators/automaton.ts';

const letters = fc.constantFrom(...'abcz059._-/ \n$^A~\u007f', 'ä', '\u{1f600}');
const texts = fc.array(letters, { maxLength: 18 }).map((each) => each.join(''));

test.each([
  '^[a-z0-9]+(?:[._-][a-z0-9]+)*$',
  '^[a-z0-9]+(?:[._-][a-z0-9]+)*/[a-z0-9]+(?:[._-][a-z0-9]+)*$',
  '^[A-Za-z0-9._~+/=-]+$',
  '^(?:a|ab|abc){1,3}$',
  '^.{2}$',
  '^[^a]*$',
  '^[\\s\\S]{0,3}$',
  '^\\w+\\W?$',
  '^\\p{L}+$',
  '^a?$',
  '^$',
])('the automaton of %s finds what the expression finds', (source) => {
  const expression = new RegExp(source, 'u');
  const parts = automatonOf(source, 'u');
  if (parts === undefined) throw new Error('no automaton');
  const text = walkText('walk', 'expression', 'table', parts.ends).replace(
    /: string|: boolean| as number/g,
    '',
  );
  const make = new Function('expression', 'table', `${text} return walk;`) as (
    ...given: unknown[]
  ) => (text: string) => boolean;
  const walk = make(expression, automaton(parts.moves));
  fc.assert(
    fc.property(fc.oneof(texts, fc.stringMatching(expression)), (text) => {
      expect([text, walk(text)]).toStrictEqual([text, expression.test(text)]);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['one end is open', '^a'],
  ['the end is a character', '^a\\$'],
  ['only a part is anchored', '^a|b$'],
  ['it looks ahead', '^(?=a)[ab]+$'],
  ['it refers to a group', '^(a+)\\1$'],
  ['it has many states', '^[ab]{1,40}$'],
  ['it would have very many states', '^(?:[ab]{1,900}){1,900}$'],
])('a pattern has no automaton where %s', (_why, source) => {
  expect(automatonOf(source, 'u')).toBeUndefined();
});
