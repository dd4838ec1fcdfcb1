import { canonical, digest, type Thing } from '../wire.ts';
import type { Envelope, Signer } from './lives.ts';
import type { Has, Template } from './store.ts';

/** A template as callers see it. */
export function templateView({ id, values, createdAt }: Template): Thing {
  return { id, ...values, created_at: time(createdAt), links: { self: `/templates/${id}` } };
}

/** An envelope as callers see it. */
export function envelopeView(envelope: Envelope, now: number, has: Has): Thing {
  const { id, values, status, endedAt, createdAt } = envelope;
  const signers = [...envelope.signers.values()];
  const moved = has('expired-moves') && status === 'expired' ? now : endedAt;
  return {
    id,
    ...values,
    status,
    signer_count: signers.length,
    signed_count: signers.filter((one) => one.status === 'signed').length,
    created_at: time(createdAt),
    sign_by: time(envelope.signBy),
    ...timed('sent_at', envelope.sentAt),
    ...timed('ended_at', moved),
    ...(envelope.voidReason === undefined ? {} : { void_reason: envelope.voidReason }),
    ...(envelope.declinedBy === undefined ? {} : { declined_by: envelope.declinedBy }),
    ...(status === 'completed' && endedAt !== undefined
      ? { certificate: { number: `crt_${digest(id)}`, issued_at: time(endedAt) } }
      : {}),
    links: { self: `/envelopes/${id}`, signers: `/envelopes/${id}/signers` },
  };
}

/** A signer as callers see it, without the code. */
export function signerView(envelope: Envelope, signer: Signer): Thing {
  const { id, values, status, declineReason } = signer;
  return {
    id,
    ...values,
    status,
    created_at: time(signer.createdAt),
    ...timed('invited_at', signer.invitedAt),
    ...timed('signed_at', signer.signedAt),
    ...timed('declined_at', signer.declinedAt),
    ...(declineReason === undefined ? {} : { decline_reason: declineReason }),
    links: { self: `/envelopes/${envelope.id}/signers/${id}`, envelope: `/envelopes/${envelope.id}` },
  };
}

/** The tag of what callers see. */
export function tagOf(view: Thing, has: Has): string {
  const seen = { ...view };
  if (has('signing-keeps-tag')) delete seen['signed_count'];
  return `"${digest(canonical(seen))}"`;
}

// --- internal ---

const time = (at: number): string => new Date(at).toISOString();

const timed = (name: string, at: number | undefined): Thing => (at === undefined ? {} : { [name]: time(at) });
