/** `npm run kill-matrix`: every deviation of the mock must turn its rule red, and no other that it does not declare. */
import type { Report } from '../../conformance/index.ts';
import { deviationsOf, judgeKill, judgeMock } from './matrix.ts';
import { settingFor } from './settings.ts';
import type { Kill } from './matrix.ts';
import { renderKills } from './table.ts';

const apis = ['router', 'registry', 'jobs'];
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const deviations = apis
  .flatMap((api) => deviationsOf(api))
  .filter(({ id }) => wanted.length === 0 || wanted.some((part) => id.includes(part)));
const cleanRuns = new Map<string, Report>();
const kills: Kill[] = [];
const startedAt = performance.now();
for (const deviation of deviations) {
  const { name, setting } = settingFor(deviation);
  const clean = cleanRuns.get(name) ?? (await judgeMock(setting));
  cleanRuns.set(name, clean);
  kills.push(judgeKill(deviation, clean, await judgeMock(setting, [deviation.id])));
  if (process.stderr.isTTY)
    process.stderr.write(`\r  ${kills.length}/${deviations.length} ${deviation.id}\u001b[K`);
}
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
console.log(renderKills(kills, (performance.now() - startedAt) / 1000));
const isSound = ({ killed, strays, idle, mute }: Kill): boolean =>
  killed && strays.length + idle.length === 0 && !mute;
process.exitCode = kills.length > 0 && kills.every(isSound) ? 0 : 1;
