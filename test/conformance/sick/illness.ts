import type { RunFinding, Report } from '../../../conformance/index.ts';
import type { MockOptions } from '../../../mock/index.ts';
import type { Symptom } from './front.ts';
import type { JudgeOptions } from './judge.ts';

/** A server that is not well, and what a run has to say about it. */
export interface Illness {
  readonly name: string;
  /** Made for each run, so that it can count. */
  readonly symptom: () => Symptom;
  readonly mock?: MockOptions;
  readonly apis: readonly ('router' | 'registry' | 'jobs')[];
  readonly run?: JudgeOptions;
  readonly exit: 0 | 1 | 2 | 3;
  readonly status?: Report['status'];
  /** The first finding. */
  readonly finding: { readonly kind: RunFinding['kind']; readonly says: RegExp } | undefined;
  /** Rules that the server does break; no other may fail. */
  readonly breaks?: readonly string[];
  /** Rules that it breaks too, which a run sees only where its time limit comes before its size limit. */
  readonly breaksInTime?: readonly string[];
}
