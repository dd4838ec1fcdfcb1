import { expect, test } from 'vitest';
import { compareReports, renderComparison, renderReport } from '../../conformance/index.ts';
import type { Report, RuleResult, StoredExchange } from '../../conformance/index.ts';

const hostile = '</script><img src=x onerror=alert(1)> | `code` ]]> & "quoted" \u0000';

const base: Omit<RuleResult, 'id' | 'verdict'> = {
  api: 'router',
  level: 'must',
  says: 'A rule in our own words.',
  source: { document: 1, section: 'Limits', item: 'row 1' },
  reason: undefined,
  missing: undefined,
  fixtureLine: undefined,
  expected: undefined,
  observed: undefined,
  exchanges: [],
  checks: 0,
  failed: 0,
  repeat: undefined,
};

const exchange: StoredExchange = {
  id: 'x0001',
  api: 'router',
  scenario: 'router.list.limits',
  startedAtMs: 0,
  durationMs: 3,
  request: {
    method: 'GET',
    target: '/v1/models?limit=500',
    as: 'valid',
    headers: [['X-API-Key', '$API_KEY']],
    body: undefined,
  },
  answer: {
    status: 200,
    headers: [['X-Odd', hostile]],
    body: { bytes: 9, text: hostile, encoding: 'text', cut: false },
  },
  failure: undefined,
};

const rules: readonly RuleResult[] = [
  { ...base, id: 'router.list.limit-range', verdict: 'pass', exchanges: ['x0001'], checks: 4 },
  {
    ...base,
    id: 'router.list.limit-clamped',
    verdict: 'fail',
    expected: 'limit 100 echoed',
    observed: hostile,
    exchanges: ['x0001'],
    checks: 1,
    failed: 1,
    repeat: { replay: 'tallystick conform replay report.json x0001', curl: 'curl -i …' },
  },
  {
    ...base,
    id: 'router.list.limit-zero',
    level: 'should',
    verdict: 'warn',
    expected: 'this',
    observed: 'that',
    exchanges: ['x0001'],
    checks: 1,
    failed: 1,
  },
  {
    ...base,
    id: 'router.list.cursor-expired-400',
    verdict: 'not-exercised',
    reason: 'needs cursor.expired',
    missing: 'cursor.expired',
    fixtureLine: '"cursor": { "expired": "…" }',
  },
  { ...base, id: 'router.run.ok', verdict: 'inconclusive', reason: 'the server returned 429' },
  { ...base, id: 'router.run.403-forbidden', verdict: 'error', reason: 'fixture cred.forbidden: it ran p/m' },
  { ...base, id: 'router.auth.jwt', verdict: 'not-applicable', reason: 'of another surface' },
];

const report: Report = {
  schemaVersion: 1,
  tool: { name: 'tallystick', version: '1.2.3' },
  contract: { router: '2026.1' },
  target: { baseUrl: 'https://api.example.com', identity: 'API key …9f2c' },
  status: 'judged',
  startedAt: '2026-01-05T09:00:00.000Z',
  durationMs: 4800,
  seed: 7,
  allowed: ['negatives'],
  requests: { sent: 1, billedAtMost: 0 },
  summary: { pass: 1, fail: 1, warn: 1, 'not-exercised': 1, 'not-applicable': 1, inconclusive: 1, error: 1 },
  findings: [
    { kind: 'fixture', says: `fixture cred.forbidden: ${hostile}`, help: 'Mend it.', exchanges: ['x0001'] },
  ],
  rules,
  observations: [{ id: 'A-23', about: 'the order of entries', seen: [hostile], exchanges: ['x0001'] }],
  notJudged: [
    {
      id: 'router.idem.recommended',
      api: 'router',
      level: 'client',
      says: 'A rule.',
      why: 'a rule for clients',
    },
  ],
  exchanges: [exchange],
};

