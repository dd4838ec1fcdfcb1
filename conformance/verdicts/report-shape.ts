import { baselineSchema } from './baseline.ts';
import { ShapeError, checkedJson } from '../schemas/checked-json.ts';
import type { Report } from './report.ts';
import { findingKinds, verdicts } from './report.ts';
import { repeatOf } from '../replay/repeat.ts';

/**
 * Validates a report.json, which is untrusted: its content is shown to people, and sent again on request. The
 * commands for that are built again from its exchanges.
 *
 * @throws {ShapeError} when it is not a report
 */
export function parseReport(text: string): Report {
  const report = checkedJson(text, reportSchema) as Report;
  const { target, startedAt } = report;
  if (Number.isNaN(Date.parse(startedAt))) throw new ShapeError('/startedAt must be a date with time');
  for (const [place, url] of [
    ['/target/baseUrl', target.baseUrl],
    ...Object.entries(target.origins ?? {}).map(([api, origin]) => [`/target/origins/${api}`, origin]),
  ])
    if (url === undefined || !URL.canParse(url)) throw new ShapeError(`${place} must be an address`);
  const rules = report.rules.map((rule) => ({
    ...rule,
    repeat: rule.repeat === undefined ? undefined : repeatOf(report, rule),
  }));
  return { ...report, rules };
}

// --- internal ---

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
/** Excludes `__proto__`. */
const name = { type: 'string', maxLength: 200, pattern: '^[A-Za-z][\\w.-]*$' };
const names = { type: 'array', items: name };
const url = { type: 'string', maxLength: 10_000, pattern: '^https?://' };
/** A span of time of at most some years, in milliseconds. */
const span = { type: 'number', minimum: -1e12, maximum: 1e12 };

const object = (members: Readonly<Record<string, object>>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties: members,
  required: Object.keys(members).filter((member) => !optional.includes(member)),
});
const list = (items: object): object => ({ type: 'array', items });
const byName = (items: object): object => ({
  type: 'object',
  propertyNames: name,
  additionalProperties: items,
});

const level = { enum: ['must', 'must-not', 'should', 'client', 'info'] };
const headers = list({ type: 'array', prefixItems: [text, text], minItems: 2, maxItems: 2 });
const body = object({ bytes: count, text, encoding: { enum: ['text', 'base64'] }, cut: { type: 'boolean' } });

const rule = object(
  {
    id: name,
    api: name,
    level,
    operation: { type: 'string', maxLength: 1000 },
    says: text,
    source: object({ document: count, title: text, url, section: text, item: text }, ['title', 'url']),
    sheet: object({ file: text, line: count }),
    verdict: { enum: verdicts },
    reason: text,
    missing: text,
    fixtureLine: text,
    expected: text,
    observed: text,
    exchanges: names,
    checks: count,
    failed: count,
    failures: list(object({ expected: text, observed: text, cause: text, exchanges: names }, ['cause'])),
    repeat: object({ replay: text, curl: text }),
  },
  ['operation', 'sheet', 'reason', 'missing', 'fixtureLine', 'expected', 'observed', 'failures', 'repeat'],
);

const request = object(
  {
    // A token in the sense of HTTP.
    method: { type: 'string', maxLength: 100, pattern: "^[\\w!#$%&'*+.^`|~-]+$" },
    target: text,
    as: text,
    headers,
    body,
    keyParameter: text,
  },
  ['body', 'keyParameter'],
);

const exchange = object(
  {
    id: name,
    api: name,
    scenario: text,
    course: name,
    during: names,
    startedAtMs: span,
    durationMs: span,
    request,
    answer: object(
      {
        status: { type: 'integer', minimum: 0, maximum: 999 },
        headers,
        body,
        unreadable: text,
        compressed: text,
      },
      ['body', 'unreadable', 'compressed'],
    ),
    failure: text,
  },
  ['course', 'during', 'answer', 'failure'],
);

const gate = object(
  {
    strict: { type: 'boolean' },
    failInconclusive: { type: 'boolean' },
    require: list({ type: 'string', maxLength: 1000 }),
    minExercised: count,
    baseline: baselineSchema,
  },
  ['strict', 'failInconclusive', 'require', 'minExercised', 'baseline'],
);

/** Ids and tags of a document are any texts. */
const operationNames = { type: 'array', items: { type: 'string', maxLength: 1000 }, maxItems: 10_000 };

const reportSchema = object(
  {
    schemaVersion: { const: 1 },
    tool: object({ name: { const: 'tallystick' }, version: text }),
    contract: byName(text),
    target: object({ baseUrl: url, identity: text, origins: byName(url) }, ['origins']),
    status: { enum: ['judged', 'not-served', 'unreachable', 'interrupted'] },
    startedAt: { type: 'string', maxLength: 40 },
    durationMs: span,
    seed: { type: 'number' },
    settings: object(
      {
        fixturesFile: { type: 'string', maxLength: 4096 },
        contract: { type: 'string', maxLength: 8192 },
        overlays: { type: 'array', items: { type: 'string', maxLength: 4096 }, maxItems: 1000 },
        folder: { type: 'string', maxLength: 4096 },
        fuzz: { type: 'integer', minimum: 1, maximum: 10_000 },
        explore: { type: 'integer', minimum: 1, maximum: 10_000 },
        only: operationNames,
        except: operationNames,
      },
      ['fixturesFile', 'contract', 'overlays', 'folder', 'fuzz', 'explore', 'only', 'except'],
    ),
    allowed: names,
    requests: object({ sent: count, billable: count, billedAtMost: count, isBilled: { type: 'boolean' } }, [
      'billable',
      'isBilled',
    ]),
    gate,
    summary: object(Object.fromEntries(verdicts.map((verdict) => [verdict, count]))),
    findings: list(
      object(
        {
          kind: { enum: findingKinds },
          about: text,
          says: text,
          help: text,
          exchanges: names,
        },
        ['about', 'help'],
      ),
    ),
    left: list(
      object({ api: name, operation: name, exchange: name, address: text, why: text, removal: request }, [
        'address',
        'removal',
      ]),
    ),
    rules: list(rule),
    causes: list(
      object(
        {
          says: text,
          verdict: { enum: ['fail', 'warn'] },
          help: text,
          rules: names,
          operations: operationNames,
          exchanges: names,
        },
        ['help'],
      ),
    ),
    observations: list(object({ id: name, about: text, seen: list(text), exchanges: names })),
    notJudged: list(object({ id: name, api: name, level, says: text, why: text })),
    exchanges: list(exchange),
  },
  ['gate', 'left', 'settings', 'causes'],
);
