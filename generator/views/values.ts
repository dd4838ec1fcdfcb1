import type { Json } from '../../contract/index.ts';
import { type NameTable, typeName, valueName } from '../names.ts';
import type { ApiView } from './api.ts';

/** A field with an open set of values. */
export interface ValueView {
  /** The type that has the field. */
  readonly type: string;
  /** The path of the field. */
  readonly path: readonly string[];
  /** The possible results of reading it. */
  readonly known: readonly string[];
  readonly rules: string;
  readonly data: Json;
  readonly read: string;
  readonly readComment: readonly string[];
  /**
   * The function that returns whether the value may mean yes; `undefined` if the values do not answer a
   * question.
   */
  readonly question: { readonly name: string; readonly comment: readonly string[] } | undefined;
}

export function valueViews(api: ApiView, names: NameTable): ValueView[] {
  const { contract, table } = api;
  return (contract.sheet?.policies ?? []).flatMap((policy) => {
    if (policy.kind !== 'open-values') return [];
    const named = contract.schemas.find(({ name }) => name === policy.schema);
    const type = table.nameAt(named?.pointer ?? '');
    if (type === undefined) return [];
    const path = policy.property.split('.');
    const last = path.at(-1) ?? '';
    const { unknownReadsAs, negative } = policy;
    const known = [...new Set([...policy.known, unknownReadsAs])];
    return [
      {
        type,
        path,
        known,
        rules: names.claim(`${valueName(last, 'value')}Values`),
        data: { known, unknownReadsAs, ...(negative === undefined ? {} : { negative }) },
        read: names.claim(`read${typeName(last, 'Value')}`),
        readComment: [
          `\`${policy.property}\` for decisions: a value that this code does not know is read as \`${unknownReadsAs}\`.`,
        ],
        question:
          negative === undefined
            ? undefined
            : {
                name: names.claim(`${valueName(last, 'value')}IsPossible`),
                comment: [
                  `Whether \`${policy.property}\` leaves a yes open. Every text is true in a condition, so ask this instead.`,
                ],
              },
      },
    ];
  });
}
