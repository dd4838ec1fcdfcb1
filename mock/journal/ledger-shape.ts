/** The cost that the calls of the journal would have had: "does my retry charge twice?". */
export interface Ledger {
  readonly lines: readonly LedgerLine[];
  readonly byCaller: readonly {
    readonly caller: string;
    readonly calls: number;
    readonly billed: number;
    readonly cents: number;
  }[];
}

/** The attempts of one logical call: those with the same key, or without any key those with the same body. */
export interface LedgerLine {
  readonly caller: string;
  readonly key: string | undefined;
  readonly model: string;
  /** Numbers of the exchanges. */
  readonly exchanges: readonly number[];
  readonly dispatched: number;
  readonly replayed: number;
  /** How often it would have been charged. */
  readonly billed: number;
  readonly cents: number;
  /** `unknown`: the contract does not say whether one of the attempts is charged. */
  readonly charged: 'never' | 'once' | 'more than once' | 'unknown';
}
