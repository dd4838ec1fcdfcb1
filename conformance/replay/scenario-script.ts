import { shellWord, visible } from '../../contract/index.ts';
import { courseOf, isBefore, sentBefore } from '../exchanges/course.ts';
import { bodyPipe, curlArguments } from './curl-line.ts';
import { originOf } from './repeat.ts';
import type { Report, RuleResult, StoredExchange } from '../verdicts/report.ts';
import { citation } from '../reports/citation.ts';
import { neededSecrets, secretLines } from './script-secrets.ts';
import { ScriptValues, textOf } from './script-values.ts';
import { shellFunctions } from './shell-functions.ts';
import { valuesOf } from '../schemas/taken-values.ts';

/**
 * A shell script that repeats the scenario that broke a rule: all requests in order, concurrent ones
 * together. `undefined` if the report has no exchange of it.
 */
export function scenarioScript(report: Report, rule: RuleResult): string | undefined {
  const course = courseOf(report.exchanges, rule);
  const [deciding] = rule.failures?.[0]?.exchanges ?? rule.exchanges;
  // Ids become names of variables and files.
  if (deciding === undefined || course.length === 0 || !course.every(({ id }) => /^x\d+$/.test(id)))
    return undefined;
  const all = [...neededSuppliers(report, course), ...course];
  const sent = all.slice(-MOST_REQUESTS);
  const values = new ScriptValues(sent);
  const steps = stepsOf(sent, values, report, deciding);
  const servers = serversOf(sent, report);
  const secrets = neededSecrets(sent, steps.join('\n'));
  const usage = `sh ${rule.id}.sh ${servers.map((_, index) => `BASE_URL${index === 0 ? '' : index + 1}`).join(' ')}`;
  const left = all.length - sent.length;
  return [
    '#!/bin/sh',
    `# ${visible(`${rule.id} (${rule.level}): ${rule.says}`)}`,
    note('cites', citation(rule)),
    note('expected', rule.expected),
    note('got', rule.observed),
    `# Sends the requests of the scenario again; ${deciding} decided. To send them to another server: ${usage}`,
    ...(left === 0 ? [] : [`# The first ${left} requests are left out.`]),
    '',
    ...servers.map((origin, index) => `server${index + 1}=\${${index + 1}:-${shellWord(origin)}}`),
    ...secretLines(secrets),
    `secrets=${shellWord(secrets.map(({ name }) => name).join(' '))}`,
    shellFunctions,
    ...values.assignments
      .filter(({ after }) => after === undefined)
      .map(({ variable, command }) => `${variable}=$(${command})`),
    ...steps,
    '',
  ].join('\n');
}

// --- internal ---

const MOST_REQUESTS = 300;

/** The pause between two requests, in milliseconds, from which it counts as part of the scenario. */
const LONGEST_ACCIDENT = 500;
const LONGEST_ACCIDENT_IN_A_RACE = 50;

const LONGEST_READ_S = 30;
const LONGEST_RUN_S = 150;

/** The requests of resources, up to the answers whose values the scenario uses. */
function neededSuppliers(report: Report, course: readonly StoredExchange[]): readonly StoredExchange[] {
  const offered = sentBefore(report.exchanges, course).slice(-MOST_REQUESTS);
  const values = new ScriptValues([]);
  for (const one of offered) values.offer(valuesOf(one));
  const own = course.map((one) => textOf(one)).join('\n');
  const sources = new Set(values.sourcesOf(own));
  const last = offered.findLastIndex(({ id }) => sources.has(id));
  const courses = new Set(
    offered
      .slice(0, last + 1)
      .filter(({ id }) => sources.has(id))
      .map((one) => one.course),
  );
  return offered.slice(0, last + 1).filter((one) => courses.has(one.course));
}

function serversOf(sent: readonly StoredExchange[], { target }: Report): readonly string[] {
  return [...new Set(sent.map((exchange) => originOf(exchange, target)))];
}

