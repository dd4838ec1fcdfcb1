import type { Thing } from '../wire.ts';
import type { Flag } from './flag.ts';

/** A place of an account for flags. */
export interface Environment {
  readonly id: string;
  readonly serial: number;
  readonly owner: string;
  readonly name: string;
  readonly createdAt: string;
  readonly flags: Map<string, Flag>;
  /** Flags that were ever made. */
  made: number;
  /** For faults: what is left of the audits of deleted flags. */
  readonly audits: Map<string, Flag['audit']>;
}

export const environmentView = (one: Environment, count: number): Thing => ({
  id: one.id,
  name: one.name,
  flag_count: count,
  created_at: one.createdAt,
});
