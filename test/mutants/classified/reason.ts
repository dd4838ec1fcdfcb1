/** Why a mutation that survives is no hole of the suite. */
export interface Reason {
  /** `equal`: no request can tell; `open`: the contract leaves what changed open. */
  readonly is: 'equal' | 'open';
  readonly because: string;
}

/** A reason for all mutations whose name begins in this way. */
export interface Classified extends Reason {
  readonly mutation: string;
}
