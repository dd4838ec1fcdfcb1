import { pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { bodyOf, checkVersion, merged, shown } from './things.ts';
import { end, isOpen, type Envelope } from './lives.ts';
import type { Keyed } from './keys.ts';
import { cursorOf, pageOf, type Row } from './pages.ts';
import type { Store } from './store.ts';
import type { Handler } from './templates.ts';
import { envelopeView, tagOf } from './views.ts';

export const envelopeDefaults = {
  kind: 'other',
  value_cents: 0,
  sequential: false,
  tags: [],
  metadata: {},
  valid_for_seconds: 2_592_000,
};

const mostOpen = 20;
const reserved = ['branding', 'webhook'];

/** The calls about envelopes, by operation. */
export function envelopeCalls(
  document: string,
  store: Store,
  keyed: Keyed,
): Readonly<Record<string, Handler>> {
  const { clock, has } = store;

  const view = (envelope: Envelope): Thing => envelopeView(envelope, clock.now(), has);
  const tag = (envelope: Envelope): string => tagOf(view(envelope), has);
  const showing = (call: Call, envelope: Envelope, ignoresCopy = false): Answer =>
    shown(call, view(envelope), tag(envelope), ignoresCopy);

  const checkReserved = ({ operation, body }: Call): void => {
    if (typeof body !== 'object' || body === null) return;
    const isLax = has('reserved-webhook-in-patch') && operation === 'patchEnvelope';
    const found = reserved.find((name) => Object.hasOwn(body, name) && !(isLax && name === 'webhook'));
    if (found !== undefined) throw new Refusal(422, 'reserved_member', `${found} is reserved.`);
    if (isLax) delete (body as Thing)['webhook'];
  };

  const recipientsOf = (owner: string, id: unknown): readonly string[] => {
    if (id === undefined) return [];
    const template = store.templates.get(String(id));
    if (template?.owner !== owner || template.isGone) {
      throw new Refusal(422, 'unknown_template', 'There is no such template.');
    }
    return template.values['recipients'] as string[];
  };

  const create = async (call: Call, owner: string): Promise<Answer> => {
    checkReserved(call);
    const values = { ...envelopeDefaults, ...bodyOf(document, call) };
    await pause(clock);
    const recipients = recipientsOf(owner, (call.body as Thing)['template_id']);
    const counted = has('expired-drafts-count')
      ? [...store.envelopes.values()].filter((one) => one.owner === owner)
      : store.envelopesOf(owner);
    if (counted.filter(isOpen).length >= mostOpen) {
      throw new Refusal(409, 'too_many_open', 'Too many envelopes are open.');
    }
    if (has('large-value-wraps')) values.value_cents = values.value_cents | 0;
    const made = store.addEnvelope(owner, values);
    for (const email of recipients) {
      const [name = ''] = email.split('@');
      store.addSigner(made, { name, email, order: 1, language: 'en' });
    }
    const Location = `/envelopes/${made.id}`;
    return { status: 201, headers: { Location, ETag: tag(made) }, json: view(made) };
  };

  const list = (call: Call, owner: string): Answer => {
    const { status, kind, sort = '-created_at' } = call.query;
    const cursor = cursorOf(call);
    const whose = has('cursor-carries-account') ? (cursor?.owner ?? owner) : owner;
    const before = [...store.envelopes.values()].map((one) => [one, one.status] as const);
    const statuses = has('status-filter-unsettled') ? new Map(before) : undefined;
    const member = sort.replace('-', '');
    const rowOf = (one: Envelope): Row => ({
      item: view(one),
      value: member === 'created_at' ? one.createdAt : (one.values[member] as string | number),
      number: one.number,
    });
    const loosens = has('kind-lost-on-third-page') && (cursor?.pages ?? 0) >= 2;
    const all = store.envelopesOf(whose);
    const matching = all
      .filter((one) => status === undefined || (statuses?.get(one) ?? one.status) === status)
      .filter(({ values }) => kind === undefined || loosens || values['kind'] === kind);
    return pageOf(call, matching.map(rowOf), {
      owner,
      bound: `envelopes ${status ?? ''} ${kind ?? ''} ${sort}`,
      path: '/envelopes',
      has,
      isDescending: sort.startsWith('-'),
      whole: all.map(rowOf),
    });
  };

  const read = async (call: Call, owner: string): Promise<Answer> => {
    const { status } = store.envelopeOf(call, owner);
    const seconds = Number(call.query['wait'] ?? 0);
    const until = clock.now() + seconds * 1000;
    while (clock.now() < until && store.envelopeOf(call, owner).status === status) {
      await clock.sleep(Math.min(500, until - clock.now()), call.signal);
    }
    return showing(call, store.envelopeOf(call, owner), has('wait-ignores-copy') && seconds > 0);
  };

  const patch = async (call: Call, owner: string): Promise<Answer> => {
    checkReserved(call);
    const body = bodyOf(document, call);
    await pause(clock);
    const found = store.envelopeOf(call, owner);
    checkVersion(call, tag(found), true);
    if (found.status !== 'draft') throw new Refusal(409, 'wrong_state', `The envelope is ${found.status}.`);
    found.values = bodyOf(document, call, 'createEnvelope', merged(found.values, body));
    return showing(call, found);
  };

  const remove = async (call: Call, owner: string): Promise<Answer> => {
    await pause(clock);
    const found = store.envelopeOf(call, owner);
    checkVersion(call, tag(found), true);
    store.envelopes.delete(found.id);
    store.deleted.set(found.id, found);
    return { status: 204 };
  };

  const send = async (call: Call, owner: string): Promise<Answer> => {
    const isEarly = has('send-checks-version-early');
    if (isEarly) checkVersion(call, tag(store.envelopeOf(call, owner)), true);
    await pause(clock);
    const found = store.envelopeOf(call, owner);
    if (!isEarly) checkVersion(call, tag(found), true);
    if (found.status !== 'draft') throw new Refusal(409, 'wrong_state', `The envelope is ${found.status}.`);
    found.status = 'sent';
    found.sentAt = clock.now();
    return showing(call, found);
  };

  const takeBack = async (call: Call, owner: string): Promise<Answer> => {
    const reason = String(bodyOf(document, call)['void_reason']);
    await pause(clock);
    const found = store.envelopeOf(call, owner);
    if (found.status !== 'sent') {
      if (has('refused-void-takes-reason') && found.status === 'voided') found.voidReason = reason;
      throw new Refusal(409, 'wrong_state', `The envelope is ${found.status}.`);
    }
    end(found, 'voided', clock.now());
    found.voidReason = reason;
    return showing(call, found);
  };

  return {
    listEnvelopes: list,
    createEnvelope: (call, owner) => keyed(call, owner, () => create(call, owner)),
    getEnvelope: read,
    patchEnvelope: patch,
    deleteEnvelope: remove,
    sendEnvelope: send,
    voidEnvelope: takeBack,
  };
}
