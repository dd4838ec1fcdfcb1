import { move, settle, type Ticket } from './lives.ts';
import type { Store } from './store.ts';

const hour = 60 * 60 * 1000;
const branches = ['harbour', 'station', 'old_town'];
const kinds = ['phone', 'laptop', 'console', 'appliance'];
const partKinds = ['screen', 'battery', 'board', 'case', 'other'];
const faults = [
  'Screen stays dark',
  'Battery is swollen',
  'Hinge is loose',
  'Does not start',
  'Smells of smoke',
];
const labels = [['warranty'], ['warranty', 'insured'], [], ['staff']];

/** How far tickets of the past have come, by what was called. */
const ways = [
  ['diagnose', 'propose', 'approve', 'finish', 'collect'],
  ['diagnose', 'propose', 'decline', 'collect'],
  ['diagnose', 'scrap'],
  ['diagnose', 'propose', 'approve', 'finish'],
  ['diagnose', 'propose', 'lapse'],
  ['diagnose', 'propose', 'decline', 'scrap'],
];
/** Those that are open at the beginning: four of the first chain, two of the other. */
const openWays = [[], ['diagnose'], ['diagnose', 'propose'], ['diagnose', 'propose', 'approve']];

const operations: Readonly<Record<string, string>> = {
  diagnose: 'diagnoseTicket',
  propose: 'proposeRepair',
  approve: 'approveRepair',
  decline: 'declineRepair',
  finish: 'finishRepair',
  collect: 'collectDevice',
  scrap: 'scrapDevice',
};

/** What is there from the beginning: 58 tickets of the north, and 8 of the south. */
export function seed(store: Store): void {
  for (let count = 0; count < 54; count += 1) ticket(store, 'north', count, ways[count % ways.length] ?? []);
  for (const [count, way] of openWays.entries()) ticket(store, 'north', 60 + count, way);
  for (let count = 0; count < 6; count += 1) ticket(store, 'south', 70 + count, ways[count] ?? []);
  for (const count of [0, 1]) ticket(store, 'south', 80 + count, openWays[count] ?? []);
}

// --- internal ---

function ticket(store: Store, owner: string, count: number, way: readonly string[]): void {
  const at = store.clock.now() - (100 - count) * hour;
  const made = store.addTicket(
    owner,
    {
      title: `${String(faults[count % faults.length])}, no. ${String(count + 1)}`,
      branch: branches[count % 3],
      kind: kinds[(count * 3) % 4],
      model: `Lumen ${String(count % 9)}`,
      customer: {
        name: `Customer ${String(count % 20)}`,
        ...(count % 2 === 0 ? { phone: '+41 31 555 01 02' } : {}),
      },
      ...(count % 4 === 1 ? { priority: 'urgent' } : {}),
      labels: labels[count % 4],
      ...(count % 3 === 0 ? { deposit_minor: ((count * 7) % 13) * 1000 } : {}),
      ...(count % 6 === 0 ? { shelf: `S-${String(count)}` } : {}),
    },
    at,
  );
  const parts = count === 60 ? 45 : count % 3;
  for (let part = 0; part < parts; part += 1) {
    store.addPart(made, {
      serial: `P-${String((part * 7) % 45)}-${String(count)}`,
      name: `Part ${String(part + 1)}`,
      kind: partKinds[part % 5],
      price_minor: ((part * 11) % 17) * 250,
    });
  }
  const notes = count === 60 ? 25 : count % 4;
  for (let note = 0; note < notes; note += 1) {
    const audience = note % 3 === 0 ? 'customer' : 'workshop';
    store.addNote(made, { text: `Note ${String(note + 1)}`, audience }, at + note * 1000);
  }
  for (const [step, action] of way.entries()) {
    const within = way.includes('lapse') ? 300 : 2_592_000;
    act(store, made, { action, within, at: at + (step + 1) * 600_000 });
  }
}

interface Step {
  readonly action: string;
  readonly within: number;
  readonly at: number;
}

function act(store: Store, made: Ticket, { action, within, at }: Step): void {
  if (action === 'lapse') {
    settle(made, at, store.has);
    return;
  }
  const body = {
    finding: 'A part is broken.',
    amount_minor: 8900,
    answer_within_seconds: within,
    collected_by: 'Mira Sand',
    scrap_reason: 'The board is corroded.',
  };
  move(made, operations[action] ?? '', at, body, store.has);
}
