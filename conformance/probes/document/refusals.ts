import type { Operation } from '../../../contract/model.ts';
import { check, undecided } from '../../scenarios/check.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { essenceOf } from '../../../contract/judge/body-format.ts';
import { policyFor } from '../../../contract/index.ts';
import { NotExercised, scenario } from '../../scenarios/scenario.ts';
import type {
  Check,
  Permission,
  RequestPlan,
  Scenario,
  SendOptions,
  Session,
} from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, pathParameters, sentContent } from '../own-api.ts';
import { wrongParameters } from './breakable.ts';
import { inputFor, newBody, requiredValues, withBody, withNewKey, withVersion } from './input.ts';
import { MadeResources } from './made.ts';
import { MOST_MISFITS, misfitsOf } from './misfits.ts';
import type { Reads } from './reads.ts';
import { call } from './reads.ts';
import { namesOthers } from './references.ts';
import { documentRule, documentRules } from './rules.ts';
import { AfterControl } from './server-errors.ts';
import { isWrongByThing } from './sheet-resources.ts';
import { serialisedParameters } from './serialised-parameters.ts';
import { valueKey } from './value-key.ts';
import { written } from './wire-body.ts';
import { wrongIds, type WrongParameter } from './wrong-ids.ts';

/** Requests that the document does not allow. */
export function refusalScenarios(api: OwnApi, reads: Reads): readonly Scenario[] {
  return api.operations.flatMap((operation) => [
    ...badParameter(api, reads, operation),
    ...badBodies(api, operation),
  ]);
}

// --- internal ---

function permissionsFor(operation: Operation): readonly Permission[] {
  return isRead(operation) ? ['negatives'] : ['negatives', 'writes'];
}

function badParameter(api: OwnApi, reads: Reads, operation: Operation): readonly Scenario[] {
  const found = isRead(operation) ? reads.of(operation) : undefined;
  const made = new MadeResources(api, operation);
  const wrong = wrongParameters(api, operation);
  return [
    ...withWrong(api, operation, { wrong, found, made, suffix: '' }),
    // Where a read finds nothing, it may find what the suite makes.
    ...(found !== undefined && made.hasCreators
      ? withWrong(api, operation, { wrong, found: undefined, unless: found, made, suffix: '.made' })
      : []),
    // Only an id that exists shows whether a server reads no more than its beginning.
    ...withWrong(api, operation, {
      ...{ wrong: wrongIds(api, operation), found: made.hasCreators ? undefined : found },
      ...{ made, suffix: '.id' },
    }),
  ];
}

function withWrong(
  api: OwnApi,
  operation: Operation,
  {
    wrong,
    found,
    unless,
    made,
    suffix,
  }: {
    readonly wrong: readonly WrongParameter[];
    /** Where the values come from; what is made, if left out. */
    readonly found: ReturnType<Reads['of']> | undefined;
    /** A read with which another scenario judges the rule, if it finds something. */
    readonly unless?: ReturnType<Reads['of']>;
    readonly made: MadeResources;
    readonly suffix: '' | '.id' | '.made';
  },
): readonly Scenario[] {
  if (wrong.length === 0 || api.atAddressOf(operation).length > 1) return [];
  const rule = documentRule(operation, 'bad-parameter');
  const isWriting = found === undefined && made.hasCreators;
  return [
    scenario({
      id: `${rule}${suffix}`,
      api: api.name,
      title: `${operation.method.toUpperCase()} ${operation.path} with wrong ${suffix === '.id' ? 'ids' : 'parameters'}`,
      permissions: isWriting ? ['negatives', 'writes'] : permissionsFor(operation),
      judges: [rule],
      severalCases: [rule],
      uses: [found ?? unless ?? []].flat(),
      requests: {
        ...(found === undefined ? made.requests() : {}),
        wrong: api.plan(operation, { isInvalid: true, times: wrong.length }),
        valid: api.plan(operation),
      },
      async *run(session: Session) {
        if (unless !== undefined && (await session.obtain(unless)).answer !== undefined) return;
        const known = await (found === undefined ? made.values(session) : foundValues(session, found));
        const input = inputFor(api, operation, session, known);
        const controlled = new AfterControl();
        for (const { parameter, value: stated, isAdded } of wrong) {
          const { name, in: place } = parameter;
          const key = valueKey(operation, parameter);
          const { [key]: own, ...others } = requiredValues(api, operation, session, known);
          const value = isAdded === true ? `${String(own)}${stated ?? ''}` : stated;
          const sent = serialisedParameters(
            operation,
            value === undefined ? others : { ...others, [key]: value },
          );
          const seen = await call(session, 'wrong', operation, { ...input, ...merged(sent, input.headers) });
          const what =
            value === undefined ? `a call without the ${place} parameter ${name}` : `${name}=${value}`;
          const isRefused = place === 'path' && seen.status === 404;
          yield* controlled.judge(seen, [
            isRefused ? check(rule, seen, true, '') : verdict(rule, operation, seen, what),
          ]);
        }
        yield* controlled.settle(() => call(session, 'valid', operation, input));
      },
    }),
  ];
}

