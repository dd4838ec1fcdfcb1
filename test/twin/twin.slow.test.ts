// @module-tag long
import { expect, test } from 'vitest';
import { noticedIn, twinDocument } from './document.ts';
import { floor } from './floor.ts';
import { knownAlarms } from './known-alarms.ts';
import { tryTwins } from './trials.ts';

test('the templates and the document probes alone notice no less than before, and raise no other alarm', async () => {
  const { ofEach, noticed } = floor.sample;
  const trial = await tryTwins({ sample: ofEach });
  expect(trial.fates).toHaveLength(3 * ofEach);
  expect([...new Set(trial.alarms.map(({ rule }) => rule))]).toEqual(Object.keys(knownAlarms));
  expect(noticedIn(trial.fates)).toBeGreaterThanOrEqual(noticed);
  const page = twinDocument(trial);
  for (const { deviation, miss } of trial.fates)
    expect.soft(page.includes(`\`${deviation.id}\``), deviation.id).toBe(miss !== undefined);
}, 900_000);
