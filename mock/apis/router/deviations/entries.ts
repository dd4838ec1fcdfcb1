import { along } from '../../../deviations/breaks.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { oneEntry, onList } from './list-pages.ts';

const joined = (why: string): Deviation['alsoFails'] => along(why, 'router.ids.id-is-join');

const tooLong = 'a'.repeat(70);

/** Deviations of the entries of the catalogue. */
export const routerEntryDeviations: readonly Deviation[] = onList({
  'router.ids.provider-pattern~upper-case': [
    oneEntry((entry) => ({ ...entry, provider: 'Acme' })),
    joined('the ID keeps the true provider'),
  ],
  'router.ids.model-pattern~double-separator': [
    oneEntry((entry) => ({ ...entry, model: 'flux..pro' })),
    joined('the ID keeps the true model'),
  ],
  'router.ids.model-pattern~upper-case': [
    oneEntry((entry) => ({ ...entry, model: 'Flux' })),
    joined('the ID keeps the true model'),
  ],
  'router.ids.id-pattern~too-long': [
    oneEntry((entry) => ({ ...entry, id: `acme/${'a'.repeat(189)}` })),
    joined('the longer ID no longer consists of its parts'),
  ],
  'router.ids.id-is-join~other-provider': oneEntry((entry) => ({
    ...entry,
    id: `elsewhere/${String(entry['model'])}`,
  })),
  'router.ids.per-segment-bound~long-provider': [
    oneEntry(({ model }) => ({ id: `${tooLong}/${String(model)}`, provider: tooLong, model })),
    along('the length is part of the pattern rule as well', 'router.ids.provider-pattern'),
  ],
  'router.ids.no-variant~variant-listed': [
    oneEntry((entry) => ({ ...entry, id: `${String(entry['id'])}/fast` })),
    joined('three parts are not the join of two'),
  ],
  'router.list.entry-exact~billing': oneEntry((entry) => ({ ...entry, billing: {} })),
  'router.list.entry-required~no-model': oneEntry(({ id, provider }) => ({ id, provider })),
});
