import type { Contract } from '../../contract/index.ts';

type Place = ReturnType<Contract['document']['locate']>;

/** A contract without its functions, so that it can be sent to a thread: the places that reports name are listed. */
export interface SentContract {
  readonly contract: Contract;
  readonly ofDocument: ReadonlyMap<string, Place>;
  readonly ofSheet: ReadonlyMap<string, Place>;
}

export function sentContract(contract: Contract): SentContract {
  const { document, sheet, operations } = contract;
  const { locate: inDocument, ...plainDocument } = document;
  const rules = (sheet?.rules ?? []).map((_, index) => `/rules/${index}`);
  const plain: unknown = {
    ...contract,
    document: plainDocument,
    sheet: sheet === undefined ? undefined : { ...sheet, locate: undefined },
  };
  return {
    contract: plain as Contract,
    ofDocument: new Map(operations.map(({ pointer }) => [pointer, inDocument(pointer)])),
    ofSheet: new Map(rules.map((pointer) => [pointer, sheet?.locate(pointer)])),
  };
}

export function receivedContract({ contract, ofDocument, ofSheet }: SentContract): Contract {
  const { document, sheet } = contract;
  return {
    ...contract,
    document: { ...document, locate: (pointer) => ofDocument.get(pointer) },
    sheet: sheet === undefined ? undefined : { ...sheet, locate: (pointer) => ofSheet.get(pointer) },
  };
}
