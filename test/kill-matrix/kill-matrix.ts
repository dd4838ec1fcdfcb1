/**
 * `npm run kill-matrix`: every deviation of the mock must turn its rule red, and no other that it does not declare.
 *
 * Without more, each is tried with what judges its rule and its companions; parts of ids pick some of them. `--full` tries
 * all of them against the whole suite, looks for judgements that none of them made fail, and writes docs/kill-matrix.md.
 */
import { writeFileSync } from 'node:fs';
import { commandLine, mistaken } from '../command-line.ts';
import { deviationsOf, isSound, killAll, observedAlarms, unproven } from './matrix.ts';
import type { Kill } from './matrix.ts';
import { matrixDocument, matrixFile } from './matrix-document.ts';
import { jobsOn, surfaces, type Setting } from './settings.ts';
import { renderKills } from './table.ts';

const {
  values: { full },
  positionals: wanted,
} = commandLine(import.meta.url, {
  options: { full: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const deviations = ['router', 'registry', 'jobs']
  .flatMap((api) => deviationsOf(api))
  .filter(({ id }) => wanted.length === 0 || wanted.some((part) => id.includes(part)));
if (deviations.length === 0)
  mistaken(import.meta.url, `No id of a deviation contains ${wanted.join(' or ')}`);
const kills: Kill[] = [];
const startedAt = performance.now();
for await (const kill of killAll(deviations, full ? 'full' : 'quick', { isObserved: full })) {
  kills.push(kill);
  if (process.stderr.isTTY)
    process.stderr.write(`\r  ${kills.length}/${deviations.length} ${kill.deviation.id}\u001b[K`);
}
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
console.log(renderKills(kills, (performance.now() - startedAt) / 1000));
const isWhole = full && wanted.length === 0;
const idle = isWhole ? await unproven(kills) : [];
const settings: readonly Setting[] = [
  { apis: ['router', 'registry'] },
  ...surfaces.map((surface) => jobsOn({ surface })),
];
const alarms = isWhole ? (await Promise.all(settings.map(observedAlarms))).flat() : [];
for (const alarm of alarms) console.log(`alarm     an observer of the faithful mock says ${alarm}`);
for (const pair of idle) console.log(`unproven  ${pair}: no deviation makes it fail`);
if (isWhole) {
  writeFileSync(matrixFile, await matrixDocument(kills));
  console.log(`written: ${matrixFile}`);
}
process.exitCode = kills.length > 0 && kills.every(isSound) && idle.length + alarms.length === 0 ? 0 : 1;
