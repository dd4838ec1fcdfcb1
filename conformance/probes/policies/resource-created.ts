import type { PolicyOf } from '../../../contract/index.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { addressOf, judgeAddress } from './created-address.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { defaultsOf } from './declared-defaults.ts';
import { judgeCreation, judgeDefaults } from './kept-members.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** Created things exist, as they were sent, under ids of their own. */
export function created(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  if (things.operation('read') === undefined) return [];
  return facts.scenario(['created'], {
    id: `resource.${facts.policy.collection}.created`,
    title: `${facts.operation.method.toUpperCase()} ${facts.operation.path}: the created resource exists`,
    permissions: ['writes'],
    severalCases: facts.ids('created'),
    requests: { ...things.requests({ create: 12, read: 6 }), ...addressOf(facts, things) },
    async *run(session: Session) {
      const within = await things.within(session);
      const first = await things.make(session, within);
      const second = await things.make(session, within, { isVaried: true });
      yield* facts.judge(
        'created',
        [first.made, second.made],
        String(first.id) !== String(second.id),
        'two resources with two ids',
        `${String(first.id)} twice`,
      );
      const reads: Exchange[] = [];
      for (const thing of [first, second, first]) {
        const seen = await things.call(session, 'read', thing.values);
        yield* judgeShown(facts, 'created', things, seen, thing);
        if (thing === first) reads.push(seen);
      }
      const shows = things.shownIn(first.made) === undefined ? reads : [first.made, ...reads];
      yield* judgeCreation(facts, 'created', things, shows);
      for (const thing of [first, second]) yield* judgeAddress(facts, 'created', session, { things, thing });
      if (things.shownIn(first.made) !== undefined && things.shownIn(second.made) !== undefined)
        for (const thing of [first, second]) yield* judgeShown(facts, 'created', things, thing.made, thing);
      if (defaultsOf(facts.api, facts.operation, {}).length === 0) return;
      for (const options of [{ isSmall: true }, { lacksDefaults: true }]) {
        const thing = await things.make(session, within, options);
        if (thing.made.status === 202) return;
        yield* judgeDefaults(
          facts,
          'created',
          things,
          thing,
          await things.call(session, 'read', thing.values),
        );
      }
    },
  });
}