test('text: what is broken in full, what is missing with the line that adds it, the sum without a percentage', () => {
  expect(renderReport(report, 'text')).toMatchInlineSnapshot(`
    "  target  https://api.example.com   identity: API key …9f2c   random seed 7
      sent    1 request   allowed: reads, negatives
      router  1 pass · 1 fail · 1 warn · 1 not-exercised · 1 not-applicable · 1 inconclusive · 1 error
    ✖ fixture cred.forbidden: </script><img src=x onerror=alert(1)> | \`code\` ]]> & "quoted" \\u0000   x0001
        Mend it.
    ✖ router.list.limit-clamped   must
        rule      A rule in our own words.
        cites     document 1, Limits, row 1
        sent      GET /v1/models?limit=500
        got       </script><img src=x onerror=alert(1)> | \`code\` ]]> & "quoted" \\u0000   exchange x0001
        expected  limit 100 echoed
        repeat    tallystick conform replay report.json x0001
                  curl -i …
    ▲ router.list.limit-zero   should
        rule      A rule in our own words.
        cites     document 1, Limits, row 1
        sent      GET /v1/models?limit=500
        got       that   exchange x0001
        expected  this
    ▲ router.run.ok   must   inconclusive: the server returned 429
    ℹ 1 rule not exercised: needs cursor.expired   in the fixtures file:
        "cursor": { "expired": "…" }
    ℹ 1 observation without a verdict: A-23
      Exit 2 is about the sheet, the fixtures or the suite; the 1 finding about the server alone would be exit 1.
      7 rules: 1 pass · 1 fail · 1 warn · 1 not-exercised · 1 not-applicable · 1 inconclusive · 1 error     4.8 s     exit 2
    "
  `);
});

test('text: text of a server cannot control the terminal', () => {
  const odd = { ...(rules[1] as RuleResult), observed: 'a\u001b[2Jb\u0007\u202ec\r\n' };
  const text = renderReport({ ...report, rules: [odd] }, 'text');
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('text: with plain symbols and without colour, our own text is only ASCII', () => {
  const plain = renderReport(
    { ...report, rules: [rules[0] as RuleResult], findings: [], observations: [] },
    'text',
    { ascii: true },
  );
  expect(plain.replace('…9f2c', '')).toMatch(/^[\x20-\x7e\n]+$/);
});

test('no format states a percentage', () => {
  for (const format of ['text', 'markdown', 'junit', 'html'] as const) {
    expect(renderReport(report, format).replace(/<style>.*<\/style>/s, '')).not.toMatch(/\d ?%/);
  }
});

test('junit: well-formed, with every rule once and a reason for every skip', () => {
  const xml = renderReport(report, 'junit');
  expect(xml.match(/<testcase /g)).toHaveLength(rules.length + report.findings.length);
  expect(xml).toContain(
    '<testsuites name="tallystick conform" tests="8" failures="1" errors="2" skipped="3"',
  );
  expect(xml).toContain(
    '<skipped message="not-exercised: needs cursor.expired; add &quot;cursor&quot;: { &quot;expired&quot;: &quot;…&quot; }"/>',
  );
  expect(xml).toContain('<skipped message="inconclusive: the server returned 429"/>');
  expect(xml).not.toContain('<img');
  expect(xml).not.toContain('\u0000');
  expect(isBalanced(xml)).toBe(true);
});

test('markdown: text of a server is not interpreted as markup', () => {
  const markdown = renderReport(report, 'markdown');
  expect(markdown).toContain('| router | 1 | 1 | 1 | 1 | 1 | 1 | 1 |');
  expect(markdown.replace(/(`+)[^`].*?\1/g, '')).not.toMatch(/(?<!\\)<img/);
});

test(
  'html: one page without external requests, with every exchange, in which only its own script runs',
  { tags: 'attack' },
  () => {
    const html = renderReport(report, 'html');
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toContain('<img');
    // Links lead to rules of the page.
    expect(html.replace(/ href="#[^"]*"/g, '').replace(/"[^"]*"/g, '""')).not.toMatch(
      /<[a-z][^<>]*\s(?:src|href)=|url\(|@import/,
    );
    expect(html).toContain("default-src 'none'");
    const embedded = /<script type="application\/json" id="exchanges">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    expect(JSON.parse(embedded)).toEqual(JSON.parse(JSON.stringify(report.exchanges)));
    for (const { id } of rules) expect(html).toContain(`id="${id}"`);
  },
);

test('html: a document is named, and linked where it has an address', { tags: 'attack' }, () => {
  const cited = (source: object): string => {
    const [, broken] = rules;
    const rule = { ...(broken as RuleResult), source: { ...base.source, ...source } };
    return renderReport({ ...report, rules: [rule] }, 'html');
  };
  expect(cited({ title: 'Model <Router>' })).toContain(
    '<b>Model &lt;Router&gt;</b> (document 1), Limits, row 1',
  );
  expect(cited({ title: 'Router', url: 'https://docs.example.com/a?b&c' })).toContain(
    '<a href="https://docs.example.com/a?b&amp;c" rel="noreferrer">Router</a>',
  );
  expect(cited({ title: 'Router', url: 'javascript:alert(1)' })).toContain('<b>Router</b>');
});

test('ndjson: one JSON document per line, from the run to its sum', () => {
  const lines = renderReport(report, 'ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });
  expect(lines.at(0)).toMatchObject({ event: 'run', schemaVersion: 1, seed: 7 });
  expect(lines.filter(({ event }) => event === 'rule')).toHaveLength(rules.length);
  expect(lines.at(-1)).toMatchObject({ event: 'summary', fail: 1 });
});

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly invocations: readonly { readonly toolExecutionNotifications: readonly { level: string }[] }[];
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly { readonly physicalLocation?: unknown }[];
    }[];
  }[];
}

test('sarif: one result per broken rule, at its line in the sheet, and a notification per finding', () => {
  const sheet = { file: 'specs/router.behaviour.yaml', line: 42 };
  const placed = { ...report, rules: rules.map((rule) => ({ ...rule, sheet })) };
  const log = JSON.parse(renderReport(placed, 'sarif')) as Sarif;
  expect(log.version).toBe('2.1.0');
  const [run] = log.runs;
  expect(run?.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ['router.list.limit-clamped', 'error'],
    ['router.list.limit-zero', 'warning'],
  ]);
  for (const { ruleId, ruleIndex, locations, message } of run?.results ?? []) {
    expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(message.text).not.toBe('');
    expect(locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'specs/router.behaviour.yaml' },
      region: { startLine: 42 },
    });
  }
  expect(run?.invocations[0]?.toolExecutionNotifications).toMatchObject([
    { level: 'error', descriptor: { id: 'fixture' } },
    { level: 'error', message: { text: 'router.run.403-forbidden: fixture cred.forbidden: it ran p/m' } },
  ]);
});

