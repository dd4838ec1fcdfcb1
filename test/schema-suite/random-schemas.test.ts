import { expect, test } from 'vitest';
import { ajvFaults, ajvJudge, faultBehind } from './ajv-faults.ts';
import { isRight } from './plain-judge.ts';
import { randomVerdicts } from './random-verdicts.ts';
import { suiteOf } from './suite.ts';

test(
  'guards agree with the specification on random schemas, and ajv does except for its known faults',
  { timeout: 90_000 },
  async () => {
    const seed = Number(process.env['TALLYSTICK_SEED'] ?? 20_26);
    const { values, telling, guardFaults, unexplained } = await randomVerdicts({
      schemas: 80,
      valuesEach: 20,
      seed,
    });
    expect({ guardFaults, unexplained }).toStrictEqual({ guardFaults: [], unexplained: [] });
    expect(values).toBe(1600);
    expect(telling).toBeGreaterThan(40);
  },
);

test.each(ajvFaults)('ajv: $name', ({ sample: { schema, value, right } }) => {
  const document = { components: { schemas: { Sample: schema } } };
  const verdict = ajvJudge(document)('Sample', value);
  expect(verdict).not.toBe(right);
  expect(isRight(document, schema, value)).toBe(right);
  expect(faultBehind(schema, value, verdict)).toBeDefined();
});

test('the plain judge says what the JSON Schema Test Suite says', () => {
  const judged = suiteOf('draft-2020-12').filter(
    ({ schema }) => !/"\$(?:id|anchor|dynamic\w+)":|"\$ref":"[^#"]/.test(JSON.stringify(schema)),
  );
  const differing = judged.flatMap(({ file, description, schema, tests }) =>
    tests
      .filter(([isValid, value]) => isRight(schema, schema, value) !== isValid)
      .map(([, , what]) => `${file}: ${description}: ${what}`),
  );
  expect(differing).toStrictEqual([]);
  expect(judged.length).toBeGreaterThan(250);
});