async function foundValues(session: Session, found: ReturnType<Reads['of']>): Promise<Record<string, never>> {
  const { answer, values, missing, why } = await session.obtain(found);
  if (answer === undefined) throw new NotExercised(missing, why);
  return values as Record<string, never>;
}

/** The headers of the parameters and of the body. */
function merged(
  { fill, headers }: ReturnType<typeof serialisedParameters>,
  sent: Parameters<typeof withBody>[0]['headers'] = [],
): ReturnType<typeof serialisedParameters> {
  const type = sent.filter(([name]) => name === 'Content-Type');
  return { fill, headers: [...headers, ...type] };
}

function badBodies(api: OwnApi, operation: Operation): readonly Scenario[] {
  const content = sentContent(operation);
  if (content === undefined) return [];
  const [body, type] = [documentRule(operation, 'bad-body'), documentRule(operation, 'media-type')];
  const judged = documentRules(api, operation).flatMap(({ id }) => ([body, type].includes(id) ? [id] : []));
  if (judged.length === 0) return [];
  const made = new MadeResources(api, operation);
  const wrong: RequestPlan = api.plan(operation, { isInvalid: true });
  const reader = readerOfVersion(api, operation);
  return [
    scenario({
      id: body,
      api: api.name,
      title: `${operation.method.toUpperCase()} ${operation.path} with wrong bodies`,
      permissions: permissionsFor(operation),
      judges: judged,
      severalCases: [body],
      requests: {
        ...made.requests(),
        ...(reader === undefined ? {} : { version: api.plan(reader, { times: MOST_MISFITS + 2 }) }),
        malformed: { ...wrong, times: MOST_MALFORMED },
        ...(policyFor(operation, 'idempotency') === undefined ? {} : { keyed: wrong }),
        chunked: wrong,
        misfit: { ...wrong, times: MOST_MISFITS },
        'other type': wrong,
        valid: api.plan(operation),
      },
      async *run(session: Session) {
        const known = await made.values(session);
        let tag: string | undefined;
        const controlled = new AfterControl();
        const send = async (
          name: string,
          text: string,
          mediaType: string,
          change = (options: SendOptions): SendOptions => options,
        ): Promise<Exchange> => {
          // Otherwise a refusal would be about the version, and show nothing about the body.
          if (reader !== undefined && tag === undefined)
            tag = (await session.send('version', inputFor(api, reader, session, known))).header('etag');
          const sent = serialisedParameters(operation, requiredValues(api, operation, session, known));
          const guarded = tag === undefined ? sent : { ...sent, headers: withVersion(sent.headers, tag) };
          const seen = await call(session, name, operation, change(withBody(guarded, text, mediaType)));
          if (isSuccess(seen) || seen.status === 412) tag = undefined;
          return seen;
        };
        const sent = newBody(api, operation, session);
        if (sent === undefined)
          throw new NotExercised(`bodies.${operation.id}`, `needs a body for ${operation.id}`);
        const { value, mediaType } = sent;
        // A parameter may name the type of a part.
        const isJson = /json/i.test(essenceOf(mediaType));
        const isBreakable = judged.includes(body);
        if (isJson && isBreakable) {
          const isNeeded = operation.requestBody?.required === true;
          for (const [what, text] of malformedTexts(written(value, sent), isNeeded)) {
            const seen = await send('malformed', text, mediaType);
            yield* controlled.judge(seen, [verdict(body, operation, seen, what)]);
          }
          if (policyFor(operation, 'idempotency') !== undefined) {
            const withKey = (options: SendOptions): SendOptions =>
              withNewKey(operation, options, session) ?? options;
            const seen = await send('keyed', BREAKS_OFF, mediaType, withKey);
            yield* controlled.judge(seen, [
              verdict(body, operation, seen, 'JSON that breaks off, with a key'),
            ]);
          }
        }
        const misfits = isBreakable
          ? misfitsOf(api, content, value, (keyword) => isPlain(keyword, isJson)).filter(
              (bad) => !isWrongByThing(api, operation, content, { body: bad.body, valid: value }),
            )
          : [];
        const ids = session.fixtures.made?.[operation.id];
        for (const bad of misfits) {
          // The thing that it names may exist, and a server may accept it.
          if (ids !== undefined && namesOthers(api, operation, bad.body, ids)) continue;
          const text = written(bad.body as never, sent);
          // A form without members is sent as no body at all, and some servers read `null` as no body.
          if (operation.requestBody?.required !== true && (text === '' || text === 'null')) continue;
          const seen = await send('misfit', text, mediaType);
          yield* controlled.judge(seen, [verdict(body, operation, seen, bad.says)]);
        }
        // What arrives in parts may be passed on before all of it was read.
        const beyond = ['maximum', 'minimum', 'maxLength', 'required']
          .map((keyword) => misfits.find(({ says }) => says.includes(` ${keyword}:`)))
          .find((one) => one !== undefined);
        if (beyond !== undefined && isJson) {
          const text = written(beyond.body as never, sent);
          const seen = await send('chunked', text, mediaType, (options) => ({ ...options, isChunked: true }));
          yield* controlled.judge(seen, [verdict(body, operation, seen, `${beyond.says}, sent in chunks`)]);
        }
        if (judged.includes(type)) {
          const other = await send('other type', written(value, sent), 'application/x-tallystick');
          const what = 'the media type application/x-tallystick';
          yield* controlled.judge(other, [verdict(type, operation, other, what)]);
        }
        yield* controlled.settle(() => {
          const { body: text = '' } = inputFor(api, operation, session, known);
          return send('valid', text, mediaType);
        });
      },
    }),
  ];
}

