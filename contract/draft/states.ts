import { BEFORE_ACTION } from '../sheet/action-path.ts';
import type { Contract, Json, Operation } from '../model.ts';
import { followed, joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { isSuccess } from '../sheet/declared-facts.ts';
import { bodyOf, membersOf, operationName, type Proposal } from './proposal.ts';

/**
 * Proposes state machines of resources and event streams. A document names the states, but not the
 * transitions between them.
 */
export function* draftStates(contract: Contract): Generator<Proposal> {
  for (const { name, schema, pointer } of contract.schemas) {
    for (const [property, { schema: inner }] of membersOf(contract, schema)) {
      const described = followed(contract.document.root, inner);
      const values =
        !isRecord(described) || !/^(?:status|state|phase)$/i.test(property) ? undefined : described['enum'];
      if (!Array.isArray(values) || values.length < 2) continue;
      const states = (values as readonly Json[]).filter((value) => typeof value === 'string');
      const [initial] = states;
      if (initial === undefined) continue;
      yield {
        policy: {
          kind: 'lifecycle',
          schema: name,
          property,
          states,
          initial,
          terminal: [states.at(-1) ?? initial],
          transitions: [],
        },
        reasons: [
          {
            says: `${name}.${property} has ${String(states.length)} values`,
            pointer: joinPointer(pointer, 'properties', property),
          },
          ...callsOn(contract, name).map((operation) => ({
            says: `${operationName(operation)} may lead to another`,
            pointer: operation.pointer,
          })),
        ],
        doubt: 'which state is the first, which are the last, and what leads from one to another',
      };
    }
  }
  for (const operation of contract.operations) {
    const stream = operation.responses.find(({ content }) =>
      content.some(({ mediaType }) => mediaType.startsWith('text/event-stream')),
    );
    if (stream === undefined) continue;
    yield {
      policy: {
        kind: 'event-stream',
        operations: [operation.id],
        events: { status: 'status' },
        authority: readAbove(contract, operation)?.id ?? operation.id,
      },
      reasons: [{ says: `${operationName(operation)} answers with events`, pointer: stream.pointer }],
      doubt: 'the names of the events, and which operation says what counts once the stream has ended',
    };
  }
}

// --- internal ---

/** Calls below a thing that answer with it, such as POST /invoices/{id}/send; a restoration does not change the state. */
function callsOn({ operations }: Contract, name: string): readonly Operation[] {
  return operations.filter((operation) => {
    const { $ref: shown } = (bodyOf(operation, isSuccess) ?? {}) as { readonly $ref?: unknown };
    const { method, path } = operation;
    // A thing can be read, and a tenant above a collection often not.
    const thing = path.slice(0, path.lastIndexOf('}') + 1);
    const isOfThing = operations.some((other) => other.method === 'get' && other.path === thing);
    const isCall = method === 'post' && isOfThing && CALL.test(path) && !RESTORES.test(path);
    return isCall && shown === `#/components/schemas/${name}`;
  });
}

const CALL = new RegExp(String.raw`\}${BEFORE_ACTION}[/:][^/:{}]+$`);
const RESTORES = /[/:](?:restore|undelete|recover|untrash)$/;

/** The read of the resource whose events an operation sends, such as GET /jobs/{id} for GET /jobs/{id}/events. */
function readAbove({ operations }: Contract, { path }: Operation): Operation | undefined {
  const above = path.replace(/[/:][^/:{}]+$/, '');
  return operations.find((other) => other.method === 'get' && other.path === above);
}
