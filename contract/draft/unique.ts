import type { Contract } from '../model.ts';
import { isJson } from '../judge/body-format.ts';
import { membersOf, operationName, type Proposal } from './proposal.ts';

/** Proposes unique members: those with a telling name, in creations that may answer 409. */
export function* draftUnique(contract: Contract): Generator<Proposal> {
  for (const operation of contract.operations) {
    const refusal = operation.responses.find(({ status }) => status === '409');
    if (operation.method !== 'post' || refusal === undefined) continue;
    const schema = operation.requestBody?.content.find(({ mediaType }) => isJson(mediaType))?.schema;
    const names = [...membersOf(contract, schema)]
      .filter(([, { types }]) => types.includes('string'))
      .map(([name]) => name);
    const member = TELLING.map((pattern) => names.find((name) => pattern.test(name))).find(
      (name) => name !== undefined,
    );
    if (member === undefined) continue;
    yield {
      policy: {
        kind: 'uniqueness',
        operations: [operation.id],
        member,
        within: [],
        refusal: { status: 409 },
      },
      reasons: [{ says: `${operationName(operation)} answers 409`, pointer: refusal.pointer }],
      doubt: 'which member has to be unique, and within which parent',
    };
  }
}

// --- internal ---

/** The most telling first. */
const TELLING = [
  /^e-?mail/i,
  /^(?:user_?name|login|handle|slug)$/i,
  /^(?:sku|code|key)$/i,
  /^(?:name|title)$/i,
];
