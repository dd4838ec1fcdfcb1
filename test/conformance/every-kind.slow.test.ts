// @module-tag long
import { expect, test } from 'vitest';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { isBroken } from '../../cli/conform/kills.ts';
import { usualRules } from '../../contract/index.ts';
import { listDeviations } from '../../mock/index.ts';
import { everyKind } from './every-kind.ts';

test('of a sheet with every kind of policy each usual rule can be broken on purpose', async () => {
  const contract = await everyKind();
  const rules = usualRules(contract);
  expect(new Set(rules.map(({ policy }) => policy)).size).toBe(19);
  const broken = new Set(listDeviations([contract]).map(({ rule }) => rule));
  // What frees a key of its sheet is only an error of the server, which its mock does not have. Its events are those of
  // an example, which belong to no order.
  expect(rules.flatMap(({ id }) => (broken.has(id) ? [] : [id]))).toEqual([
    'idempotency.addItem.released',
    'event-stream.watchOrder.live',
  ]);
});

test('its mock keeps every rule', { timeout: 140_000 }, async () => {
  const report = await judgeOf(await everyKind(), undefined)([]);
  expect(report.rules.filter(isBroken).map(({ id, observed }) => `${id}: ${observed ?? ''}`)).toEqual([]);
  const open = report.rules.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);
  // Its made-up order has no address to look at and takes no time, and no call of its mock fails.
  expect(open.filter((id) => !/^links\.|\.released$|\.live$/.test(id))).toEqual([]);
});

test('the self-test makes calls slow on a clock of its own, so that deviations of a deadline are caught', async () => {
  const contract = await everyKind();
  const late = listDeviations([contract]).filter(({ rule }) => rule.startsWith('deadline.'));
  expect(late.map(({ id }) => id)).toHaveLength(2);
  const judge = judgeOf(contract, undefined);
  for (const { id, rule } of late) {
    const report = await judge([id]);
    expect(report.rules.find((one) => one.id === rule)?.verdict, id).toBe('fail');
  }
}, 140_000);

test('a single-use key that a refusal has used up is caught, and nothing else fails', async () => {
  const contract = await everyKind();
  const [kept] = listDeviations([contract]).filter(({ id }) => id.endsWith('placeOrder.released~kept'));
  if (kept === undefined) throw new Error('there is no such deviation');
  const report = await judgeOf(contract, undefined)([kept.id]);
  const broken = report.rules.filter(isBroken).map(({ id }) => id);
  expect(broken).toContain(kept.rule);
  expect(broken.filter((id) => id !== kept.rule && !kept.alsoFails.some(({ rule }) => rule === id))).toEqual(
    [],
  );
}, 60_000);
