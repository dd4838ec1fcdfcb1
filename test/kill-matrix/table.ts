import { isSound } from './matrix.ts';
import type { Kill } from './matrix.ts';

/** The matrix for people: a line per deviation, the survivors and the strays in full at the end. */
export function renderKills(kills: readonly Kill[], seconds: number): string {
  const width = Math.max(0, ...kills.map(({ deviation }) => deviation.id.length));
  const lines = kills.map((kill) => {
    const { deviation, verdict } = kill;
    const more = deviation.alsoFails.filter(({ bySearch }) => bySearch !== true).length;
    const companions = more === 0 ? '' : `  with ${more} more`;
    return `${isSound(kill) ? '✔' : '✖'} ${deviation.id.padEnd(width)}  ${verdict}${companions}`;
  });
  const trouble = kills.flatMap((kill) => [
    ...(kill.killed
      ? []
      : [`survivor  ${kill.deviation.id}: ${kill.deviation.rule} came out as ${kill.verdict}`]),
    ...kill.strays.map(
      ({ rule, from, to, observed }) =>
        `stray     ${kill.deviation.id}: ${rule} went from ${from} to ${to} (${observed})`,
    ),
    ...kill.idle.map((rule) => `idle      ${kill.deviation.id}: ${rule} is declared and kept its verdict`),
    ...(kill.killed && kill.mute
      ? [`mute      ${kill.deviation.id}: the failure does not say what was seen and where it is forbidden`]
      : []),
  ]);
  const killed = kills.filter((kill) => kill.killed).length;
  const rules = new Set(kills.map(({ deviation }) => deviation.rule)).size;
  const summary = `${killed} of ${kills.length} deviations killed, ${rules} rules, ${seconds.toFixed(1)} s`;
  return [...lines, ...(trouble.length === 0 ? [] : ['', ...trouble]), '', summary].join('\n');
}
