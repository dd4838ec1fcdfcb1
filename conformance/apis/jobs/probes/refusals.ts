import { check, undecided } from '../../../scenarios/check.ts';
import { isObject, isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { NotExercised, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { isNodeErrors, namesNodes } from '../wire/job.ts';
import {
  CANCEL,
  EVENTS,
  READ,
  bodyOf,
  codeOf,
  events,
  randomId,
  read,
  sketchRefusal,
  submit,
  besideGoodNodes,
  keyed,
  twiceOver,
  withEmptyNode,
  withSibling,
} from './job.ts';

/** Refused in the submission itself. The status and the code are open; a server error is not a refusal. */
export function refused(rule: string, answer: Exchange, what: string): Check {
  if (answer.status >= 500) return undecided(rule, answer, `the server failed: ${sketchRefusal(answer)}`);
  return check(rule, answer, answer.status >= 400, `a refusal of ${what}`, sketchRefusal(answer));
}

export const NODE_ERRORS = 'jobs.submit.node-errors';

/** Document 3, Error body, row error.details, and Errors, item 2: a graph problem with details by node. */
export function judgeNodeErrors(answer: Exchange): Check {
  const nodes = member(member(member(answer.json, 'error'), 'details'), 'node_errors');
  const isFull =
    isNodeErrors(nodes) &&
    Object.values(nodes as object).some((list) => (list as []).length > 0) &&
    namesNodes(nodes, answer);
  const expected = 'details.node_errors: lists of field and reason by the ID of a node';
  return check(NODE_ERRORS, answer, isFull, expected, sketch(nodes));
}

export const reservedMembers = scenario({
  id: 'jobs.submit.reserved-members',
  api: 'jobs',
  title: 'submissions with reserved members and unknown extra data',
  permissions: ['negatives'],
  needs: ['job.ok'],
  judges: [
    'jobs.submit.webhook-url-rejected',
    'jobs.submit.inputs-rejected',
    'jobs.submit.reserved-null',
    'jobs.submit.extra-data-closed',
  ],
  severalCases: [
    'jobs.submit.webhook-url-rejected',
    'jobs.submit.inputs-rejected',
    'jobs.submit.reserved-null',
    'jobs.submit.extra-data-closed',
  ],
  requests: { submit: { ...submit, times: 23 }, other: submit },
  run: async function* ({ send, fixtures, freshKey }) {
    const ok = bodyOf(fixtures, 'ok');
    const withMember = (name: string, value: unknown): Promise<Exchange> =>
      send('submit', { body: withSibling(fixtures, ok, name, value) });
    // Document 3, Submit request, rows webhook_url and inputs; Versioning, item 2: rejected if present.
    for (const url of ['https://tallystick.invalid/hook', '', false, 0, {}])
      yield refused(
        'jobs.submit.webhook-url-rejected',
        await withMember('webhook_url', url),
        `webhook_url: ${JSON.stringify(url)}`,
      );
    for (const inputs of [{}, [], { seed: 1 }, 'seed', false])
      yield refused(
        'jobs.submit.inputs-rejected',
        await withMember('inputs', inputs),
        `inputs: ${JSON.stringify(inputs)}`,
      );
    const both = withSibling(fixtures, ok, 'webhook_url', 'https://tallystick.invalid/hook');
    const allowed = fixtures.job?.['allowedExtraData'];
    const known = isObject(allowed) ? allowed : {};
    for (const [rule, name, value] of [
      ['jobs.submit.webhook-url-rejected', 'webhook_url', 'https://tallystick.invalid/hook'],
      ['jobs.submit.inputs-rejected', 'inputs', {}],
    ] as const)
      yield refused(
        rule,
        await send('submit', {
          ...keyed(
            withSibling(fixtures, withSibling(fixtures, ok, name, value), 'extra_data', known),
            freshKey(),
          ),
          // RFC 9112, section 7.1: a recipient reads chunks.
          isChunked: true,
        }),
        `${name} beside extra_data, with a key and in chunks`,
      );
    yield refused(
      'jobs.submit.inputs-rejected',
      await send('submit', { body: withSibling(fixtures, both, 'inputs', {}) }),
      'inputs together with a webhook_url',
    );
    // The same rows (inference): null is present too.
    for (const name of ['webhook_url', 'inputs']) {
      yield refused('jobs.submit.reserved-null', await withMember(name, null), `${name}: null`);
    }
    // The same table, row extra_data: only enumerated keys.
    const [name] = Object.keys(known);
    for (const [index, extra] of [
      { tallystick_unknown: 1 },
      { ...known, tallystick_unknown: {} },
      { tallystick_unknown: null },
      { '': '' },
      // A name similar to a known one, but different.
      ...(name === undefined ? [] : [{ [inOtherCase(name)]: known[name] }, { [`${name} `]: known[name] }]),
    ].entries())
      yield refused(
        'jobs.submit.extra-data-closed',
        await send('submit', {
          ...(index === 2
            ? keyed(withSibling(fixtures, ok, 'extra_data', extra), freshKey())
            : { body: withSibling(fixtures, ok, 'extra_data', extra) }),
          isChunked: index === 1,
        }),
        `an unknown key in extra_data: ${JSON.stringify(extra)}`,
      );
    // It is an object.
    for (const extra of ['tallystick', ['tallystick']])
      yield refused(
        'jobs.submit.extra-data-closed',
        await withMember('extra_data', extra),
        `extra_data that is not an object: ${JSON.stringify(extra)}`,
      );
    // For the shape of its errors: the inner structure of the graph is not documented.
    await send('other', { body: withEmptyNode(fixtures, ok) });
  },
});

/** Member names are case-sensitive. */
function inOtherCase(name: string): string {
  return name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase();
}

export const badGraph = scenario({
  id: 'jobs.submit.bad-graph',
  api: 'jobs',
  title: 'an invalid graph',
  permissions: ['negatives'],
  needs: ['job.invalid'],
  judges: ['jobs.submit.sync-validation', 'jobs.submit.invalid-workflow', 'jobs.submit.node-errors'],
  severalCases: ['jobs.submit.sync-validation', 'jobs.submit.invalid-workflow', 'jobs.submit.node-errors'],
  requests: { submit: { ...submit, times: 2 } },
  run: async function* ({ send, fixtures }) {
    const invalid = bodyOf(fixtures, 'invalid');
    for (const body of [invalid, twiceOver(fixtures, invalid)]) {
      const answer = await send('submit', { body });
      // Document 3, POST /api/v2/jobs: validation is synchronous.
      yield refused('jobs.submit.sync-validation', answer, 'an invalid graph');
      if (isSuccess(answer)) return;
      // Document 3, Errors, item 2: the code of a graph problem.
      yield check(
        'jobs.submit.invalid-workflow',
        answer,
        codeOf(answer) === 'invalid_workflow',
        'code invalid_workflow',
        sketchRefusal(answer),
      );
      yield judgeNodeErrors(answer);
    }
  },
});

export const otherBadGraphs = [
  {
    id: 'unknown-class',
    fixture: 'unknownClass',
    rule: 'jobs.submit.unknown-class',
    what: 'an unknown node class',
  },
  {
    id: 'unknown-asset',
    fixture: 'unknownAsset',
    rule: 'jobs.submit.asset-exists',
    what: 'an asset that does not exist',
  },
  {
    id: 'foreign-asset',
    fixture: 'foreignAsset',
    rule: 'jobs.submit.asset-owned',
    what: "another account's asset",
  },
].map(({ id, fixture, rule, what }) =>
  scenario({
    id: `jobs.submit.${id}`,
    api: 'jobs',
    title: `a submission with ${what}`,
    permissions: ['negatives'],
    needs: [`job.${fixture}`],
    judges: [rule, ...(id === 'unknown-class' ? [NODE_ERRORS] : [])],
    severalCases: [rule],
    requests: { submit: { ...submit, times: 8 } },
    run: async function* ({ send, fixtures, freshKey }) {
      const body = bodyOf(fixtures, fixture);
      // Document 3, POST /api/v2/jobs, and Submit request, last paragraph: validated in the call, every reference.
      const answer = await send('submit', { body });
      yield refused(rule, answer, what);
      if (id === 'unknown-class' && codeOf(answer) === 'invalid_workflow') yield judgeNodeErrors(answer);
      // What is refused without a key is refused with one.
      yield refused(rule, await send('submit', keyed(body, freshKey())), `${what}, with a key`);
      for (const beside of besideGoodNodes(fixtures, body))
        yield refused(rule, await send('submit', { body: beside }), `${what}, together with valid nodes`);
      for (const [index, wrap] of WRAPPED.entries()) {
        const deeper = withReferences(body, wrap);
        if (deeper === body) return;
        const inside = await send('submit', { body: deeper, isChunked: index === 0 });
        yield refused(rule, inside, `${what}, further inside`);
      }
    },
  }),
);

/** A reference further inside, with its members in another order (RFC 8259, section 4), and with one more. */
const WRAPPED: readonly ((reference: object) => unknown)[] = [
  (one) => [Object.fromEntries(Object.entries(one).toReversed())],
  (one) => ({ tallystick: [{ within: { tallystick: 1, ...one } }] }),
];

/** The graph with another value in place of each asset reference; the graph itself if it has none. */
function withReferences(graph: unknown, change: (reference: object) => unknown): unknown {
  if (Array.isArray(graph)) {
    const items = graph.map((one) => withReferences(one, change));
    return items.some((one, index) => one !== graph[index]) ? items : graph;
  }
  if (!isObject(graph)) return graph;
  // The name of the member with the kind is not documented.
  if (Object.values(graph).includes('core/ASSET')) return change(graph);
  const members = Object.entries(graph).map(([name, one]) => [name, withReferences(one, change)] as const);
  return members.some(([name, one]) => one !== graph[name]) ? Object.fromEntries(members) : graph;
}

export const editorFormat = scenario({
  id: 'jobs.submit.editor-format',
  api: 'jobs',
  title: 'an export of the user interface',
  permissions: ['negatives'],
  needs: ['job.uiFormat'],
  judges: ['jobs.submit.ui-format'],
  severalCases: ['jobs.submit.ui-format'],
  requests: { submit: { ...submit, times: 4 } },
  run: async function* ({ send, fixtures, freshKey }) {
    const whole = bodyOf(fixtures, 'uiFormat');
    const [nodes, links] = [member(whole, 'nodes'), member(whole, 'links')];
    // Document 3, Submit request, row body: nodes and links make it a graph, regardless of other members that
    // an editor writes.
    const bare = Array.isArray(nodes) && Array.isArray(links) && nodes.length > 0 ? [{ links, nodes }] : [];
    // Row extra_data: allowed members beside a graph change nothing.
    const allowed = fixtures.job?.['allowedExtraData'];
    const beside = isObject(allowed) ? [withSibling(fixtures, whole, 'extra_data', allowed)] : [];
    const bodies = [whole, ...bare, ...beside];
    // A key makes no difference to it.
    for (const call of [...bodies.map((body) => ({ body })), keyed(whole, freshKey())]) {
      const answer = await send('submit', call);
      const named = !isSuccess(answer) && codeOf(answer) === 'workflow_format_ui';
      yield check('jobs.submit.ui-format', answer, named, 'code workflow_format_ui', sketchRefusal(answer));
    }
  },
});

export const malformed = scenario({
  id: 'jobs.submit.malformed',
  api: 'jobs',
  title: 'a submission that is not JSON',
  permissions: ['negatives'],
  judges: ['jobs.submit.malformed-json'],
  severalCases: ['jobs.submit.malformed-json'],
  requests: { submit: { ...submit, times: 6 }, other: { ...submit, times: 4 } },
  run: async function* ({ send, fixtures, freshKey }) {
    const ok = JSON.stringify(bodyOf(fixtures, 'ok') ?? { a: 1 });
    // Texts that are almost JSON, which some parsers accept.
    const slips = [`${ok.slice(0, -1)},}`, `${ok} text`, `${ok}${ok}`, ok.replaceAll('"', "'")];
    for (const [index, body] of ['{', '{"a":}', ...slips].entries()) {
      const answer = await send('submit', index === 1 ? keyed(body, freshKey()) : { body });
      // Document 3, Error body: an error, in the shape of errors.
      const shaped = answer.status >= 400 && answer.status < 600 && codeOf(answer) !== undefined;
      yield check(
        'jobs.submit.malformed-json',
        answer,
        shaped,
        'an error with a code',
        sketchRefusal(answer),
      );
    }
    // For the shape of its errors: the place of the graph in a body is not documented.
    for (const body of ['{}', '[]', 'null', '"text"']) await send('other', { body });
  },
});

export const unknownJob = scenario({
  id: 'jobs.read.unknown-job',
  api: 'jobs',
  title: 'a job that does not exist',
  judges: ['jobs.read.unknown', 'jobs.sse.unknown-job'],
  requests: {
    read,
    events,
  },
  run: async function* ({ send, watch, random }) {
    const fill = { id: randomId(random) };
    // Document 3, Errors, item 3: its status is not documented.
    const read = await send('read', { fill });
    yield check('jobs.read.unknown', read, !isSuccess(read), 'no success', sketchRefusal(read));
    const { exchange, ended } = await watch('events', {
      fill,
      timeoutMs: 5000,
      until: (events) => events.length > 0,
    });
    const got = `${sketchRefusal(exchange)}${ended === 'timeout' ? ', still open after 5 s' : ''}`;
    yield check('jobs.sse.unknown-job', exchange, !isSuccess(exchange), 'a refusal and no stream', got);
  },
});

export const cancelUnknown = scenario({
  id: 'jobs.cancel.unknown-job',
  api: 'jobs',
  title: 'cancelling a job that does not exist',
  permissions: ['negatives'],
  judges: ['jobs.cancel.unknown'],
  requests: { cancel: { method: 'POST', target: CANCEL, as: 'jobOwner', times: 1 } },
  run: async function* ({ send, random }) {
    // Document 3, Errors, item 3 (inference).
    const answer = await send('cancel', { fill: { id: randomId(random) } });
    yield check('jobs.cancel.unknown', answer, !isSuccess(answer), 'no success', sketchRefusal(answer));
  },
});

export const withoutCredential = scenario({
  id: 'jobs.auth.without-credential',
  api: 'jobs',
  title: 'the four operations without a credential',
  surfaces: ['cloud', 'serverless'],
  judges: ['jobs.auth.required'],
  severalCases: ['jobs.auth.required'],
  requests: {
    submit: { ...submit, as: 'none' },
    read: { method: 'GET', target: READ, as: 'none', times: 1 },
    cancel: { method: 'POST', target: CANCEL, as: 'none', times: 1 },
    events: { method: 'GET', target: EVENTS, as: 'none', times: 1 },
  },
  run: async function* ({ send, watch, fixtures, random }) {
    const fill = { id: randomId(random) };
    const answers = [
      await send('submit', { body: bodyOf(fixtures, 'ok') ?? {} }),
      await send('read', { fill }),
      await send('cancel', { fill }),
      (await watch('events', { fill, timeoutMs: 5000, until: (events) => events.length > 0 })).exchange,
    ];
    for (const answer of answers) {
      // Document 3, Authentication, item 1: keys on these surfaces. The status is not documented.
      yield check('jobs.auth.required', answer, !isSuccess(answer), 'no success', sketchRefusal(answer));
    }
  },
});

export const openSurface = (surface: 'self-hosted' | 'demo', rule: string) =>
  scenario({
    id: `jobs.auth.open-${surface}`,
    api: 'jobs',
    title: `the four operations without a credential on the surface ${surface}`,
    surfaces: [surface],
    judges: [rule],
    severalCases: [rule],
    requests: {
      read: { method: 'GET', target: READ, as: 'none', times: 1 },
      submit: { ...submit, as: 'none' },
      cancel: { method: 'POST', target: CANCEL, as: 'none', times: 1 },
      events: { method: 'GET', target: EVENTS, as: 'none', times: 1 },
    },
    run: async function* ({ send, watch, fixtures, random }) {
      if (fixtures.staticToken !== undefined)
        throw new NotExercised('surface', 'needs an instance without a static token');
      // Document 3, Authentication, items 2 and 3: no credential is required. The job does not exist, so any
      // answer except a refusal of the caller conforms.
      const fill = { id: randomId(random) };
      for (const answer of [
        await send('read', { fill }),
        await send('submit', { body: '{' }),
        await send('cancel', { fill }),
        (await watch('events', { fill, timeoutMs: 5000, until: (seen) => seen.length > 0 })).exchange,
      ]) {
        const open = answer.status !== 401 && answer.status !== 403;
        yield check(rule, answer, open, 'neither 401 nor 403', sketchRefusal(answer));
      }
    },
  });

// --- internal ---
