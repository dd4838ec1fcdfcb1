import { pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { bodyOf, checkVersion, merged, shown } from './things.ts';
import { decline, isOpen, sign, type Envelope, type Signer } from './lives.ts';
import { pageOf } from './pages.ts';
import type { Store } from './store.ts';
import type { Handler } from './templates.ts';
import { signerView, tagOf } from './views.ts';

const defaults = { order: 1, language: 'en' };

/** The calls about signers, by operation. */
export function signerCalls(document: string, store: Store): Readonly<Record<string, Handler>> {
  const { clock, has } = store;

  const tag = (envelope: Envelope, signer: Signer): string => tagOf(signerView(envelope, signer), has);
  const showing = (call: Call, envelope: Envelope, signer: Signer): Answer =>
    shown(call, signerView(envelope, signer), tag(envelope, signer));
  const checkEmail = (envelope: Envelope, email: unknown, but?: Signer): void => {
    const isTaken = [...envelope.signers.values()].some(
      (one) => one !== but && one.values['email'] === email,
    );
    if (isTaken) throw new Refusal(409, 'email_taken', 'Another signer has the address.');
  };
  const checkDraft = ({ status }: Envelope): void => {
    if (status !== 'draft') throw new Refusal(409, 'wrong_state', `The envelope is ${status}.`);
  };
  const checkInvited = ({ status }: Signer, isLax = false): void => {
    if (status === 'invited' || (isLax && status === 'released')) return;
    throw new Refusal(409, 'wrong_state', `The signer is ${status}.`);
  };

  const list = (call: Call, owner: string): Answer => {
    const envelope = store.envelopeOf(call, owner);
    const { status } = call.query;
    const rows = [...envelope.signers.values()]
      .filter((one) => status === undefined || one.status === status)
      .map((one) => {
        const order = one.values['order'] as number;
        const value = has('orders-as-text') ? String(order) : order;
        return { item: signerView(envelope, one), value, number: one.number };
      });
    const bound = `signers ${envelope.id} ${status ?? ''}`;
    return pageOf(call, rows, { owner, bound, path: `/envelopes/${envelope.id}/signers`, has });
  };

  const add = async (call: Call, owner: string): Promise<Answer> => {
    const body = bodyOf(document, call);
    await pause(clock);
    const envelope = store.envelopeOf(call, owner);
    if (!isOpen(envelope)) throw new Refusal(409, 'wrong_state', `The envelope is ${envelope.status}.`);
    checkEmail(envelope, body['email']);
    const made = store.addSigner(envelope, { ...defaults, ...body });
    const Location = `/envelopes/${envelope.id}/signers/${made.id}`;
    const json: Thing = { ...signerView(envelope, made), access_code: made.code };
    return { status: 201, headers: { Location, ETag: tag(envelope, made) }, json };
  };

  const read = (call: Call, owner: string): Answer => {
    const envelope = store.envelopeOf(call, owner);
    return showing(call, envelope, store.signerOf(call, envelope));
  };

  const patch = async (call: Call, owner: string): Promise<Answer> => {
    const body = bodyOf(document, call);
    await pause(clock);
    const envelope = store.envelopeOf(call, owner);
    const signer = store.signerOf(call, envelope);
    checkVersion(call, tag(envelope, signer), false);
    checkDraft(envelope);
    const values = merged(signer.values, body) as Thing;
    if (has('taken-email-stores-name')) signer.values = { ...signer.values, name: values['name'] };
    checkEmail(envelope, values['email'], signer);
    signer.values = values;
    const answer = showing(call, envelope, signer);
    if (!has('access-code-after-patch')) return answer;
    return { ...answer, json: { ...(answer.json as Thing), access_code: signer.code } };
  };

  const remove = async (call: Call, owner: string): Promise<Answer> => {
    await pause(clock);
    const envelope = store.envelopeOf(call, owner);
    const signer = store.signerOf(call, envelope);
    checkVersion(call, tag(envelope, signer), false);
    checkDraft(envelope);
    envelope.signers.delete(signer.id);
    return { status: 204 };
  };

  const signFor = async (call: Call, owner: string): Promise<Answer> => {
    await pause(clock);
    const envelope = store.envelopeOf(call, owner);
    const signer = store.signerOf(call, envelope);
    checkInvited(signer, has('released-signs'));
    sign(envelope, signer, clock.now());
    return showing(call, envelope, signer);
  };

  const declineFor = async (call: Call, owner: string): Promise<Answer> => {
    const reason = String(bodyOf(document, call)['decline_reason']);
    await pause(clock);
    const below = store.envelopeOf(call, owner);
    const signer = store.signerOf(call, below);
    const envelope = store.envelopesOf(owner).find(({ signers }) => signers.has(signer.id)) ?? below;
    checkInvited(signer);
    decline(envelope, signer, reason, clock.now());
    return showing(call, envelope, signer);
  };

  return {
    listSigners: list,
    addSigner: add,
    getSigner: read,
    patchSigner: patch,
    removeSigner: remove,
    signSigner: signFor,
    declineSigner: declineFor,
  };
}
