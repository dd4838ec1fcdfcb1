import { responseOf } from '../sheet/declared-facts.ts';
import { isJson } from '../judge/body-format.ts';
import type { Operation, Response, ResponseHeader } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import type { Party } from './change.ts';
import { compareContents } from './contents.ts';
import { type TransmittedValue, type ChangeCollector, otherParty } from './change-collector.ts';
import type { OperationPair } from './operation-pair.ts';

/**
 * Compares answers by status. A status without its own description is described by its class or by `default`.
 */
export function compareAnswers(
  ledger: ChangeCollector,
  { old, new: next }: OperationPair,
  sender: Party,
): void {
  const statuses = new Set([...old.responses, ...next.responses].map(({ status }) => status.toUpperCase()));
  for (const status of statuses) {
    const [was, is] = [described(old, status), described(next, status)];
    const operations = [next.id];
    if (was !== undefined && is !== undefined)
      compareAnswer(ledger, { was, is, status, operation: next.id, sender });
    else if (is !== undefined)
      ledger.add({
        // A server may send an undeclared error at any time, so callers have to be prepared for it.
        ...{ kind: 'answer-added', [otherParty(sender)]: isError(status) ? 'none' : 'wire' },
        says: `${next.id} can be answered with ${status}`,
        ...{ before: joinPointer(old.pointer, 'responses'), after: is.pointer, operations },
      });
    else if (was !== undefined)
      ledger.add({
        ...{ kind: 'answer-removed', [otherParty(sender)]: 'code', [sender]: 'wire' },
        says: `${next.id} is no longer answered with ${status}`,
        ...{ before: was.pointer, after: joinPointer(next.pointer, 'responses'), operations },
      });
  }
}

// --- internal ---

interface AnswerPair {
  readonly was: Response;
  readonly is: Response;
  readonly status: string;
  readonly operation: string;
  readonly sender: Party;
}

function described(operation: Operation, status: string): Response | undefined {
  if (/^\d{3}$/.test(status)) return responseOf(operation, Number(status));
  return [status, 'DEFAULT'].flatMap(
    (wanted) => operation.responses.find((response) => response.status.toUpperCase() === wanted) ?? [],
  )[0];
}

function isError(status: string): boolean {
  return /^[45]|^DEFAULT$/.test(status);
}

function compareAnswer(ledger: ChangeCollector, pair: AnswerPair): void {
  const { was, is, status, operation, sender } = pair;
  compareHeaders(ledger, pair);
  const label = `${operation} answer ${status.toLowerCase() === 'default' ? 'default' : status}`;
  const receiver = otherParty(sender);
  if ((was.content.length === 0) !== (is.content.length === 0)) {
    const isNew = is.content.length > 0;
    ledger.add({
      ...(isNew
        ? { kind: 'body-added', [sender]: 'wire' }
        : { kind: 'body-removed', [sender]: 'wire', [receiver]: 'wire' }),
      says: `${label} has ${isNew ? 'a' : 'no'} body`,
      ...{ before: was.pointer, after: is.pointer, operations: [operation] },
    });
    return;
  }
  const reason = 'it depends on the caller';
  compareContents(
    ledger,
    {
      ...{ old: was.content, new: is.content, before: was.pointer, after: is.pointer, label, operation },
      added: { receiver: 'unknown', reason },
    },
    { direction: 'response', sender },
  );
}

function compareHeaders(ledger: ChangeCollector, { was, is, status, operation, sender }: AnswerPair): void {
  const receiver = otherParty(sender);
  const byName = (response: Response): ReadonlyMap<string, ResponseHeader> =>
    new Map(response.headers.map((header) => [header.name.toLowerCase(), header]));
  const [before, after] = [byName(was), byName(is)];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, next] = [before.get(key), after.get(key)];
    const name = `${operation} answer ${status} header ${(next ?? old)?.name ?? key}`;
    const at = (response: Response, header: ResponseHeader | undefined): string =>
      header === undefined ? response.pointer : joinPointer(response.pointer, 'headers', header.name);
    const places = { before: at(was, old), after: at(is, next), operations: [operation] };
    if (next === undefined) {
      const isCounted = old?.required === true;
      ledger.add({
        kind: 'header-removed',
        [sender]: 'code',
        [receiver]: isCounted ? 'wire' : 'code',
        says: `${name} is gone`,
        ...places,
      });
    } else if (old === undefined) {
      const says = `${name} is new${next.required ? ' and required' : ''}`;
      ledger.add({ kind: 'header-added', [sender]: next.required ? 'wire' : 'none', says, ...places });
    } else {
      if (!old.required && next.required)
        ledger.add({ kind: 'header-required', [sender]: 'wire', says: `${name} is required`, ...places });
      if (old.required && !next.required)
        ledger.add({
          kind: 'header-optional',
          [receiver]: 'wire',
          says: `${name} is no longer required`,
          ...places,
        });
      if (old.explode !== next.explode || old.mediaType !== next.mediaType)
        ledger.add({
          ...{ kind: 'header-written-otherwise', callers: 'wire', servers: 'wire' },
          says: `${name} is written in another way`,
          ...places,
        });
      const isText = !isJson(next.mediaType ?? '') && !isJson(old.mediaType ?? '');
      const way = { direction: 'response', sender, ...(isText ? { isText } : {}) } as const;
      ledger.compare(carried(old, places.before), carried(next, places.after), way, name, operation);
    }
  }
}

function carried({ schema, mediaType }: ResponseHeader, pointer: string): TransmittedValue {
  return {
    schema,
    pointer: joinPointer(
      pointer,
      ...(mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema']),
    ),
  };
}
