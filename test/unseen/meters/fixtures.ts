import { OTHERS, ROOF } from './server.ts';

/** What a tester of the meters knows beyond the contract. */
export const METER_FIXTURES = {
  cred: {
    secondAccount: 'key-of-another',
    forbidden: 'key-that-is-suspended',
    refused: 'key-of-nobody',
  },
  bodies: {
    raiseAlarm: { device_id: ROOF, severity: 'warning', note: 'a hum' },
    addReading: { at: '2026-02-01T10:00:00Z', watts: 12.5, minutes: 15 },
  },
  occasions: {
    registerDevice: {
      ok: { body: { name: 'Attic', kind: 'meter', site: 'south', limit_w: 400, tags: ['new'] } },
      other: { body: { name: 'Barn', kind: 'charger', site: 'south', limit_w: 7000 } },
      slow: { body: { name: 'slow device', kind: 'meter', limit_w: 10 }, minMs: 1000 },
      failing: { body: { name: 'broken device', kind: 'meter', limit_w: 10 }, expect: { status: 500 } },
      unavailable: {
        body: { name: 'unavailable device', kind: 'meter', limit_w: 10 },
        expect: { status: 503 },
      },
      refused: {
        body: { name: 'Hut', kind: 'meter', limit_w: 10, firmware: '1.2' },
        expect: { status: 422 },
      },
    },
    raiseAlarm: {
      ok: { body: { device_id: ROOF, severity: 'critical', note: 'smoke' } },
      other: { body: { device_id: ROOF, severity: 'info' } },
      slow: { body: { device_id: ROOF, severity: 'info', note: 'slow' }, minMs: 1000 },
      refused: { body: { device_id: ROOF, severity: 'info', note: 'nonsense' }, expect: { status: 422 } },
      missing: { body: { device_id: 'dev_000000000000', severity: 'info' } },
      hidden: { body: { device_id: OTHERS.device, severity: 'info' } },
    },
    getAlarm: { hidden: { parameters: { alarmId: OTHERS.alarm } } },
    addReading: {
      ok: { body: { at: '2026-02-01T11:00:00+01:00', watts: 40, minutes: 60 } },
      other: { body: { at: '2026-02-01T12:00:00Z', watts: 50, minutes: 60 } },
      missing: {
        parameters: { deviceId: 'dev_000000000000' },
        body: { at: '2026-03-01T10:00:00Z', watts: 10, minutes: 15 },
      },
    },
  },
};
