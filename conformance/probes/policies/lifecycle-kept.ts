import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { idOfCreated } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { thingParameter } from '../document/thing-places.ts';
import type { Facts } from './facts.ts';
import { instantOf, isExact } from './lifecycle-members.ts';
import { resourcesIn } from './resources.ts';

/** A resource after its end, and shortly before its expiry: it can still be read, and the oracles judge what it shows. */
export function keptScenarios(
  facts: Facts<PolicyOf<'lifecycle'>>,
  maker: Operation,
  reader: Operation,
): readonly Scenario[] {
  const { api, policy } = facts;
  const { order: [birth = ''] = [], expiry } = policy.times ?? {};
  if (expiry === undefined) return [];
  const made = new MadeResources(api, maker);
  const parameter = thingParameter(api, reader);
  return facts.scenario(['times', 'frozen'], {
    id: `lifecycle.${policy.schema}.${maker.id}.kept`,
    title: `what ${maker.method.toUpperCase()} ${maker.path} makes, shortly before its expiry`,
    permissions: ['writes', 'long'],
    budgetMs: LONGEST_MS + MOST_READS * PAUSE_MS + 60_000,
    severalCases: facts.ids('times', 'frozen'),
    requests: {
      ...made.requests(),
      call: api.plan(maker),
      read: api.plan(reader, { times: MOST_READS + 2 }),
    },
    async *run(session: Session) {
      const known = await made.values(session);
      const first = await session.send('call', inputFor(api, maker, session, known));
      const id = isSuccess(first) ? idOfCreated(api, first, parameter) : undefined;
      if (id === undefined)
        throw new NotExercised(`bodies.${maker.id}`, `nothing was made: ${sketchAnswer(first)}`);
      const values = { ...known, [parameter]: id };
      const look = (): Promise<Exchange> => session.send('read', inputFor(api, reader, session, values));
      let shown: Readonly<Record<string, unknown>> | undefined;
      for (let count = 0; count < MOST_READS; count += 1) {
        await session.clock.sleep(PAUSE_MS);
        shown = resourcesIn(api, await look(), policy.schema)[0]?.value;
        if (shown === undefined || policy.terminal.includes(String(at(shown, policy.property)))) break;
      }
      const [from, until] = [birth, expiry].map((name) => instantOf(at(shown, name)));
      const isKnown = [birth, expiry].every((name) => isExact(at(shown, name)));
      if (!isKnown || from === undefined || until === undefined || until <= from)
        throw new NotExercised('an opportunity', `no ${expiry} after ${birth}`);
      // Clocks differ, and a server may remove several things at a time.
      const keptMs = (until - from) * (1 - MARGIN) - (session.clock.now() - first.endedAt);
      await session.clock.sleep(Math.min(Math.max(keptMs, 0), LONGEST_MS));
      const last = await look();
      yield* facts.judge(
        'times',
        [first, last],
        !isGone(last),
        `${String(id)}, until its ${expiry}`,
        sketchAnswer(last),
      );
    },
  });
}

// --- internal ---

const MOST_READS = 20;
const PAUSE_MS = 500;
/** The part of its time before the expiry at which a resource is read. */
const MARGIN = 1 / 24;
/** The longest wait, in milliseconds: a day, as for keys. */
const LONGEST_MS = 24 * 3_600_000;
