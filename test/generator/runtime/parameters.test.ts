import { expect, test } from 'vitest';

import * as styles from '../../../generator/runtime/parameters.ts';

const {
  cookie,
  deepObject,
  form,
  jsonPair,
  jsonText,
  keepReserved,
  label,
  matrix,
  pipeDelimited,
  simple,
  spaceDelimited,
  unencoded,
} = styles;
const list = ['blue', 'black', 'brown'];
const object = { R: 100, G: 200, B: 150 };

/** The table of OpenAPI 3.1, "Style Examples", for a parameter named `color`. */
test.each<[string, styles.ParameterStyle, boolean, [string, string, string, string]]>([
  ['matrix', matrix, false, [';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150']],
  [
    'matrix',
    matrix,
    true,
    [';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ],
  ['label', label, false, ['.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150']],
  ['label', label, true, ['.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150']],
  ['form', form, false, ['color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150']],
  ['form', form, true, ['color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150']],
  ['simple', simple, false, ['', 'blue', 'blue,black,brown', 'R,100,G,200,B,150']],
  ['simple', simple, true, ['', 'blue', 'blue,black,brown', 'R=100,G=200,B=150']],
  [
    'spaceDelimited',
    spaceDelimited,
    false,
    ['color=', 'color=blue', 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ],
  [
    'pipeDelimited',
    pipeDelimited,
    false,
    ['color=', 'color=blue', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ],
  [
    'spaceDelimited',
    spaceDelimited,
    true,
    ['color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ],
  [
    'deepObject',
    deepObject,
    true,
    [
      'color=',
      'color=blue',
      'color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown',
      'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    ],
  ],
])('%s, explode as in the table of OpenAPI', (_, style, explode, want) => {
  expect(
    ['', 'blue', list, object].map((value) => style('color', value, explode, encodeURIComponent)),
  ).toStrictEqual(want);
});

test.each(['x; admin=1', 'x\r\nx-admin: 1', 'a b', 'a,b', 'ü', '"x'])(
  'a cookie that cannot be sent as it is (%j) is refused, and its value not shown',
  { tags: 'attack' },
  (value) => {
    expect(() => cookie('session', value, true, unencoded)).toThrow(/^a cookie has characters not allowed/);
  },
);

test.each<[string, string, string]>([
  ['names and values are encoded', form('a b', 'c&d=e', true, encodeURIComponent), 'a%20b=c%26d%3De'],
  [
    'router.cursor.opaque: a cursor keeps its signs',
    form('cursor', 'a+b/c==', true, encodeURIComponent),
    'cursor=a%2Bb%2Fc%3D%3D',
  ],
  ['a comma in an entry does not part it', form('a', ['x,y', 'z'], false, encodeURIComponent), 'a=x%2Cy,z'],
  ['keys of objects are encoded', form('a', { 'k&': 'v' }, true, encodeURIComponent), 'k%26=v'],
  ['an empty list writes nothing', form('a', [], true, encodeURIComponent), ''],
  [
    'entries that are missing are left out',
    form('a', [1, undefined, null, 2], true, encodeURIComponent),
    'a=1&a=2',
  ],
  [
    'members that are missing are left out',
    deepObject('a', { b: undefined, c: null, d: 0 }, true, encodeURIComponent),
    'a%5Bd%5D=0',
  ],
  [
    'objects in objects',
    deepObject('a', { b: { c: 1 }, d: [2, 3] }, true, encodeURIComponent),
    'a%5Bb%5D%5Bc%5D=1&a%5Bd%5D=2&a%5Bd%5D=3',
  ],
  ['false and zero are values', form('a', [false, 0], true, encodeURIComponent), 'a=false&a=0'],
  ['dates in a list as ISO 8601', form('a', [new Date(0)], true, String), 'a=1970-01-01T00:00:00.000Z'],
  ['objects inside a list as JSON', form('a', [{ b: 1 }], true, String), 'a={"b":1}'],
  [
    'a parameter of a JSON type',
    jsonPair('a', { b: [1] }, false, encodeURIComponent),
    'a=%7B%22b%22%3A%5B1%5D%7D',
  ],
  ['the same in a path', jsonText('a', { b: 1 }, false, String), '{"b":1}'],
  ['reserved characters can stay', keepReserved("/?:@!$'()*,;=[] ü"), "/?:@!$'()*,;=[]%20%C3%BC"],
  [
    'but in no name, where an equals sign would end it',
    form('a', { 'b=c': 'd=e', '%41': '%41' }, true, keepReserved),
    'b%3Dc=d=e&%2541=%41',
  ],
  ['but none that ends the value', keepReserved('a&b#c+d%'), 'a%26b%23c%2Bd%25'],
])('%s', (_, got, want) => {
  expect(got).toBe(want);
});

test('a matrix value that ends with an equals sign keeps it', () => {
  expect(matrix('color', 'blue=', false, keepReserved)).toBe(';color=blue=');
  expect(matrix('color', '', false, keepReserved)).toBe(';color');
});
