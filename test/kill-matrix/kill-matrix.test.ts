import { expect, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { deviationsOf, judgeKill, judgeMock } from './matrix.ts';
import { settingFor } from './settings.ts';

const cleanRuns = new Map<string, Promise<Report>>();

test.each(
  ['router', 'registry'].flatMap(deviationsOf).map((deviation) => [deviation.id, deviation] as const),
)('%s turns its rule red and no other that it does not declare', async (_, deviation) => {
  const { name, setting } = settingFor(deviation);
  const clean = cleanRuns.get(name) ?? judgeMock(setting);
  cleanRuns.set(name, clean);
  const kill = judgeKill(deviation, await clean, await judgeMock(setting, [deviation.id]));
  expect(kill).toMatchObject({ killed: true, strays: [], idle: [], mute: false });
});
