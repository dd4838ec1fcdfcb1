import { expect, test } from 'vitest';
import { judgeEntries } from '../../conformance/apis/router/oracles/model-refusals.ts';
import { exchangeOf } from './exchanges.ts';

const input = { prompt: 'a stick', steps: 900, layers: [{ opacity: 7 }], url: 'x' };

function brokenBy(...locs: readonly unknown[][]): readonly string[] {
  const detail = locs.map((loc) => ({ loc, msg: 'no', type: 'value_error' }));
  const answer = exchangeOf({ id: 'x0001', status: 422, body: JSON.stringify({ detail }) });
  return [...judgeEntries(answer, input)].filter(({ outcome }) => outcome === 'fail').map(({ rule }) => rule);
}

const RULE = 'router.run.422-entry-required';

test.each([
  [['steps'], ['layers', 0, 'opacity']],
  [
    ['body', 'steps'],
    ['body', 'layers', 0, 'opacity'],
  ],
  [
    ['request', 'steps'],
    ['request', 'layers', 0, 'opacity'],
  ],
  [
    ['image', 'url'],
    ['body', 'steps'],
  ],
  [['body', 'steps', 'int'], ['missing']],
])(`${RULE}: the paths %j and %j may be those of one input`, (...locs) => {
  expect(brokenBy(...locs)).not.toContain(RULE);
});

test.each([[['', 'steps']], [['body', 'layers', 0, '']]])(
  `${RULE}: %j is no path into the input`,
  (...locs) => {
    expect(brokenBy(...locs)).toContain(RULE);
  },
);
