import { seededRandom } from '../../conformance/schemas/seed.ts';
import { filesOf } from './areas.ts';
import type { Area } from './areas.ts';
import { mutationsOf } from './mutations.ts';
import type { Mutation } from './mutations.ts';
import { sourceOf } from './runner.ts';

/** So many mutations of an area, the same ones for the same seed. */
export function sample(area: Area, count: number, seed: number): readonly Mutation[] {
  const random = seededRandom(`mutants/${seed}/${area}`);
  return filesOf[area]
    .flatMap((file) => mutationsOf(file, sourceOf(file)))
    .map((mutation) => ({ mutation, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutation }) => mutation);
}
