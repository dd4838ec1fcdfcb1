import type { Thing } from '../wire.ts';

export interface Signer {
  readonly id: string;
  readonly number: number;
  readonly code: string;
  readonly createdAt: number;
  values: Thing;
  status: 'waiting' | 'invited' | 'signed' | 'declined' | 'released';
  invitedAt?: number;
  signedAt?: number;
  declinedAt?: number;
  declineReason?: string;
}

export interface Envelope {
  readonly id: string;
  readonly number: number;
  readonly owner: string;
  readonly createdAt: number;
  readonly signBy: number;
  readonly signers: Map<string, Signer>;
  values: Thing;
  status: 'draft' | 'sent' | 'completed' | 'declined' | 'voided' | 'expired';
  sentAt?: number;
  endedAt?: number;
  voidReason?: string;
  declinedBy?: string;
}

type Has = (fault: string) => boolean;

export const isOpen = ({ status }: Envelope): boolean => status === 'draft' || status === 'sent';

/** Does what has happened by itself until now, in the order in which it happened. */
export function settle(envelope: Envelope, now: number, has: Has): void {
  for (let step = nextStep(envelope, has); step !== undefined && step.at <= now;) {
    step.act(step.at);
    step = nextStep(envelope, has);
  }
}

/** Ends an envelope; signers who have neither signed nor declined are released. */
export function end(
  envelope: Envelope,
  status: 'completed' | 'declined' | 'voided' | 'expired',
  at: number,
): void {
  envelope.status = status;
  envelope.endedAt = at;
  for (const signer of envelope.signers.values()) {
    if (signer.status === 'waiting' || signer.status === 'invited') signer.status = 'released';
  }
}

export function sign(envelope: Envelope, signer: Signer, at: number): void {
  signer.status = 'signed';
  signer.signedAt = at;
  const hasAll = [...envelope.signers.values()].every(({ status }) => status === 'signed');
  if (hasAll && envelope.status === 'sent') end(envelope, 'completed', at);
}

export function decline(envelope: Envelope, signer: Signer, reason: string, at: number): void {
  signer.status = 'declined';
  signer.declinedAt = at;
  signer.declineReason = reason;
  envelope.declinedBy = signer.id;
  end(envelope, 'declined', at);
}

// --- internal ---

interface Step {
  readonly at: number;
  readonly act: (at: number) => void;
}

const delay = 5000;

/** What happens next by itself, unless a call comes before. */
function nextStep(envelope: Envelope, has: Has): Step | undefined {
  if (!isOpen(envelope)) return undefined;
  const steps: Step[] = [{ at: envelope.signBy, act: (at) => end(envelope, 'expired', at) }];
  const { sentAt } = envelope;
  if (sentAt !== undefined) {
    for (const signer of envelope.signers.values()) {
      const step = stepOf(envelope, signer, sentAt, has);
      if (step !== undefined) steps.push(step);
    }
  }
  return steps.reduce((first, one) => (one.at < first.at ? one : first));
}

function stepOf(envelope: Envelope, signer: Signer, sentAt: number, has: Has): Step | undefined {
  if (signer.status === 'invited') {
    const at = (signer.invitedAt ?? 0) + delay;
    const address = String(signer.values['email']);
    if (address.endsWith('@signs.example')) return { at, act: (then) => sign(envelope, signer, then) };
    if (!address.endsWith('@declines.example')) return undefined;
    return { at, act: (then) => decline(envelope, signer, 'Declined by itself.', then) };
  }
  if (signer.status !== 'waiting') return undefined;
  const turn = envelope.values['sequential'] === true ? turnOf(envelope, signer, has) : sentAt;
  if (turn === undefined) return undefined;
  const invite = (then: number): void => {
    signer.status = 'invited';
    signer.invitedAt = then;
  };
  return { at: Math.max(sentAt, signer.createdAt, turn) + delay, act: invite };
}

/** When all signers with a lower order had signed; undefined while one has not. */
function turnOf(envelope: Envelope, signer: Signer, has: Has): number | undefined {
  const order = Number(signer.values['order']);
  const before = [...envelope.signers.values()].filter((one) => {
    const other = Number(one.values['order']);
    return other < order || (has('equal-order-waits') && other === order && one.number < signer.number);
  });
  if (before.some(({ status }) => status !== 'signed')) return undefined;
  return Math.max(0, ...before.map(({ signedAt }) => signedAt ?? 0));
}
