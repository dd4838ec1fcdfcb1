import { canonical, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { numberedPage } from './pages.ts';
import { bodyOf, sandbox, TRANSFER_MEMBERS, type Handler, type Parts } from './store.ts';
import {
  checkVersion,
  isCurrentCopy,
  merged,
  shownTransfer,
  tagOfTransfer,
  type Transfer,
} from './things.ts';

/** The most transfers of a firm that may be open. */
const mostOpen = 6;

/** The calls about transfers, by operation. */
export function transferCalls(
  parts: Parts,
  miscounted: ReadonlyMap<string, number>,
): Readonly<Record<string, Handler>> {
  const { clock, has, store, once } = parts;
  const answer = (transfer: Transfer, status = 200): Answer => ({
    status,
    headers: { ETag: tagOfTransfer(transfer) },
    json: shownTransfer(transfer),
  });
  const pathOf = ({ number }: Transfer): string => `/transfers/trf_${String(number)}`;
  const transferOf = (call: Call, owner: string): Transfer => {
    const found = store.transfers.find((one) => `trf_${String(one.number)}` === call.path['transferId']);
    if (found?.owner !== owner) {
      const isHalfDone = has('other-firm-submits') && call.operation === 'submitTransfer';
      if (isHalfDone && found?.state === 'draft') submit(found);
      throw new Refusal(404, 'not_found', 'There is no such transfer.');
    }
    return found;
  };
  const wrongState = ({ state }: Transfer): Refusal =>
    new Refusal(409, 'wrong_state', `The transfer is ${state}.`);
  const checkReserved = ({ body }: Call): void => {
    if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'repeat')) return;
    throw new Refusal(422, 'reserved', 'repeat is reserved for standing orders.');
  };
  const checkAccounts = (owner: string, { from, to }: Thing): void => {
    if (from === to) throw new Refusal(422, 'same_account', 'A transfer is between two accounts.');
    for (const code of [from, to]) {
      if (store.find(owner, code) !== undefined) continue;
      throw new Refusal(422, 'unknown_account', 'A transfer is between accounts of the firm.');
    }
  };
  const checkBound = (owner: string): void => {
    const open = store.transfers.filter(
      (one) => one.owner === owner && ['draft', 'submitted'].includes(one.state),
    );
    if (open.length + (miscounted.get(owner) ?? 0) < mostOpen) return;
    throw new Refusal(409, 'too_many_open', 'Too many transfers are open.');
  };
  const submit = (transfer: Transfer): void => {
    transfer.state = 'submitted';
    transfer.submittedAt = clock.now();
    transfer.version += 1;
  };

  const createTransfer: Handler = (call, owner) =>
    once(call, '/transfers', owner, async () => {
      checkReserved(call);
      const body = bodyOf(parts, call);
      await sandbox(parts, body);
      checkAccounts(owner, body);
      checkBound(owner);
      const made = store.addTransfer(owner, body, clock.now());
      const { headers, ...others } = answer(made, 201);
      return { ...others, headers: { ...headers, Location: pathOf(made) } };
    });

  const listTransfers: Handler = (call, owner) => {
    const filters = ['state', 'from', 'to'];
    const own = store.transfers.filter((one) => one.owner === owner);
    const matching = own
      .toReversed()
      .map(shownTransfer)
      .filter((one) => filters.every((name) => (call.query[name] ?? one[name]) === one[name]));
    const items = has('rejection-missing-in-list')
      ? matching.map(({ rejection: _, ...others }) => others)
      : matching;
    const counted = has('total-header-unfiltered') ? own.length : matching.length;
    return numberedPage(call, items, { path: '/transfers', kept: filters, counted });
  };

  const getTransfer: Handler = (call, owner) => {
    const transfer = transferOf(call, owner);
    const tag = tagOfTransfer(transfer);
    return isCurrentCopy(call, tag) ? { status: 304, headers: { ETag: tag } } : answer(transfer);
  };

  const changeTransfer: Handler = (call, owner) => {
    const transfer = transferOf(call, owner);
    if (!has('patched-repeat-passes')) checkReserved(call);
    const patch = bodyOf(parts, call);
    checkVersion(call, tagOfTransfer(transfer));
    if (transfer.state !== 'draft') throw wrongState(transfer);
    const values = merged(transfer.values, patch, TRANSFER_MEMBERS);
    checkAccounts(owner, values);
    if (canonical(values) !== canonical(transfer.values)) {
      transfer.values = values;
      transfer.version += 1;
    }
    return answer(transfer);
  };

  const submitTransfer: Handler = (call, owner) => {
    const transfer = transferOf(call, owner);
    if (transfer.state !== 'draft') {
      const isMoved = transfer.state === 'submitted' && has('second-submit-moves-time');
      if (isMoved) transfer.submittedAt = clock.now();
      throw wrongState(transfer);
    }
    submit(transfer);
    const { headers, ...accepted } = answer(transfer, 202);
    const nothing = has('rejection-null-on-202') ? { rejection: null } : {};
    return {
      ...accepted,
      headers: { ...headers, Location: pathOf(transfer) },
      json: { ...(accepted.json as Thing), ...nothing },
    };
  };

  const voidTransfer: Handler = (call, owner) => {
    const transfer = transferOf(call, owner);
    if (!['draft', 'submitted'].includes(transfer.state)) throw wrongState(transfer);
    const now = clock.now();
    transfer.endedAt = has('end-in-whole-seconds') ? Math.floor(now / 1000) * 1000 : now;
    transfer.state = 'voided';
    transfer.version += 1;
    return answer(transfer);
  };

  return { createTransfer, listTransfers, getTransfer, changeTransfer, submitTransfer, voidTransfer };
}
