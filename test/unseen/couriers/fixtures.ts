const place = { street: 'Mill Road 1', city: 'Bern' };
const order = { from: place, to: { street: 'Long Lane 3', city: 'Bern' }, parcels: [{ weight_grams: 1200 }] };

/** What a tester knows of the server. */
export const COURIER_FIXTURES = {
  cred: {
    valid: { header: 'X-Api-Key', value: 'key-of-the-shop' },
    jwt: 'token-of-the-shop',
    refused: 'key-that-nobody-has',
    secondAccount: 'key-of-the-bakery',
    secondJwt: 'token-of-the-bakery',
    forbidden: 'key-of-a-courier',
  },
  bodies: {
    orderDelivery: order,
    reassignDelivery: { reason: 'Bicycle is broken' },
    openAccount: { name: 'Branch' },
    changeAddress: { city: 'Basel' },
  },
  occasions: {
    orderDelivery: {
      other: {
        body: { ...order, parcels: [{ weight_grams: 800 }, { weight_grams: 2500 }], speed: 'express' },
      },
      slow: { body: { ...order, note: 'Takes 25 seconds.' }, minMs: 20_000 },
      ending: [
        { body: { ...order, note: 'Arrives.' }, ends: 'delivered' },
        { body: { ...order, within_seconds: 20 }, ends: 'failed' },
      ],
    },
    getDelivery: { missing: { parameters: { deliveryId: 'del_999999' } } },
    getAccount: { missing: { parameters: { accountId: 'acc_999999' } } },
  },
};
