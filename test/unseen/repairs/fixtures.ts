const ticket = {
  title: 'Screen stays dark',
  branch: 'station',
  kind: 'laptop',
  model: 'Lumen 4',
  customer: { name: 'Mira Sand', phone: '+41 31 555 01 02' },
  labels: ['warranty'],
  shelf: 'S-12',
};
const part = {
  serial: 'BAT-0071',
  name: 'Battery 4000',
  kind: 'battery',
  price_minor: 4900,
  supplier: 'Cellworks',
};
const file = 'A photo of the hinge.';

/** What a tester knows of the server. */
export const REPAIR_FIXTURES = {
  cred: {
    valid: { header: 'X-Shop-Key', value: 'sk_north_4711' },
    jwt: 'token-of-the-north',
    refused: 'sk_nobody_1234',
    secondAccount: 'sk_south_0815',
    secondJwt: 'token-of-the-south',
    forbidden: 'sk_closed_0000',
  },
  bodies: {
    openTicket: ticket,
    changeTicket: { priority: 'urgent', shelf: 'S-13' },
    searchTickets: { text: 'lumen', states: ['ready'] },
    proposeRepair: { finding: 'The battery is swollen.', amount_minor: 8900 },
    collectDevice: { collected_by: 'Mira Sand' },
    scrapDevice: { scrap_reason: 'The board is corroded.' },
    addPart: part,
    replacePart: { ...part, quantity: 2 },
    addParts: {
      parts: [
        { serial: 'SCR-0001', name: 'Screen', kind: 'screen', price_minor: 12900 },
        { serial: 'CAS-0001', name: 'Case', kind: 'case', price_minor: 2500, quantity: 2 },
      ],
    },
    addNote: { text: 'The hinge is loose as well.' },
    announceAttachment: { file_name: 'hinge.jpg', media_type: 'image/jpeg', bytes: file.length },
    putFile: file,
  },
  occasions: {
    openTicket: {
      other: {
        body: { ...ticket, title: 'Hinge is loose', kind: 'phone', branch: 'harbour', deposit_minor: 2000 },
      },
      slow: { body: { ...ticket, title: 'Slow to start' }, minMs: 2500 },
      failing: { body: { ...ticket, title: 'Broken in two' }, expect: { status: 500 } },
    },
    addPart: {
      other: { body: { ...part, serial: 'BAT-0072', kind: 'other', price_minor: 300 } },
    },
    getTicket: {
      missing: { parameters: { ticketId: 'tkt_999999' } },
      hidden: { parameters: { ticketId: 'tkt_60' } },
    },
  },
  writes: [
    'restoreTicket',
    'diagnoseTicket',
    'proposeRepair',
    'approveRepair',
    'declineRepair',
    'finishRepair',
    'collectDevice',
    'scrapDevice',
    'announceAttachment',
  ],
};
