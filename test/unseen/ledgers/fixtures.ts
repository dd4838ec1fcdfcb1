const rent = {
  name: 'Rent of the barn',
  kind: 'expense',
  group: 'premises',
  note: 'Until May.',
  tags: ['barn'],
};
const invoice = { reference: 'invoice 2001', amount: '148.25', booked_on: '2025-12-05', memo: 'Two sacks' };
const transfer = { from: 'bank', to: 'rent', amount: '12.50', memo: 'Deposit for a key' };

/** What a tester knows of the server. */
export const LEDGER_FIXTURES = {
  cred: {
    jwt: 'token-of-the-mill',
    secondAccount: 'token-of-the-forge',
    refused: 'token-of-nobody',
    forbidden: 'token-of-a-closed-firm',
  },
  bodies: {
    putAccount: rent,
    changeAccount: { name: 'Rent of the old barn', note: 'Until June.' },
    addPosting: invoice,
    makeStatement: { from_day: '2025-12-01', to_day: '2025-12-31', title: 'December' },
    createTransfer: transfer,
    changeTransfer: { amount: '13.75', memo: 'Deposit for two keys' },
  },
  occasions: {
    putAccount: { other: { body: { name: 'Bread sold', kind: 'income', tags: ['daily', 'shop'] } } },
    addPosting: {
      other: { body: { reference: 'invoice 2002', amount: '-31.00' } },
      slow: { body: { ...invoice, reference: 'invoice 2003', memo: 'Takes 5 seconds.' }, minMs: 5000 },
      failing: {
        body: { ...invoice, reference: 'invoice 2004', memo: 'Fails.' },
        expect: { status: 500 },
      },
    },
    createTransfer: {
      other: { body: { from: 'bank', to: 'wages', amount: '0.05' } },
      slow: { body: { ...transfer, memo: 'Takes 5 seconds.' }, minMs: 5000 },
      failing: { body: { ...transfer, memo: 'Fails.' }, expect: { status: 500 } },
      invalid: { body: { ...transfer, to: 'bank' }, expect: { status: 422 } },
    },
    makeStatement: {
      other: { body: { from_day: '2025-01-01', to_day: '2026-12-31' } },
      invalid: { body: { from_day: '2025-12-01', to_day: '2025-11-30' }, expect: { status: 422 } },
    },
    getAccount: { missing: { parameters: { code: 'no-such-account' } } },
    getTransfer: {
      missing: { parameters: { transferId: 'trf_999999' } },
      hidden: { parameters: { transferId: 'trf_3' } },
    },
  },
  writes: ['submitTransfer', 'voidTransfer'],
};
