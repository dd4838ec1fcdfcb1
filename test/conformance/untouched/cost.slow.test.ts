import { describe, expect, test } from 'vitest';
import { inProcess } from '../../../cli/mock/in-process.ts';
import { permissions, planConformance, runConformance } from '../../../conformance/index.ts';
import type { Report } from '../../../conformance/index.ts';
import { loadContract } from '../../../contract/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { createMock } from '../../../mock/index.ts';
import { everyKind } from '../every-kind.ts';
import { samples } from './documents/index.ts';
import { caseOf, judge } from './law.ts';

/** What is judged if everything may be called, and what is judged by a run that changes only what it made. */
interface Pair {
  readonly free: Report;
  readonly guarded: Report;
  /** Operations that the plan withholds, each with its line. */
  readonly withheld: ReadonlyMap<string, string>;
}

/**
 * The rules that only a free run judges, and for which neither the plan nor the report says what would allow the call.
 */
function unexplained({ free, guarded, withheld }: Pair): readonly string[] {
  const isJudged = (report: Report, id: string): boolean =>
    report.rules.some((rule) => rule.id === id && ['pass', 'fail', 'warn'].includes(rule.verdict));
  return guarded.rules.flatMap(({ id, operation = '', verdict, reason, fixtureLine }) => {
    if (verdict !== 'not-exercised' || !isJudged(free, id)) return [];
    const isSaid = withheld.has(operation) || /writes|bodies|parameters/.test(fixtureLine ?? '');
    return isSaid ? [] : [`${id}: ${reason ?? ''}`];
  });
}

async function exampleOrders(): Promise<Contract> {
  const place = 'examples/your-own-api/project/orders';
  const loaded = await loadContract({ document: `${place}.openapi.yaml`, sheet: `${place}.behaviour.yaml` });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.contract;
}

describe('what a run withholds costs no rule without a line that says how to get it back', () => {
  for (const sample of samples)
    test.each([0, 2])(`on the server of the document ${sample.name}, seed %i`, async (seed) => {
      const one = await caseOf(sample);
      const writes = sample.rows.map(({ id }) => id);
      const plan = planConformance({
        contracts: [seed === 0 ? one.plain : one.drafted],
        baseUrl: 'http://localhost',
        allow: permissions.filter((permission) => permission !== 'long'),
      });
      const pair: Pair = {
        free: (await judge(one, seed, writes)).report,
        guarded: (await judge(one, seed)).report,
        withheld: new Map(plan.withheld.map(({ operation, line }) => [operation, line])),
      };
      expect(pair.withheld.size).toBeGreaterThan(5);
      expect(unexplained(pair)).toEqual([]);
    });

  test('of an operation whose body names what the run makes, every rule is judged', async () => {
    const one = await caseOf(samples.find(({ name }) => name === 'rest') ?? expect.fail('no such sample'));
    const { report } = await judge(one, 0);
    const orders = report.rules.filter(({ operation }) => operation === 'createOrder');
    expect(orders.length).toBeGreaterThan(3);
    expect(orders.filter(({ verdict }) => verdict === 'not-exercised').map(({ id }) => id)).toEqual([]);
  });

  test.each([
    ['a sheet of every kind', everyKind],
    ['the example of an API of its own', exampleOrders],
  ])('on the mock of %s', async (_, contractOf) => {
    const contract = await contractOf();
    const options = {
      contracts: [contract],
      baseUrl: 'http://mock.localhost',
      allow: permissions.filter((permission) => permission !== 'long'),
      fixtures: { cred: { apiKey: 'mock-key', jwt: 'mock-token', secondAccount: 'another' } },
      credential: { header: 'Authorization', value: 'Bearer mock-token' },
    };
    const run = async (writes: readonly string[]): Promise<Report> => {
      const mock = createMock({ contracts: [contract] });
      try {
        await mock.ready();
        return await runConformance({
          ...options,
          fixtures: { ...options.fixtures, writes },
          transport: inProcess(mock.handle),
        });
      } finally {
        mock.close();
      }
    };
    const plan = planConformance(options);
    const pair: Pair = {
      free: await run(contract.operations.map(({ id }) => id)),
      guarded: await run([]),
      withheld: new Map(plan.withheld.map(({ operation, line }) => [operation, line])),
    };
    expect(unexplained(pair)).toEqual([]);
  });
});
