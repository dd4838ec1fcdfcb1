import { type Deviation } from '../../../deviations/deviation.ts';
import { along, breaks } from '../../../deviations/wire.ts';
import { list, oneEntry } from './list-pages.ts';

const joined = (why: string): Deviation['alsoFails'] => along(why, 'router.ids.id-is-join');

const tooLong = 'a'.repeat(70);

/** Entries of the catalogue. */
export const routerEntryDeviations: readonly Deviation[] = [
  breaks('router.ids.provider-pattern', 'upper-case', {
    operations: list,
    alsoFails: joined('the ID keeps the true provider'),
    onReply: oneEntry((entry) => ({ ...entry, provider: 'Acme' })),
  }),
  breaks('router.ids.model-pattern', 'double-separator', {
    operations: list,
    alsoFails: joined('the ID keeps the true model'),
    onReply: oneEntry((entry) => ({ ...entry, model: 'flux..pro' })),
  }),
  breaks('router.ids.model-pattern', 'upper-case', {
    operations: list,
    alsoFails: joined('the ID keeps the true model'),
    onReply: oneEntry((entry) => ({ ...entry, model: 'Flux' })),
  }),
  breaks('router.ids.id-pattern', 'too-long', {
    operations: list,
    alsoFails: joined('the longer ID is no longer made of its parts'),
    onReply: oneEntry((entry) => ({ ...entry, id: `acme/${'a'.repeat(189)}` })),
  }),
  breaks('router.ids.id-is-join', 'other-provider', {
    operations: list,
    onReply: oneEntry((entry) => ({ ...entry, id: `elsewhere/${String(entry['model'])}` })),
  }),
  breaks('router.ids.per-segment-bound', 'long-provider', {
    operations: list,
    alsoFails: along('the length is part of the pattern rule as well', 'router.ids.provider-pattern'),
    onReply: oneEntry(({ model }) => ({ id: `${tooLong}/${String(model)}`, provider: tooLong, model })),
  }),
  breaks('router.ids.no-variant', 'variant-listed', {
    operations: list,
    alsoFails: joined('three parts are not the join of two'),
    onReply: oneEntry((entry) => ({ ...entry, id: `${String(entry['id'])}/fast` })),
  }),
  breaks('router.list.entry-exact', 'billing', {
    operations: list,
    onReply: oneEntry((entry) => ({ ...entry, billing: {} })),
  }),
  breaks('router.list.entry-required', 'no-model', {
    operations: list,
    onReply: oneEntry(({ id, provider }) => ({ id, provider })),
  }),
];