const BREAKS_OFF = '{"tallystick":';
const MOST_MALFORMED = 4;

/** Texts that are not JSON, from a valid one; none at all where a body is required. */
function malformedTexts(
  valid: string,
  isNeeded: boolean,
): readonly (readonly [what: string, text: string])[] {
  const [, members] = /^(\{.+)\}$/s.exec(valid) ?? [];
  return [
    ['JSON that breaks off', BREAKS_OFF],
    // RFC 8259, sections 4 and 6.
    ...(members === undefined
      ? []
      : ([
          ['JSON with a comma before the end', `${members},}`],
          ['JSON with NaN', `${members},"tallystick":NaN}`],
        ] as const)),
    ...(isNeeded ? ([['a call without its body', '']] as const) : []),
  ];
}

/** The read that shows the version which a change has to name. */
export function readerOfVersion(api: OwnApi, operation: Operation): Operation | undefined {
  const isGuarded =
    policyFor(operation, 'conditional-write') !== undefined ||
    operation.parameters.some(({ in: place, name }) => place === 'header' && /^if-match$/i.test(name));
  return isGuarded
    ? api.operations.find(({ method, path }) => method === 'get' && path === operation.path)
    : undefined;
}

/** Whether a body is still invalid when it is serialised: in a form, everything is text. */
function isPlain(keyword: string, isJson: boolean): boolean {
  return isJson || WRONG_AS_TEXT.has(keyword);
}

const WRONG_AS_TEXT = new Set(['required', 'enum', 'minimum', 'maximum', 'maxLength']);

const INVALID: Readonly<Record<string, string>> = {
  'bad-body': 'an invalid body',
  'bad-parameter': 'an invalid parameter',
  'media-type': 'an undeclared media type',
};

function verdict(rule: string, operation: Operation, seen: Exchange, sent: string): Check {
  const { status } = seen;
  if (status === 404 && pathParameters(operation).length > 0)
    return undecided(rule, seen, 'answered with 404: there is no resource that could refuse the request');
  const isRefused = status >= 400 && status < 500;
  const cause = `${status} for ${INVALID[rule.slice(rule.lastIndexOf('.') + 1)] ?? 'an invalid request'}`;
  return check(rule, seen, isRefused, `a refusal (4xx) of ${sent}`, undefined, cause);
}
