import { joinPointer } from '../pointer.ts';
import { compareContents } from './contents.ts';
import { type ChangeCollector, otherParty } from './change-collector.ts';
import type { OperationPair } from './operation-pair.ts';

/** Compares the bodies of requests. */
export function compareRequestBodies(
  ledger: ChangeCollector,
  { old, new: next, sender }: OperationPair,
): void {
  const [was, is] = [old.requestBody, next.requestBody];
  const receiver = otherParty(sender);
  const [before, after] = [old, next].map(({ pointer }) => joinPointer(pointer, 'requestBody')) as [
    string,
    string,
  ];
  const label = `${next.id} body`;
  const places = { before, after, operations: [next.id] };
  if (was === undefined && is !== undefined) {
    const says = `${label} is new${is.required ? ' and required' : ''}`;
    ledger.add({ kind: 'body-added', [sender]: is.required ? 'wire' : 'none', says, ...places });
  } else if (was !== undefined && is === undefined) {
    const says = `${label} is gone`;
    ledger.add({
      kind: 'body-removed',
      [sender]: 'code',
      [receiver]: was.required ? 'wire' : 'code',
      says,
      ...places,
    });
  }
  if (was === undefined || is === undefined) return;
  if (!was.required && is.required)
    ledger.add({ kind: 'body-required', [sender]: 'wire', says: `${label} is required`, ...places });
  if (was.required && !is.required)
    ledger.add({
      kind: 'body-optional',
      [receiver]: 'wire',
      says: `${label} is no longer required`,
      ...places,
    });
  compareContents(
    ledger,
    {
      ...{ old: was.content, new: is.content, before, after, label, operation: next.id },
      added: { receiver: 'wire' },
    },
    { direction: 'request', sender },
  );
}
