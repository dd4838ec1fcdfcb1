import type { Fixtures } from '../../target/fixtures.ts';
import type { Occasion, OccasionCall } from '../../target/occasions.ts';

/** The fixtures of jobs by operation and occasion. */
export function jobsOffers({ job = {} }: Pick<Fixtures, 'job'>): Pick<Fixtures, 'bodies' | 'occasions'> {
  const { ok } = job;
  const occasions = Object.entries(OCCASIONS).flatMap(([occasion, [name, more]]) => {
    const body = job[name];
    return body === undefined ? [] : [[occasion, { body, ...more }] as const];
  });
  return {
    ...(ok === undefined ? {} : { bodies: { submitJob: ok } }),
    occasions: { submitJob: Object.fromEntries(occasions) },
  };
}

/** The job that brings an occasion about, and what is known of it. */
export const OCCASIONS: Readonly<
  Partial<Record<Occasion, readonly [name: string, more: Omit<OccasionCall, 'body'>]>>
> = {
  other: ['tiny', {}],
  slow: ['slow', { minMs: 3000 }],
  ending: ['fail', { ends: 'failed' }],
  invalid: ['invalid', {}],
  refused: ['uiFormat', {}],
};
