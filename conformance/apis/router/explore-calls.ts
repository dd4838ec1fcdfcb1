import { check } from '../../scenarios/check.ts';
import { canonical } from '../../../contract/canonical-json.ts';
import { parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { FRAMINGS, framed } from '../../explore/framing.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import type { Check, SendOptions, Session } from '../../scenarios/scenario.ts';
import { ACCEPTED, answerTo, isServed, judgeCaller } from './explore-callers.ts';
import type { CatalogueReader } from './explore-callers.ts';
import { judgeAgain, judgeMismatch, judgeRace, stateAfter } from './explore-keys.ts';
import type { KeyRecord } from './explore-keys.ts';
import { bucketOf, sketchRefusal, unlessBusy } from './probes/answers.ts';
import { isReplayed, keyed, refuseBroken, sketchRun } from './probes/idempotency.ts';

export const callRules = [
  'router.run.ok',
  'router.run.open-input',
  'router.run.404-model-not-found',
  'router.run.output-unchanged',
  'router.run.body-forwarded',
];

/** A call whose outcome the fixtures declare. */
export interface KnownCall {
  readonly id: string;
  readonly input: unknown;
  readonly ends: 'well' | 'refused' | 'unknown' | 'badly';
  /** Whether the output equals the input, for any members. */
  readonly echoes: boolean;
  /** An input that is returned exactly as it was spelled. */
  readonly spelled?: string;
}

export interface Calls {
  readonly keys: KeyRecord[];
}

type Name = `run ${CatalogueReader}`;
type CallOperation = ModelOperation<Calls, Name>;

interface Parts {
  readonly calls: Readonly<Record<string, KnownCall>>;
  readonly callers: readonly CatalogueReader[];
}

/** Document 1, POST /v1/models/{provider}/{model}: an independent call. */
export function running({ calls, callers }: Parts): CallOperation {
  return operation({
    factors: {
      as: callers,
      model: Object.keys(calls),
      key: ['fresh', 'none'],
      body: ['usual', 'multibyte', 'long', 'deep', 'spelled'],
      framing: FRAMINGS,
      together: ['one', 'two'],
    },
    sends: ({ as, together }) => sent(as, together === 'two' ? 2 : 1),
    isPossible: (_, { model, body, key, together }) =>
      (body === 'usual' ||
        (calls[model]?.echoes === true && (body !== 'spelled' || isSpelled(calls[model])))) &&
      (together === 'one' || key === 'fresh'),
    perform: async function* ({
      state,
      session,
      choices: { as, model, key, body: size, framing, together },
    }) {
      const call = calls[model];
      if (call === undefined) return;
      const body = sized(call, size);
      const own = key === 'none' ? undefined : session.freshKey();
      const options: SendOptions = {
        ...(own === undefined ? { fill: { id: call.id }, body } : keyed(call.id, body, own)),
        ...framed(framing),
      };
      if (together === 'two' && ACCEPTED.has(as))
        return yield* raced(state, session, { as, call, body, own, options });
      const answer = await answerTo(session as Session, `run ${as}`, options);
      yield* judgeCaller(answer, as, call.ends === 'unknown' ? 404 : undefined);
      if (!isServed(answer, as)) return;
      yield* judgeFresh(answer, own !== undefined);
      yield* judgeEnd(answer, call, body, size);
      if (own !== undefined)
        state.keys.push({
          ...{ key: own, as, id: call.id, body, isContested: false },
          first: answer,
          state: call.ends === 'unknown' && answer.status !== 404 ? 'open' : stateAfter(answer),
        });
    },
  });
}

/** An earlier key, sent by the same caller. */
export const repeating: CallOperation = operation({
  factors: {
    which: ['last', 'first'],
    body: ['same', 'another'],
    framing: FRAMINGS,
    together: ['one', 'two'],
  },
  sends: ({ which, together }, { keys }) =>
    sent(keyOf(keys, which)?.as ?? 'valid', together === 'two' ? 2 : 1),
  isPossible: ({ keys }, { body, together }) => keys.length > 0 && (body === 'same' || together === 'one'),
  perform: async function* ({ state, session, choices: { which, body: kind, framing, together } }) {
    const record = keyOf(state.keys, which);
    if (record === undefined) return;
    const body = kind === 'same' ? record.body : otherThan(record.body);
    const options = { ...keyed(record.id, body, record.key), ...framed(framing) };
    const answers =
      together === 'two'
        ? await session.race(`run ${record.as}`, [options, options])
        : [await answerTo(session as Session, `run ${record.as}`, options)];
    answers.forEach(unlessBusy);
    // Two concurrent calls run one after the other, or one of them gets a 409.
    const isFreed = record.state === 'freed';
    for (const answer of answers) {
      if (kind === 'another') yield* judgeMismatch(record, body, answer);
      else if (!isFreed || answers.length === 1) yield* judgeAgain(record, answer);
    }
    if (kind === 'another') {
      record.isContested = true;
      if (record.state === 'freed') record.state = 'open';
    } else if (isFreed) {
      const [only, ...others] = answers;
      record.first = only;
      record.state = only === undefined || others.length > 0 ? 'open' : stateAfter(only);
    }
  },
});

/** A caller that disconnects. The state of the key then depends on the moment, which is unknown. */
export function hangingUp({ calls }: Parts): CallOperation {
  return operation({
    factors: {
      model: Object.keys(calls).filter((name) => calls[name]?.ends === 'well'),
      key: ['fresh', 'none', 'last'],
      framing: FRAMINGS,
    },
    sends: () => sent('valid', 1),
    perform: async function* ({ state, session, choices: { model, key, framing } }) {
      const call = calls[model];
      const last = key === 'last' ? state.keys.at(-1) : undefined;
      if (call === undefined || (key === 'last' && last?.as !== 'valid')) return;
      const own = key === 'fresh' ? session.freshKey() : last?.key;
      const id = last?.id ?? call.id;
      const body = last?.body ?? call.input;
      const hangUp = new AbortController();
      const options = own === undefined ? { fill: { id }, body } : keyed(id, body, own);
      const dropped = session.send('run valid', {
        ...options,
        ...framed(framing),
        signal: hangUp.signal,
      });
      await session.clock.sleep(1);
      hangUp.abort(new Error('the caller hangs up'));
      await dropped;
      yield* [];
      if (last !== undefined) last.state = 'open';
      if (own !== undefined && last === undefined)
        state.keys.push({
          key: own,
          as: 'valid',
          id,
          body,
          state: 'open',
          first: undefined,
          isContested: false,
        });
    },
  });
}

// --- internal ---

function keyOf(keys: readonly KeyRecord[], which: 'last' | 'first'): KeyRecord | undefined {
  return which === 'first' ? keys[0] : keys.at(-1);
}

function sent(as: CatalogueReader, times: number): Partial<Record<Name, number>> {
  return { [`run ${as}`]: times };
}

const isSpelled = (call: KnownCall | undefined): boolean => call?.spelled !== undefined;

function otherThan(body: unknown): unknown {
  return typeof body === 'string'
    ? body.replace('{', '{ "tallystick_other":true,')
    : { ...(body as object), tallystick_other: true };
}

/** The body, with additional members that a model with an open schema returns. */
function sized(
  { input, spelled }: KnownCall,
  size: 'usual' | 'multibyte' | 'long' | 'deep' | 'spelled',
): unknown {
  const members = typeof input === 'object' && input !== null ? input : {};
  switch (size) {
    case 'usual':
      return input;
    case 'spelled':
      return spelled;
    case 'multibyte':
      return { ...members, tallystick_text: 'é💥 ﬁ\u2028"\\', tallystick_ключ: null };
    case 'long':
      return { ...members, tallystick_long: 'é7'.repeat(9000) };
    case 'deep':
      return { ...members, tallystick_deep: [[[{ a: [1.5, -0.25, 1e21, true, null, {}] }]], []] };
  }
}

async function* raced(
  state: Calls,
  session: Session<Name>,
  parts: {
    readonly as: CatalogueReader;
    readonly call: KnownCall;
    readonly body: unknown;
    readonly own: string | undefined;
    readonly options: SendOptions;
  },
): AsyncGenerator<Check> {
  const { as, call, body, own = '', options } = parts;
  const answers = await session.race(`run ${as}`, [options, options]);
  answers.forEach(unlessBusy);
  yield* judgeRace(answers);
  const winner = answers.find((answer) => answer.status !== 409 && !isReplayed(answer));
  state.keys.push({
    ...{ key: own, as, id: call.id, body, isContested: false, first: winner },
    state: winner === undefined || call.ends === 'unknown' ? 'open' : stateAfter(winner),
  });
}

/**
 * Document 1, Idempotency key handling, row 2: the first answer is not a replay, and no answer without a key
 * is.
 */
function* judgeFresh(answer: Exchange, isKeyed: boolean): Generator<Check> {
  const rule = isKeyed ? 'router.idem.first-not-replayed' : 'router.idem.no-key-no-replay';
  yield check(rule, answer, !isReplayed(answer), 'no replay header', sketchRun(answer));
}

function* judgeEnd(answer: Exchange, call: KnownCall, body: unknown, size: string): Generator<Check> {
  const bucket = bucketOf(answer);
  if (call.ends === 'unknown') {
    const named = answer.status === 404 && bucket === 'model_not_found';
    yield check('router.run.404-model-not-found', answer, named, '404 model_not_found', sketchRun(answer));
  }
  if (call.ends !== 'well') return;
  // A body may exceed the limit, which is unknown.
  if (size === 'long' && answer.status !== 200) return;
  if (answer.status !== 200 && size === 'usual') refuseBroken('model.ok', answer);
  // Input that the schema leaves open must not be refused, either.
  const wellEnded = size === 'usual' ? 'router.run.ok' : 'router.run.open-input';
  yield check(wellEnded, answer, answer.status === 200, 'status 200', sketchRefusal(answer));
  if (!call.echoes || answer.status !== 200) return;
  // Document 1, What the service does, bullet 2: in and out unchanged.
  const rule = size === 'usual' ? 'router.run.output-unchanged' : 'router.run.body-forwarded';
  const same = canonical(answer.json) === canonical(typeof body === 'string' ? parseJson(body) : body);
  yield check(rule, answer, same, 'the input as the output', same ? '200' : 'another output');
  if (!same || typeof body !== 'string') return;
  const text = new TextDecoder().decode(answer.bytes).trim();
  yield check('router.run.output-unchanged', answer, text === body.trim(), body, text);
}