interface Har {
  readonly log: {
    readonly version: string;
    readonly entries: readonly {
      readonly startedDateTime: string;
      readonly time: number;
      readonly request: { readonly url: string; readonly headers: readonly unknown[] };
      readonly response: { readonly status: number; readonly content: { readonly size: number } };
      readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
    }[];
  };
}

test('github: one command per line, and text of a server is never a command', { tags: 'attack' }, () => {
  const odd = 'got\r\n::set-output name=x::y\n##[add-mask]z %0A::stop-commands::q, a:b';
  const [pass, broken, ...rest] = rules as [RuleResult, RuleResult, ...RuleResult[]];
  const text = renderReport({ ...report, rules: [pass, { ...broken, observed: odd }, ...rest] }, 'github');
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => /^::(?:error|warning) title=[\w. -]+::/.exec(line)?.[0])).toEqual([
    '::error title=tallystick conform::',
    '::error title=router.list.limit-clamped::',
    '::error title=router.run.403-forbidden::',
    '::warning title=router.list.limit-zero::',
  ]);
  expect(lines[1]).toContain('%250A%3A%3Astop'.replaceAll('%3A', ':'));
  expect(text).not.toContain('\r');
});

test('har: every exchange with its whole address, at its time, and no answer as status 0', () => {
  const unanswered = { ...exchange, id: 'x0002', api: 'jobs', answer: undefined, failure: 'ECONNRESET' };
  const origins = { router: 'https://api.example.com', jobs: 'https://jobs.example.com' };
  const { log } = JSON.parse(
    renderReport(
      { ...report, target: { ...report.target, origins }, exchanges: [exchange, unanswered] },
      'har',
    ),
  ) as Har;
  expect(log.version).toBe('1.2');
  expect(log.entries.map(({ request, response }) => [request.url, response.status])).toEqual([
    ['https://api.example.com/v1/models?limit=500', 200],
    ['https://jobs.example.com/v1/models?limit=500', 0],
  ]);
  expect(log.entries[0]).toMatchObject({
    startedDateTime: report.startedAt,
    time: 3,
    request: { queryString: [{ name: 'limit', value: '500' }], httpVersion: 'HTTP/1.1', cookies: [] },
    response: { content: { size: 9 }, redirectURL: '' },
    cache: {},
    timings: { send: 0, wait: 3, receive: 0 },
  });
});

