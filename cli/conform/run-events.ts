import type { Conclusion, Report, RunEvent } from '../../conformance/index.ts';
import type { Context } from '../context.ts';

/** For programs that follow a run: the numbers of the plan, each judgement, and the summary at the end. */
export function eventLines(
  { result }: Context['terminal'],
  conclude: (report: Report) => Conclusion,
): (event: RunEvent) => void {
  return (event) => {
    if (event.event === 'planned') {
      const { baseUrl, identity, requestsAtMost, billedAtMost, rulesOpen, rulesClosed } = event.plan;
      const plan = { baseUrl, identity, requestsAtMost, billedAtMost };
      const rules = { open: rulesOpen.length, closed: rulesClosed.length };
      result(JSON.stringify({ schemaVersion: 1, event: 'planned', ...plan, rules }));
    } else if (event.event === 'finished') {
      const { status, summary, findings, durationMs } = event.report;
      const { exitCode, reasons } = conclude(event.report);
      const outcome = { status, summary, findings, exitCode, reasons, durationMs };
      result(JSON.stringify({ event: 'finished', ...outcome }));
    } else result(JSON.stringify(event));
  };
}

/** A progress line on a terminal; no output elsewhere. */
export function progress(terminal: Context['terminal']): (event: RunEvent) => void {
  if (!terminal.interactive) return () => undefined;
  return (event) => {
    if (event.event === 'scenario') process.stderr.write(`\r  ${event.done}/${event.of} ${event.id}\u001b[K`);
    if (event.event === 'wait') {
      const { exchange, status, milliseconds } = event;
      process.stderr.write(`\r  waiting ${milliseconds / 1000} s: ${exchange} returned ${status}\u001b[K`);
    }
    if (event.event === 'finished') process.stderr.write('\r\u001b[K');
  };
}
