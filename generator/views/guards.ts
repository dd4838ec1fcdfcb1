import type { NameTable } from '../names.ts';
import type { ApiView } from './api.ts';

/** The functions that validate values of one type. */
export interface GuardView {
  readonly type: string;
  /** The exported name of the type. */
  readonly named: string;
  readonly is: string;
  readonly check: string;
  readonly validate: string;
}

/** A guard for each named schema, in the order of the table. */
export function guardViews(api: ApiView, names: NameTable): readonly GuardView[] {
  return api.table.entries.map(({ name }) => ({
    type: name,
    named: names.publicName(name),
    is: names.claim(`is${names.publicName(name)}`),
    check: names.claim(`check${names.publicName(name)}`),
    validate: names.claim(`validate${names.publicName(name)}`),
  }));
}
