import type { AssumptionOverrides } from '../../assumptions.ts';

/**
 * The mock's choices where the contract of the router is silent, by the id of the open point. These are the
 * shapes that the behaviours rely on; the values are in the behaviour sheet (`unspecified`).
 */
export interface RouterAssumptions {
  readonly 'A-01': { readonly detail: 'always' | 'where stated' };
  readonly 'A-03': AssumedRefusal;
  readonly 'A-06': { readonly status: Readonly<Record<string, number>> };
  readonly 'A-07': {
    readonly callsInFlight: number;
    readonly committedSpendCents: number | null;
    readonly replayCapBytes: number;
    readonly requestBodyBytes: number;
  };
  readonly 'A-08': {
    readonly bucket: string;
    /** In seconds; null for none. */
    readonly retryAfter: {
      readonly inFlight: number;
      readonly consumed: number | null;
      readonly mismatch: number | null;
    };
  };
  readonly 'A-09': { readonly minimumLength: number; readonly maximumLength: number };
  readonly 'A-12': { readonly recordRefusals: boolean };
  readonly 'A-17': { readonly refusedBySchema: number };
  readonly 'A-18': { readonly compare: 'bytes' | 'json' };
  readonly 'A-19': { readonly bucket: string };
  readonly 'A-20': { readonly introducedBy: string; readonly separatedBy: string; readonly atMost: number };
  readonly 'A-21': {
    readonly form: 'integer' | 'decimal';
    readonly remaining: 'before this call' | 'after this call';
  };
  readonly 'A-24': { readonly limitNotAnInteger: AssumedRefusal; readonly repeated: AssumedRefusal };
  readonly 'A-25': { readonly otherMethod: AssumedRefusal; readonly unknownPath: AssumedRefusal };
  readonly 'A-26': {
    readonly malformed: AssumedRefusal;
    readonly missing: AssumedRefusal;
    readonly notAnObject: AssumedRefusal;
    readonly otherContentType: AssumedRefusal;
    readonly tooLarge: AssumedRefusal;
  };
  readonly 'A-30': {
    readonly openapi: string;
    readonly cacheControl: string;
    readonly etag: 'strong' | 'weak';
  };
  readonly 'A-37': { readonly maxAgeSeconds: number };
}

/** The status and the bucket of a refusal. */
export interface AssumedRefusal {
  readonly status: number;
  readonly bucket: string;
}

export type AssumeRouter = <Id extends keyof RouterAssumptions>(id: Id) => RouterAssumptions[Id];

/** Other choices of the profile `legal-but-odd`. */
export const oddRouter: AssumptionOverrides = {
  'A-01': { detail: 'where stated' },
  'A-30': { etag: 'weak' },
};
