import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStore } from '../../engine/memory-store.ts';
import { Refusal } from '../../engine/refusal.ts';
import { serverOf } from '../../engine/serve.ts';
import type { CourseDecision } from '../../engine/decision.ts';
import type { ServedApi, ServedOperation } from '../../engine/served-api.ts';
import type { Store } from '../../engine/store.ts';

// The law of the ledger: every claim on a key ends exactly once, for any course of its call and any fate of its answer,
// and gives back the capacity that it held.

const policies: Readonly<Record<'replay' | 'single-use', NonNullable<ServedOperation['idempotency']>>> = {
  replay: {
    ...{ kind: 'idempotency', mode: 'replay', operations: ['add'], requestHeader: 'Key', window: 'PT1H' },
    ...{ replayHeader: { name: 'Replayed', value: 'yes' }, release: ['5xx', 429] },
    ...{ inFlight: { status: 409, retryAfter: true }, consumed: { status: 409 } },
    ...{ mismatch: { status: 422 }, collecting: { status: 504, marker: 'Retry-After' } },
  },
  'single-use': {
    ...{ kind: 'idempotency', mode: 'single-use', operations: ['add'], requestHeader: 'Key', window: 'PT1H' },
    reuse: { status: 422, code: 'used' },
  },
};

const apiOf = (mode: keyof typeof policies): ServedApi => ({
  name: 'notes',
  errors: { kind: 'plain' },
  operations: [
    {
      ...{ id: 'add', method: 'POST', path: '/notes', responses: { '200': [] } },
      idempotency: policies[mode],
      capacity: { kind: 'capacity', operations: ['add'], status: 429, bucket: '' },
    },
  ],
});

/** What a key comes to, as it is noted. */
const NOTED_ENDS = ['kept', 'spent', 'parked', 'freed', 'dropped'];

type End = 'record' | 'consume' | 'park' | 'release';
const ENDS: readonly End[] = ['record', 'consume', 'park', 'release'];

/** Counts how often each claim ended. */
function counted(store: Store): { readonly store: Store; readonly ends: ReadonlyMap<string, number> } {
  const ends = new Map<string, number>();
  const ending =
    (end: End) =>
    async (fence: string, ...rest: never[]) => {
      const isHeld = await (store[end] as (fence: string, ...rest: never[]) => Promise<boolean>)(
        fence,
        ...rest,
      );
      if (isHeld) ends.set(fence, (ends.get(fence) ?? 0) + 1);
      return isHeld;
    };
  const claim: Store['claim'] = async (...given) => {
    const claimed = await store.claim(...given);
    if (claimed.state === 'new') ends.set(claimed.fence, 0);
    return claimed;
  };
  return {
    ends,
    store: { ...store, claim, ...Object.fromEntries(ENDS.map((end) => [end, ending(end)])) },
  };
}

const call = fc.record({
  key: fc.constantFrom('a', 'b'),
  body: fc.constantFrom('1', '1', '2'),
  status: fc.constantFrom(200, 404, 429, 500, 504),
  how: fc.constantFrom('answers', 'refuses', 'throws', 'marks', 'forbids', 'streams'),
  delivery: fc.constantFrom('delivered' as const, 'short' as const, 'dropped' as const),
  /** Whether its caller goes away while it runs. */
  leaves: fc.boolean(),
  atOnce: fc.boolean(),
});

test.each([
  ['in a store of the process', true, 'replay'],
  ['in a store far away', false, 'replay'],
  ['in a store of the process, with keys for one use', true, 'single-use'],
  ['in a store far away, with keys for one use', false, 'single-use'],
] as const)('every course settles exactly once, %s', { timeout: 60_000 }, async (_where, isLocal, mode) => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (calls) => {
      const own = memoryStore();
      const { store, ends } = counted(own);
      const scripts = new Map(calls.map((each, index) => [String(index), each]));
      const notes = new Map<object, CourseDecision['case'][]>();
      const server = serverOf(
        apiOf(mode),
        {},
        {
          add: async (_input: never, { request, forbidReplay, charge }) => {
            const { status, how } = scripts.get(request.headers.get('script') ?? '') ?? {
              status: 200,
              how: '',
            };
            await charge();
            if (how === 'refuses') throw new Refusal('no', 'no', { status });
            if (how === 'throws') throw new Error('a fault');
            if (how === 'forbids') forbidReplay();
            const headers: Record<string, string> = how === 'marks' ? { 'Retry-After': '1' } : {};
            if (how !== 'streams') return { status, headers, body: {} };
            return {
              status,
              headers,
              events: (async function* () {
                yield { comment: '' };
              })(),
            };
          },
        },
        {
          ...{
            ...(isLocal ? {} : { store }),
            authenticate: () => ({ id: 'ada' }),
            onFinding: () => undefined,
          },
          capacity: { bounds: () => ({ calls: 2 }) },
        },
        {
          ...(isLocal ? { local: { ...own, ...store } } : {}),
          report: (request, decision) => {
            notes.set(request, [...(notes.get(request) ?? []), decision.case]);
          },
        },
      );
      const course = async (index: number): Promise<void> => {
        const { key, body, delivery, leaves } = calls[index] as (typeof calls)[number];
        const away = new AbortController();
        const exchange = server.exchange({
          ...{ method: 'POST', target: '/notes', signal: away.signal },
          headers: new Headers({ Key: key, script: String(index) }),
          body: () => Promise.resolve(new TextEncoder().encode(body)),
        });
        if (leaves) away.abort();
        const { settle } = await exchange;
        await settle(delivery);
        await settle(delivery);
      };
      let earlier: Promise<unknown> = Promise.resolve();
      for (const [index, { atOnce }] of calls.entries()) {
        const now = course(index);
        earlier = Promise.all([earlier, now]);
        if (!atOnce) await earlier;
      }
      await earlier;
      const keys = [...ends].filter(([fence]) => !fence.includes(' charged'));
      // A key for one use stays claimed where its call had an effect.
      if (mode === 'replay') expect(keys.map(([, times]) => times)).toStrictEqual(keys.map(() => 1));
      else expect(keys.filter(([, times]) => times > 1)).toStrictEqual([]);
      for (const noted of notes.values()) {
        const isOwner = noted.includes('first-use') || noted.includes('collecting');
        expect(noted.filter((each) => NOTED_ENDS.includes(each))).toHaveLength(isOwner ? 1 : 0);
      }
      expect([...own.held()]).toStrictEqual([]);
    }),
    { numRuns: isLocal ? 200 : 25, seed: 15 },
  );
});
