import type { Operation } from '../../../contract/model.ts';
import type { Step } from '../../explore/model.ts';
import { waysOf } from '../policies/lifecycle-calls.ts';
import { actName } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import type { LifeOfThings } from './life.ts';

type Choices = Step['choices'];

export function step(name: string, choices: Choices = {}): Step {
  return { operation: name, choices };
}

/** The calls that lead to each state of a lifecycle that calls reach, the nearest states first. */
export function waysTo({ facts, actions }: LifeOfThings): ReadonlyMap<string, readonly Operation[]> {
  const { policy } = facts;
  const ways = new Map<string, readonly Operation[]>([[policy.initial, []]]);
  // Iterating a map also visits entries that are added during the loop.
  for (const [state, calls] of ways)
    for (const action of actions)
      for (const { from, to } of waysOf(policy, action))
        if (from === state && !ways.has(to)) ways.set(to, [...calls, action]);
  return ways;
}

/** Each call in each state that calls lead to: those that bring about a transition, and those that are refused. */
export function coursesOfLife({ lives }: CollectionModel): readonly (readonly Step[])[] {
  return lives.flatMap((life) =>
    [...waysTo(life).values()].flatMap((way) =>
      life.actions.map((action) => [step('create'), ...[...way, action].map((one) => step(actName(one)))]),
    ),
  );
}

/** Changes, deletions and restorations, with what reads and lists show after them. */
export function coursesOfChanges(): readonly (readonly Step[])[] {
  const changes = ['patch', 'replace'];
  return [
    ...changes.map((name) => [
      step('create'),
      step(name, { body: '0' }),
      step(name, { body: '1' }),
      step('list'),
      step(name, { body: '0', version: 'earlier' }),
    ]),
    [
      step('create'),
      step('create'),
      step('list'),
      step('delete'),
      step('list'),
      step('restore'),
      step('list'),
      ...changes.map((name) => step(name, { body: '0' })),
    ],
  ];
}
