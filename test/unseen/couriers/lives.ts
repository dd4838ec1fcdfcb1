import type { Thing } from '../wire.ts';
import { partsOf, priceOf, type Part } from './prices.ts';

type Has = (fault: string) => boolean;

export interface Delivery {
  readonly id: string;
  readonly owner: string;
  readonly order: Thing;
  readonly number: number;
  readonly orderedAt: number;
  readonly deadline: number;
  readonly log: { readonly event: string; readonly data: Thing }[];
  state: string;
  parts: readonly Part[];
  reassignments: number;
  /** How often it had a new courier: the number of its courier. */
  changes: number;
  pickUpAt: number;
  positions: number;
  assignedAt?: number;
  pickedUpAt?: number;
  deliveredAt?: number;
  failedAt?: number;
  cancelledAt?: number;
}

const couriers = ['Ada', 'Bo', 'Cleo', 'Dov', 'Eli', 'Fay', 'Gus', 'Hal'];
const ends = ['delivered', 'failed', 'cancelled'];

export const isOpen = ({ state }: Delivery): boolean => !ends.includes(state);

/** A new delivery. The order has its defaults already. */
export function ordered(number: number, owner: string, order: Thing, now: number, has: Has): Delivery {
  return {
    id: `del_${String(number)}`,
    owner,
    order,
    number,
    orderedAt: now,
    deadline: now + Number(order['within_seconds']) * 1000,
    log: [],
    state: 'ordered',
    parts: partsOf(order, has),
    reassignments: 0,
    changes: 0,
    pickUpAt: now + 15_000,
    positions: 0,
  };
}

/** Does what has happened by itself until now. */
export function settle(delivery: Delivery, now: number, has: Has): void {
  for (let step = nextStep(delivery, has); step !== undefined && step.at <= now;) {
    step.act(step.at);
    if (step.event !== 'position') tell(delivery, has);
    step = nextStep(delivery, has);
  }
}

/** Notes a change for those who watch. */
export function tell(delivery: Delivery, has: Has): void {
  const data = shown(delivery, has);
  if (has('stream-ends-without-proof')) delete data['proof'];
  delivery.log.push({ event: 'state', data });
}

/** A delivery as callers see it. */
export function shown(delivery: Delivery, has: Has): Thing {
  const { id, order, state, number, changes, assignedAt, deliveredAt } = delivery;
  const at = (number + changes) % couriers.length;
  const courier = { id: `courier_${String(at + 1)}`, name: couriers[at] };
  return {
    id,
    ...order,
    state,
    deliver_by: time(delivery.deadline),
    price: priceOf(delivery.parts, has),
    ...(assignedAt === undefined ? {} : { courier }),
    ...(has('courier-null') && state === 'ordered' ? { courier: null } : {}),
    reassignments: delivery.reassignments,
    ...(deliveredAt === undefined ? {} : { proof: { received_by: 'A. Neighbour', at: time(deliveredAt) } }),
    ...(state === 'failed' ? { failure: 'late' } : {}),
    ordered_at: time(delivery.orderedAt),
    ...timed('assigned_at', assignedAt),
    ...timed('picked_up_at', delivery.pickedUpAt),
    ...timed('delivered_at', deliveredAt),
    ...timed('failed_at', delivery.failedAt),
    ...timed('cancelled_at', delivery.cancelledAt),
    links: { self: `/deliveries/${id}`, events: `/deliveries/${id}/events` },
  };
}

// --- internal ---

interface Step {
  readonly at: number;
  readonly event: string;
  readonly act: (at: number) => void;
}

/** What happens next by itself, unless a call comes before. */
function nextStep(delivery: Delivery, has: Has): Step | undefined {
  if (!isOpen(delivery)) return undefined;
  const step = onward(delivery);
  const isSpared = has('late-delivers') && delivery.state === 'picked_up';
  if (step.at <= delivery.deadline || isSpared) return step;
  const fail = (at: number): void => {
    delivery.state = 'failed';
    delivery.failedAt = at;
  };
  return { at: delivery.deadline, event: 'state', act: fail };
}

function onward(delivery: Delivery): Step {
  if (delivery.state === 'ordered') {
    const assign = (at: number): void => {
      delivery.state = 'assigned';
      delivery.assignedAt = at;
    };
    return { at: delivery.orderedAt + 5000, event: 'state', act: assign };
  }
  if (delivery.state === 'assigned') {
    const pickUp = (at: number): void => {
      delivery.state = 'picked_up';
      delivery.pickedUpAt = at;
    };
    return { at: delivery.pickUpAt, event: 'state', act: pickUp };
  }
  if (delivery.positions < 2) {
    const move = (): void => {
      delivery.positions += 1;
      const left = 3000 - delivery.positions * 1000;
      delivery.log.push({ event: 'position', data: { metres_left: left } });
    };
    return { at: delivery.pickUpAt + 3000 * (delivery.positions + 1), event: 'position', act: move };
  }
  const arrive = (at: number): void => {
    delivery.state = 'delivered';
    delivery.deliveredAt = at;
  };
  return { at: delivery.pickUpAt + 10_000, event: 'state', act: arrive };
}

const time = (at: number): string => new Date(at).toISOString();

const timed = (name: string, at: number | undefined): Thing => (at === undefined ? {} : { [name]: time(at) });
