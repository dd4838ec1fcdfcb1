import { expect, test } from 'vitest';
import { judgeOf } from '../../cli/conform-self-test.ts';
import { isBroken } from '../../cli/self-test.ts';
import { usualRules } from '../../contract/index.ts';
import { listDeviations } from '../../mock/index.ts';
import { everyKind } from './every-kind.ts';

test('of a sheet with every kind of policy each usual rule can be broken on purpose', async () => {
  const contract = await everyKind();
  const rules = usualRules(contract);
  expect(new Set(rules.map(({ policy }) => policy)).size).toBe(18);
  const broken = new Set(listDeviations([contract]).map(({ rule }) => rule));
  expect(rules.flatMap(({ id, policy }) => (broken.has(id) || policy === 'deadline' ? [] : [id]))).toEqual(
    [],
  );
});

test('its mock keeps every rule', { timeout: 140_000 }, async () => {
  const report = await judgeOf(await everyKind(), undefined)([]);
  expect(report.rules.filter(isBroken).map(({ id, observed }) => `${id}: ${observed ?? ''}`)).toEqual([]);
  const open = report.rules.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);
  // A mock takes as long as it is told, and its made-up order has no address to look at.
  expect(open.filter((id) => !/^(?:deadline|links)\./.test(id))).toEqual([]);
});
