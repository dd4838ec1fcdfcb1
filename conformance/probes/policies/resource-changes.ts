import type { PolicyOf } from '../../../contract/index.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { Facts } from './facts.ts';
import type { Things } from './things.ts';
import { apart } from './resource-apart.ts';
import { patched } from './resource-patched.ts';
import { replaced } from './resource-replaced.ts';

type Resource = PolicyOf<'resource'>;

/**
 * Changes of things: by another body, by a merge patch (RFC 7396), and the parts that they must leave
 * unchanged.
 */
export function changeScenarios(facts: Facts<Resource>, things: Things): readonly Scenario[] {
  const { read, create } = { read: things.operation('read'), create: things.operation('create') };
  if (read === undefined || create === undefined) return [];
  const [replace, patch, remove] = (['replace', 'patch', 'delete'] as const).map((role) =>
    things.operation(role),
  );
  const changer = replace ?? patch ?? remove;
  return [
    ...(replace === undefined ? [] : replaced(facts.on(replace), things, read)),
    ...(patch === undefined ? [] : patched(facts.on(patch), things, read)),
    ...(changer === undefined ? [] : apart(facts.on(changer), things)),
  ];
}
