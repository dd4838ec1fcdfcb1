import type { Step } from '../../explore/model.ts';
import { callsTo } from '../policies/lifecycle-ways.ts';
import { actName } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';

type Choices = Step['choices'];

export function step(name: string, choices: Choices = {}): Step {
  return { operation: name, choices };
}

/** Each call in each state that calls lead to: those that bring about a transition, and those that are refused. */
export function coursesOfLife({ lives }: CollectionModel): readonly (readonly Step[])[] {
  return lives.flatMap((life) =>
    [...callsTo(life.facts.policy, life.actions).values()].flatMap((way) =>
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
