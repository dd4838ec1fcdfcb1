import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinPointer, loadOwnContract, ownContractNames, type Contract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { imported } from './generated.ts';

/** Every value inside the examples of a document, in the hope that schemas fit some of them. */
function valuesIn(contract: Contract): unknown[] {
  const found: unknown[] = [];
  const collect = (value: unknown): void => {
    found.push(value);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { requestBody, responses } of contract.operations) {
    for (const content of [requestBody, ...responses].flatMap((part) => part?.content ?? [])) {
      content.examples.forEach(({ value }) => collect(value));
    }
  }
  // Some values occur only in lists.
  for (const { schema } of contract.schemas) {
    const listed = typeof schema === 'object' ? schema['enum'] : undefined;
    if (Array.isArray(listed)) found.push(...(listed as readonly unknown[]));
  }
  return found;
}

const stray = fc.constantFrom<unknown>(null, true, 0, -1, 1.5, '', 'x', 'yes', 'A b', [], {}, [null], {
  a: 1,
});

/** The value with one part of it, at any depth, put out of order. */
function mutated(value: unknown): fc.Arbitrary<unknown> {
  const ways: fc.Arbitrary<unknown>[] = [stray];
  if (typeof value === 'string') ways.push(fc.constant(`${value}!`), fc.constant(value.repeat(200)));
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) =>
      ways.push(mutated(item).map((other) => value.with(index, other))),
    );
    ways.push(stray.map((other) => [...(value as unknown[]), other]));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const { [name as keyof typeof value]: _, ...others } = value;
      ways.push(
        mutated(member).map((other) => ({ ...value, [name]: other })),
        fc.constant(others),
      );
    }
    ways.push(stray.map((other) => ({ ...value, unheardOf: other })));
  }
  return fc.oneof(...ways);
}

test.each(ownContractNames)(
  'every schema of %s: its guard and ajv agree on good and on broken values',
  async (name) => {
    const contract = await loadOwnContract(name);
    const module = await imported(await generate([contract]), `${name}/validators.ts`);
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
    addFormats.default(ajv);
    ajv.addSchema(contract.document.root as object, 'document');
    const samples = valuesIn(contract);
    const undecided: string[] = [];
    for (const schema of contract.schemas) {
      const guard = module[`is${schema.name}`] as (value: unknown) => boolean;
      const judge = ajv.getSchema(`document#${joinPointer('', 'components', 'schemas', schema.name)}`);
      if (judge === undefined) throw new Error(`ajv knows no ${schema.name}`);
      const verdicts = new Set<boolean>();
      const good = samples.filter((value) => judge(value) === true);
      const law = (value: unknown): void => {
        const verdict = guard(value);
        verdicts.add(verdict);
        expect({ schema: schema.name, value, verdict }).toStrictEqual({
          schema: schema.name,
          value,
          verdict: judge(value),
        });
      };
      samples.forEach(law);
      fc.assert(
        fc.property(
          fc.constantFrom(...(good.length > 0 ? good : samples)).chain((value) => mutated(value)),
          law,
        ),
        { numRuns: 150 },
      );
      if (verdicts.size < 2) undecided.push(schema.name);
    }
    expect(undecided).toStrictEqual([]);
  },
);
