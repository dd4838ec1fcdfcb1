const zone = {
  name: 'lighthouse.example',
  kind: 'primary',
  default_ttl: 1800,
  contact: 'ops@lighthouse.example',
  note: 'Of the northern coast.',
  tags: ['coast'],
};

const set = {
  type: 'A',
  records: ['192.0.2.7', '192.0.2.8'],
  ttl: 600,
  weight: 20,
  comment: 'Behind the balancer.',
};

/** What a tester knows of the server. */
export const ZONE_FIXTURES = {
  cred: {
    valid: { header: 'X-Api-Key', value: 'dns_north_5150' },
    jwt: 'token-of-north',
    refused: 'dns_nobody_0000',
    secondAccount: 'dns_south_5151',
    secondJwt: 'token-of-south',
    forbidden: 'dns_suspended_5152',
  },
  bodies: {
    createZone: zone,
    changeZone: { default_ttl: 900, note: 'Of the southern coast.' },
    transferZone: { to: 'south' },
    addSet: { name: 'www', ...set },
    putSet: set,
    importSets: {
      sets: [
        { name: 'shop', ...set },
        { name: 'text', type: 'TXT', records: ['v=spf1 -all'] },
      ],
    },
    changeSet: { ttl: 120, comment: 'In front of the balancer.' },
    submitChange: { set: 'www', type: 'A', records: ['192.0.2.99'], ttl: 900, delay_seconds: 30 },
  },
  occasions: {
    createZone: {
      other: { body: { name: 'dunes.example', kind: 'secondary' } },
      slow: { body: { ...zone, name: 'slow.example', contact: 'slow@test.invalid' }, minMs: 4000 },
      failing: {
        body: { ...zone, name: 'broken.example', contact: 'fail@test.invalid' },
        expect: { status: 500 },
      },
      unavailable: {
        body: { ...zone, name: 'busy.example', contact: 'busy@test.invalid' },
        expect: { status: 503 },
      },
    },
    submitChange: {
      other: { body: { set: 'mail', type: 'MX', records: ['10 mx.lighthouse.example'] } },
      ending: {
        body: { set: 'api', type: 'CNAME', records: ['www.lighthouse.example'], delay_seconds: 5 },
        ends: 'applied',
      },
    },
    getZone: { missing: { parameters: { zoneId: 'zone_999999' } } },
    getSet: { missing: { parameters: { setName: 'nobody' } } },
    getChange: { missing: { parameters: { changeId: 'chg_999999' } } },
  },
  /** Both accounts are the tester's: zones may go from one to the other. */
  writes: ['publishZone', 'transferZone', 'importSets', 'submitChange'],
};
