import { expect, test } from 'vitest';
import { desk, deskContract } from './desk.ts';
import type { DeskFault } from './desk.ts';
import { brokenIn, idsOfSearches, searched } from './searched.ts';

const contract = await deskContract();

test.each([1, 2, 3])('an honest desk is explored without an alarm, with seed %i', async (seed) => {
  expect(brokenIn(await searched(contract, desk, { seed }))).toEqual([]);
});

test.each<[DeskFault, RegExp]>([
  ['changes-after-restore-are-lost', /^resource\.tickets\.patched: .* restore .*; \d+\. patch /],
  ['change-of-title-moves-place', /^resource\.tickets\.patched: .*, after 1\. create [^;]*; 2\. patch /],
  ['approved-is-rejected', /^lifecycle\.Ticket\.transitions: /],
  ['list-is-behind', /^resource\.tickets\.(?:listed|deleted): /],
  ['read-steps-back', /^resource\.tickets\.patched: .*, after 1\. create [^;]*; 2\. patch /],
])('a course finds what the desk does wrong: %s', async (fault, finding) => {
  const report = await searched(contract, (clock) => desk(clock, fault), { seed: 1, explore: 200 });
  expect(brokenIn(report)).toEqual(expect.arrayContaining([expect.stringMatching(finding)]));
});

test('a search sends no more requests than --explore says, and takes back what it made', async () => {
  for (const explore of [1, 5, 30]) {
    const { exchanges, left } = await searched(contract, desk, { seed: 1, explore });
    const sent = exchanges.filter(
      ({ request, scenario }) => scenario.startsWith('resource.') && request.method !== 'DELETE',
    );
    for (const id of idsOfSearches(contract))
      expect(sent.filter(({ scenario }) => scenario === id).length).toBeLessThanOrEqual(explore);
    expect(left ?? []).toEqual([]);
  }
});
