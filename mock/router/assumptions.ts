/**
 * What the mock does where the contract of the router is silent, by the id of the open point: the shapes that the
 * behaviours rely on. The values stand in the behaviour sheet (`unspecified`).
 */
export interface RouterAssumptions {
  readonly 'A-06': { readonly status: Readonly<Record<string, number>> };
  readonly 'A-07': {
    readonly callsInFlight: number;
    readonly committedSpendCents: number | null;
    readonly replayCapBytes: number;
    readonly requestBodyBytes: number;
  };
  readonly 'A-08': { readonly bucket: string; readonly retryAfter: { readonly inFlight: number } };
  readonly 'A-09': { readonly minimumLength: number; readonly maximumLength: number };
  readonly 'A-12': { readonly recordRefusals: boolean };
  readonly 'A-17': { readonly refusedBySchema: number; readonly refusedByModel: number };
  readonly 'A-18': { readonly compare: 'bytes' | 'json' };
  readonly 'A-19': { readonly bucket: string };
  readonly 'A-20': { readonly introducedBy: string; readonly separatedBy: string; readonly atMost: number };
  readonly 'A-22': { readonly status: number };
  readonly 'A-24': { readonly limitNotAnInteger: { readonly status: number; readonly bucket: string } };
  readonly 'A-25': {
    readonly otherMethod: { readonly status: number; readonly bucket: string };
    readonly unknownPath: { readonly status: number; readonly bucket: string };
  };
  readonly 'A-26': {
    readonly malformed: { readonly status: number; readonly bucket: string };
    readonly tooLarge: { readonly status: number; readonly bucket: string };
  };
  readonly 'A-30': { readonly openapi: string; readonly cacheControl: string };
  readonly 'A-37': { readonly maxAgeSeconds: number };
}

export type AssumeRouter = <Id extends keyof RouterAssumptions>(id: Id) => RouterAssumptions[Id];