test.each<[string, Partial<Report>, readonly RuleResult['verdict'][], object]>([
  ['broken', {}, ['pass', 'pass', 'fail'], { message: '2 pass, 1 fail', color: 'red' }],
  ['undecided', {}, ['pass', 'inconclusive'], { message: '1 pass, 1 inconclusive', color: 'yellow' }],
  ['kept', {}, ['pass', 'not-exercised'], { message: '1 pass', color: 'green' }],
  ['nothing', {}, ['not-exercised'], { message: 'nothing judged', color: 'red' }],
  ['unreachable', { status: 'unreachable' }, [], { message: 'unreachable', color: 'red' }],
  [
    'known',
    { gate: { baseline: { known: { r1: 'fail' } } } },
    ['pass', 'fail'],
    { message: '1 pass, 1 known', color: 'yellow' },
  ],
])('badge: %s', (_, more, decided, want) => {
  const judged = decided.map((verdict, index): RuleResult => ({ ...base, id: `r${index}`, verdict }));
  const text = renderReport({ ...report, findings: [], ...more, rules: judged }, 'badge');
  expect(JSON.parse(text)).toEqual({ schemaVersion: 1, label: 'conformance', ...want });
});

test('html: a page stays under a megabyte, and what a broken rule rests on stays whole', () => {
  const long = { bytes: 4096, text: 'x'.repeat(4096), encoding: 'text', cut: false } as const;
  const many = Array.from({ length: 900 }, (_, index) => ({
    ...exchange,
    id: index === 0 ? 'x0001' : `y${String(index)}`,
    answer: { status: 200, headers: [], body: long },
  }));
  const html = renderReport({ ...report, exchanges: many }, 'html');
  expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
  const embedded = /<script type="application\/json" id="exchanges">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  const kept = JSON.parse(embedded) as StoredExchange[];
  expect(kept).toHaveLength(900);
  expect(kept[0]?.answer?.body?.text).toHaveLength(4096);
  expect(kept[1]?.answer?.body?.cut).toBe(true);
});

test('a comparison lists what broke, what was fixed, and what makes the two runs hard to compare', () => {
  const verdictOf = (verdict: RuleResult['verdict'], id: string): RuleResult => ({ ...base, id, verdict });
  const before = {
    ...report,
    rules: [verdictOf('pass', 'a'), verdictOf('fail', 'b'), verdictOf('fail', 'c'), verdictOf('pass', 'd')],
  };
  const after = {
    ...report,
    allowed: ['billed'],
    rules: [
      verdictOf('fail', 'a'),
      verdictOf('pass', 'b'),
      verdictOf('not-exercised', 'c'),
      verdictOf('pass', 'd'),
    ],
  };
  const comparison = compareReports(before, after);
  expect(comparison.broken.map(({ id }) => id)).toEqual(['a']);
  expect(comparison.mended.map(({ id }) => id)).toEqual(['b']);
  expect(comparison.otherwise.map(({ id }) => id)).toEqual(['c']);
  expect(comparison.unchanged).toBe(1);
  expect(comparison.doubts).toEqual([
    'the permissions differ: reads,negatives and reads,billed',
    'the number of exercised rules differs: 4 and 3',
  ]);
  expect(renderComparison(comparison)).toContain('✖ a   pass → fail');
  const undecided = {
    ...before,
    rules: [{ ...verdictOf('inconclusive', 'a'), reason: 'no response: ECONNRESET' }],
  };
  expect(compareReports(before, undecided)).toMatchObject({ broken: [], lost: [{ id: 'a' }, { id: 'd' }] });
  expect(renderComparison(compareReports(before, undecided))).toContain(
    '▲ a   pass → inconclusive\n    now  no response: ECONNRESET',
  );
  expect(compareReports(before, before)).toMatchObject({ broken: [], mended: [], otherwise: [], doubts: [] });
});

test('json: the report itself', () => {
  expect(JSON.parse(renderReport(report, 'json'))).toMatchObject(
    JSON.parse(JSON.stringify(report)) as object,
  );
});

function isBalanced(xml: string): boolean {
  const open: string[] = [];
  for (const [, close, name = '', selfClosing] of xml.matchAll(/<(\/?)([a-z-]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (selfClosing === '/') continue;
    if (close !== '/') open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}