function stepsOf(
  sent: readonly StoredExchange[],
  values: ScriptValues,
  report: Report,
  deciding: string,
): readonly string[] {
  const servers = serversOf(sent, report);
  const lines: string[] = [];
  const open: StoredExchange[] = [];
  const finish = (exchange: StoredExchange): void => {
    const then =
      exchange.answer === undefined ? (exchange.failure ?? 'no response') : String(exchange.answer.status);
    const mark = exchange.id === deciding ? ', this one decided' : '';
    lines.push(
      `show ${exchange.id} ${shellWord(visible(`${exchange.request.method} ${exchange.request.target}`))} ${shellWord(visible(`${then}${mark}`))}`,
    );
    values.offer(valuesOf(exchange));
  };
  const close = (closed: readonly StoredExchange[]): void => {
    if (closed.length === 0) return;
    lines.push(`wait ${closed.map(({ id }) => `"$${id}"`).join(' ')}`);
    for (const exchange of closed) {
      open.splice(open.indexOf(exchange), 1);
      finish(exchange);
    }
  };
  for (const [index, exchange] of sent.entries()) {
    close(open.filter(({ id }) => exchange.during?.includes(id) !== true));
    const pause = pauseBefore(exchange, sent.slice(0, index));
    const isBackground = sent.some(({ during }) => during?.includes(exchange.id) === true);
    lines.push('', ...notesOf(exchange), ...(pause === undefined ? [] : [`sleep ${pause}`]));
    const server = `server${servers.indexOf(originOf(exchange, report.target)) + 1}`;
    lines.push(
      // Assignments for this request are written at the point where their answer is known.
      `${bodyPipe(exchange)}send ${exchange.id} --max-time ${patience(exchange)} ${curlArguments(exchange, { variable: server }, (text) => values.piecesOf(text))}${isBackground ? ` & ${exchange.id}=$!` : ''}`,
    );
    if (isBackground) open.push(exchange);
    else finish(exchange);
  }
  close([...open]);
  return withAssignments(lines, values);
}

/** A variable is assigned as soon as the answer with its value has arrived. */
function withAssignments(lines: readonly string[], { assignments }: ScriptValues): readonly string[] {
  return lines.flatMap((line) => {
    const id = /^show (\w+) /.exec(line)?.[1];
    const own = assignments.filter(({ after }) => after !== undefined && after === id);
    return [line, ...own.map(({ variable, command }) => `${variable}=$(${command})`)];
  });
}

/** Seconds; `undefined` if the requests simply followed one another. */
function pauseBefore(exchange: StoredExchange, earlier: readonly StoredExchange[]): string | undefined {
  const [latest] = earlier
    .filter(({ api }) => api === exchange.api)
    .sort((a, b) => (isBefore(a, b) ? 1 : -1));
  if (latest === undefined) return undefined;
  const isOpen = exchange.during?.includes(latest.id) === true;
  const since = latest.startedAtMs + (isOpen ? 0 : latest.durationMs);
  const gap = Math.round(exchange.startedAtMs - since);
  return gap > (isOpen ? LONGEST_ACCIDENT_IN_A_RACE : LONGEST_ACCIDENT) ? String(gap / 1000) : undefined;
}

/**
 * The time limit of curl in seconds: the suite itself disconnected from some, and watched others for a while.
 */
function patience({ request, answer, failure, durationMs }: StoredExchange): string {
  const isStream = answer?.headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /event-stream/i.test(value),
  );
  if (isStream === true) return String(Math.ceil(durationMs / 1000) + 1);
  if (failure === 'the suite closed the connection') return String(Math.max(durationMs, 10) / 1000);
  return String(['GET', 'HEAD', 'OPTIONS'].includes(request.method) ? LONGEST_READ_S : LONGEST_RUN_S);
}

/** Requests that the script cannot repeat exactly. */
function notesOf({ id, request: { target, headers, body } }: StoredExchange): readonly string[] {
  const notes: string[] = [];
  if (body?.cut === true)
    notes.push(`# ${id}: the report has only a part of the ${body.bytes} bytes of this body; see --keep.`);
  if ([target, ...headers.map(([, value]) => value), body?.text ?? ''].some((text) => text.includes('…')))
    notes.push(`# ${id}: the report hides a secret of this request; put it where … is.`);
  return notes;
}

function note(name: string, text: string | undefined): string {
  return `#   ${name.padEnd(9)}${visible(text ?? '')}`;
}
