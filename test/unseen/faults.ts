/** A fault of a server, the statement that it breaks, and where the statement stands. */
export interface Fault {
  readonly name: string;
  /** What the contract says. */
  readonly sentence: string;
  /** Where: a policy of the sheet, the document's structure, or prose in the document's descriptions. */
  readonly statedIn: 'sheet' | 'document' | 'prose';
  /** What the server does instead. */
  readonly how: string;
}

export const fault = (name: string, statedIn: Fault['statedIn'], sentence: string, how: string): Fault => ({
  name,
  statedIn,
  sentence,
  how,
});
