import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { isObject, isSuccess, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { isSignedUrl } from '../wire/signed-url.ts';

const RULES = {
  publish: [
    'registry.publish.201',
    'registry.publish.201-shape',
    'registry.publish.signed-url',
    'registry.publish.echo-version',
  ],
  enhance: ['proxy.skin.200', 'proxy.skin.200-shape', 'proxy.skin.task-id-uuid'],
} as const;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What each operation promises for every success, regardless of the request. */
function* look(exchange: Exchange): Generator<Check | Observation> {
  if (!isSuccess(exchange) || exchange.request.method !== 'POST') return;
  const { target } = exchange.request;
  if (/\/publishers\/[^/]+\/nodes\/[^/]+\/versions$/.test(target))
    yield* unlessUnreadable(exchange, RULES.publish, lookAtPublication(exchange));
  if (/\/proxy\/[^/]+\/v1\/ai\/skin-enhancer\/creative$/.test(target))
    yield* unlessUnreadable(exchange, RULES.enhance, lookAtEnhancement(exchange));
}

/** Document 2, POST …/versions, responses, 201: the published version is the submitted one. */
function* lookAtPublication(exchange: Exchange): Generator<Check> {
  const { status, json, request } = exchange;
  const [version, url] = ['node_version', 'signedUrl'].map((name) => member(json, name));
  yield check(RULES.publish[0], exchange, status === 201, 'status 201', String(status));
  const shaped = isObject(version) && typeof url === 'string';
  yield check(RULES.publish[1], exchange, shaped, 'an object node_version and a string signedUrl');
  if (typeof url === 'string') {
    const absolute = isSignedUrl(url);
    yield check(RULES.publish[2], exchange, absolute, 'an absolute URL', sketch(url.split('?')[0]));
  }
  const sent = member(member(parseJson(new TextDecoder().decode(request.body)), 'node_version'), 'version');
  const told = member(version, 'version');
  if (told !== undefined)
    yield check(RULES.publish[3], exchange, told === sent, `version ${sketch(sent)}`, sketch(told));
}

/** Document 2, Skin enhancer response, table. */
function* lookAtEnhancement(exchange: Exchange): Generator<Check> {
  const { status } = exchange;
  yield check(RULES.enhance[0], exchange, status === 200, 'status 200', String(status));
  const data = member(exchange.json, 'data');
  const [generated, state, task] = ['generated', 'status', 'task_id'].map((name) => member(data, name));
  const texts = Array.isArray(generated) && generated.every((one) => typeof one === 'string');
  const shaped = texts && typeof state === 'string' && typeof task === 'string';
  yield check(RULES.enhance[1], exchange, shaped, 'strings data.generated, data.status and data.task_id');
  const named = typeof task === 'string' && UUID.test(task);
  yield check(RULES.enhance[2], exchange, named, 'a UUID', `task_id ${sketch(task)}`);
}

export const successes: Oracle = { api: 'registry', judges: Object.values(RULES).flat(), look };
