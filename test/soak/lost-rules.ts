/**
 * Whether a rule that a healthy server exercises can get lost in silence: `npm run soak -- lost-rules`. The whole suite
 * on each server of `test/conformance/sick-answers.ts`; CI tries every third. Exit 1 where a run is as green as before
 * and has seen less.
 */
import { legal, lostInSilence } from '../conformance/lost-rules.ts';
import { sicknesses } from '../conformance/sick-answers.ts';
import { writeSection } from './page.ts';

let silent = 0;
for (const sickness of sicknesses) {
  const lost = await lostInSilence(sickness);
  if (lost.length > 0 === sickness.name in legal) continue;
  silent += 1;
  process.stdout.write(
    `${sickness.name}: ${lost.join('; ') || 'nothing is lost, although it is expected'}\n`,
  );
}
const rows = [
  ['servers', 'that may leave something out', 'rules lost in silence'],
  [String(sicknesses.length), String(Object.keys(legal).length), String(silent)],
];
process.stdout.write(`${writeSection('lost-rules', rows)}\n`);
process.exitCode = silent > 0 ? 1 : 0;
