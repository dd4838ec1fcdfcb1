import type { Thing } from '../wire.ts';
import type { Store } from './store.ts';
import { dayOf, type Account, type Transfer } from './things.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** What is there from the beginning: the books of two firms. */
export function fill(store: Store, now: number): void {
  const at = now - 40 * day;
  const account = (owner: string, code: string, name: string, kind: string, more: Thing = {}): Account =>
    store.addAccount(owner, code, { tags: [], name, kind, ...more }, at);
  const post = (to: Account, reference: string, amount: string, days: number, memo?: string): void => {
    const createdAt = at + days * day;
    store.addPosting(to, { reference, amount, day: dayOf(createdAt), memo, transfer: undefined, createdAt });
  };
  const transfer = (owner: string, body: Thing, ago: number, isSubmitted = true): Transfer => {
    const made = store.addTransfer(owner, body, now - ago);
    if (isSubmitted) Object.assign(made, { state: 'submitted', submittedAt: now - ago + 60_000, version: 2 });
    return made;
  };

  const bank = account('mill', 'bank', 'Bank', 'asset', { note: 'At the savings bank.' });
  const cash = account('mill', 'cash', 'Till', 'asset', { group: 'shop', tags: ['daily'] });
  account('mill', 'rent', 'Rent', 'expense', { group: 'premises' });
  account('mill', 'power', 'Light and power', 'expense', { group: 'premises', tags: ['monthly'] });
  account('mill', 'wages', 'Wages', 'expense', { group: 'staff' });
  account('mill', 'flour', 'Flour sold', 'income', { group: 'shop' });
  const loan = account('mill', 'loan', 'Loan for the mill wheel', 'liability');
  const forge = account('forge', 'bank', 'Bank', 'asset');
  account('forge', 'coal', 'Coal', 'expense');

  post(bank, 'opening', '250000.00', 0, 'Carried forward');
  post(bank, 'invoice 1041', '1180.50', 3);
  post(bank, 'invoice 1042', '96.20', 3);
  post(bank, 'fees', '-9.90', 3, 'Quarterly');
  post(bank, 'invoice 1043', '20400.00', 11);
  post(cash, 'opening', '310.75', 0);
  post(cash, 'stamps', '-18.40', 5);
  post(loan, 'opening', '-90000.00', 0);
  post(forge, 'opening', '4000.00', 0);

  transfer('mill', { from: 'bank', to: 'rent', amount: '1450.00', memo: 'October' }, 20 * day);
  transfer('mill', { from: 'cash', to: 'wages', amount: '9000.00' }, 18 * day);
  transfer('forge', { from: 'bank', to: 'coal', amount: '75.00' }, 9 * day);
  transfer('mill', { from: 'bank', to: 'power', amount: '212.35', memo: 'Last quarter' }, 8 * day);
  store.settle(now);
  const voided = transfer('mill', { from: 'bank', to: 'power', amount: '212.35' }, 7 * day, false);
  Object.assign(voided, { state: 'voided', endedAt: now - 6 * day, version: 2 });
}
