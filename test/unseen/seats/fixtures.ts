const show = {
  title: 'The Glass Harbour',
  hall: 'studio',
  genre: 'play',
  starts_at: '2027-03-12T19:30:00+01:00',
  price: 2200,
  seats_total: 600,
  description: 'With one interval.',
  tags: ['new'],
};

/** What a tester knows of the server. */
export const SEAT_FIXTURES = {
  cred: {
    jwt: 'token-of-the-opera',
    secondAccount: 'token-of-the-puppets',
    refused: 'token-of-nobody',
    forbidden: 'token-of-a-suspended-theatre',
  },
  bodies: {
    createShow: show,
    changeShow: { title: 'The Glass Harbour, again', price: 2600 },
    holdSeats: { reference: 'counter-1', seats: 2, note: 'By the aisle' },
    changeBooking: { seats: 3, note: 'In the middle' },
    confirmBooking: { payer: 'Ida Holm' },
    joinQueue: { contact: 'ann@example.com', seats: 2 },
  },
  occasions: {
    createShow: {
      other: {
        body: {
          title: 'Lanterns',
          hall: 'cellar',
          starts_at: '2027-03-13T20:00:00Z',
          price: 0,
          seats_total: 60,
        },
      },
      slow: { body: { ...show, title: 'Slow opera' }, minMs: 5000 },
      failing: { body: { ...show, title: 'Broken opera' }, expect: { status: 500 } },
      unavailable: { body: { ...show, title: 'Opera on strike' }, expect: { status: 503 } },
    },
    holdSeats: {
      other: { body: { reference: 'counter-2', seats: 5 } },
      ending: { body: { reference: 'counter-3', seats: 1, hold_seconds: 5 }, ends: 'expired' },
    },
    getShow: {
      missing: { parameters: { showId: 'show_999999' } },
      hidden: { parameters: { showId: 'show_6' } },
    },
  },
  writes: ['restoreShow', 'extendBooking', 'confirmBooking', 'collectBooking', 'cancelBooking'],
};
