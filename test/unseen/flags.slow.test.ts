// @module-tag long
import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FLAG_FAULTS } from './flags/faults.ts';
import { measuredFlags, measuredFlagsFree } from './flags/measured.ts';
import { alarmsOf, judged } from './measure.ts';

/**
 * What is said against the honest server, though it keeps its contract. A mended suite shortens these lists.
 * The sheet may state `refusal` of a lifecycle whose things a PUT creates, and the suite has nothing that judges it.
 */
const knownOfFree = ['error lifecycle.Flag.refused'];

const cases = ['current', 'mismatch', 'weak', 'list', 'any', 'required', 'exists', 'changed'];

const known = [
  ...knownOfFree,
  // An empty patch is taken for a change: the body of the fixtures has one member, which the suite leaves out.
  'fail resource.flags.patched',
  'fail conditional-write.patchFlag.changed',
  // Nothing judges If-Match at the calls that change a state.
  ...['archiveFlag', 'unarchiveFlag'].flatMap((operation) =>
    cases.map((one) => `error conditional-write.${operation}.${one}`),
  ),
  // The occasion of a PUT is sent to a flag that exists, without If-Match.
  'finding fixture',
];

const noticed = [
  'rollout-rounded-by-patch',
  'patch-race',
  'descending-turns',
  'filters-not-together',
  'other-account-switches',
  'other-account-audit',
  'flags-outlive-environment',
  'deleted-environments-count',
  'request-id-lost-on-304',
];

const noticedOfFree = [
  ...noticed,
  'labels-replaced-whole',
  'description-null',
  'replace-keeps-rollout',
  'archiving-keeps-tag',
];

const table = process.env['TALLYSTICK_TABLE'];

const forms = [
  { form: 'flags', measuredOf: measuredFlags, known, noticed },
  {
    form: 'flags, archived without If-Match',
    measuredOf: measuredFlagsFree,
    known: knownOfFree,
    noticed: noticedOfFree,
  },
] as const;

const said = async (
  measuredOf: typeof measuredFlags,
  faults: readonly string[],
): Promise<readonly string[]> => {
  const alarms = alarmsOf(await judged(await measuredOf(), faults));
  if (table !== undefined) appendFileSync(table, `${JSON.stringify({ fault: faults.join(), alarms })}\n`);
  return alarms
    .filter(([, about]) => about !== 'unjudgeable')
    .map(([verdict, about]) => `${verdict} ${about}`);
};

test.each(forms)('$form: nothing new is said against an honest server', async (one) => {
  const alarms = await said(one.measuredOf, []);
  expect(alarms.filter((alarm) => !one.known.includes(alarm))).toEqual([]);
});

const tried = forms.flatMap((one) =>
  FLAG_FAULTS.filter(({ name }) => table !== undefined || one.noticed.includes(name)).map(({ name }) => ({
    ...one,
    name,
  })),
);

test.each(tried)('$form: $name is noticed', async ({ name, measuredOf, known, noticed }) => {
  const alarms = await said(measuredOf, [name]);
  const fails = alarms.filter((alarm) => alarm.startsWith('fail ') && !known.includes(alarm));
  if (noticed.includes(name)) expect(fails).not.toEqual([]);
});
