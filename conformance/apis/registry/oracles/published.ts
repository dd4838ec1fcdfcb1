import { canonical } from '../../../../contract/canonical-json.ts';
import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { isObject, isSuccess, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';

const RULES = {
  members: 'registry.publish.echo-members',
  own: 'registry.publish.own-address',
  unique: 'registry.publish.version-unique',
  task: 'proxy.skin.task-per-call',
} as const;

/**
 * Document 2, NodeVersion: the members that only the publisher determines. The registry may set the others.
 */
const SUBMITTED = [
  ...['changelog', 'dependencies', 'tags', 'supported_os', 'supported_accelerators'],
  ...['supported_app_version', 'supported_app_frontend_version'],
];

/**
 * Documents 2, POST …/versions and POST /proxy/…/creative: each success refers to the request that it
 * answers.
 */
function follow(): Look {
  const known = new Map<string, Known>();
  const isNew = (kind: string, value: string, exchange: Exchange, subject: string): Known | undefined => {
    const key = JSON.stringify([kind, value]);
    const before = known.get(key);
    if (before === undefined && known.size < MOST_KNOWN)
      known.set(key, { id: exchange.id, subject, endedAt: exchange.endedAt });
    return before;
  };
  return function* look(exchange) {
    if (!isSuccess(exchange) || exchange.request.method !== 'POST') return;
    const { target } = exchange.request;
    const place = /\/publishers\/[^/]+\/nodes\/([^/]+)\/versions$/.exec(target);
    if (place !== null) {
      const look = lookAtPublication(exchange, place[0], nodeOf(place[1]), isNew);
      yield* unlessUnreadable(exchange, [RULES.members, RULES.own, RULES.unique], look);
    }
    if (/\/proxy\/[^/]+\/v1\/ai\/skin-enhancer\/creative$/.test(target))
      yield* unlessUnreadable(exchange, [RULES.task], lookAtTask(exchange, isNew));
  };
}

function* lookAtPublication(
  exchange: Exchange,
  place: string,
  nodeId: string | undefined,
  isNew: IsNew,
): Generator<Check> {
  const sent = member(sentBody(exchange), 'node_version');
  const told = member(exchange.json, 'node_version');
  if (!isObject(sent) || !isObject(told)) return;
  const other = SUBMITTED.find(
    (name) =>
      sent[name] !== undefined && !isUnset(told[name]) && canonical(sent[name]) !== canonical(told[name]),
  );
  const node = told['node_id'];
  const isElsewhere = typeof node === 'string' && node !== '' && nodeId !== undefined && node !== nodeId;
  // These rules judge the first publication of a version; another rule judges a second one.
  yield check(
    RULES.members,
    exchange,
    other === undefined && !isElsewhere,
    'the members that were submitted, and the node of the path',
    isElsewhere ? `node_id ${sketch(node)}` : `${other ?? ''} ${sketch(told[other ?? ''])}`,
  );
  const version = sketch(sent['version']);
  const subject = JSON.stringify([place, version]);
  const twin = isNew('version', subject, exchange, subject);
  if (twin !== undefined) {
    if (twin.endedAt <= exchange.startedAt)
      yield along(
        check(RULES.unique, exchange, false, 'no second success', `version ${version} again`),
        twin,
      );
    return;
  }
  for (const [name, value] of [
    ['id', told['id']],
    ['signedUrl', member(exchange.json, 'signedUrl')],
  ] as const) {
    if (typeof value !== 'string' || value === '') continue;
    const before = isNew(name, value, exchange, subject);
    const made = check(
      RULES.own,
      exchange,
      before === undefined,
      `another ${name} for each version`,
      `that of an earlier version`,
    );
    yield before === undefined ? made : along(made, before);
  }
}

/** A server may treat two equal requests as one. */
function* lookAtTask(exchange: Exchange, isNew: IsNew): Generator<Check> {
  const task = member(member(exchange.json, 'data'), 'task_id');
  if (typeof task !== 'string' || task === '') return;
  const subject = canonical(sentBody(exchange)) ?? '';
  const before = isNew('task', task, exchange, subject);
  const isOther = before !== undefined && before.subject !== subject;
  const made = check(
    RULES.task,
    exchange,
    !isOther,
    'another task_id for each task',
    `task_id ${sketch(task)} again`,
  );
  yield before === undefined ? made : along(made, before);
}

export const published: Oracle = { api: 'registry', judges: Object.values(RULES), follow };

// --- internal ---

interface Known {
  readonly id: string;
  readonly endedAt: number;
  readonly subject: string;
}

type IsNew = (kind: string, value: string, exchange: Exchange, subject: string) => Known | undefined;

const MOST_KNOWN = 20_000;

function along(made: Check, { id }: Known): Check {
  return { ...made, exchanges: [...made.exchanges, id] };
}

function sentBody({ request }: Exchange): unknown {
  return parseJson(new TextDecoder().decode(request.body));
}

function nodeOf(segment: string | undefined): string | undefined {
  try {
    return decodeURIComponent(segment ?? '');
  } catch {
    return undefined;
  }
}

/** The possible values of an unset member. */
function isUnset(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
