import type { Clock } from '../../../conformance/index.ts';
import { digest, Refusal, type Call, type Thing } from '../wire.ts';
import { settle, type Envelope, type Signer } from './lives.ts';

export type Has = (fault: string) => boolean;

export interface Template {
  readonly id: string;
  readonly number: number;
  readonly owner: string;
  readonly createdAt: number;
  values: Thing;
  isGone: boolean;
  wasRestored: boolean;
}

/** The id of a thing: the same for the same number in each run, so that fixtures can name what is there from the beginning. */
export const idOf = (prefix: string, number: number): string =>
  `${prefix}_${digest(`${prefix} ${String(number)}`)}`;

/** What the server keeps of all accounts. */
export class Store {
  readonly templates = new Map<string, Template>();
  readonly envelopes = new Map<string, Envelope>();
  /** Envelopes that were deleted. */
  readonly deleted = new Map<string, Envelope>();
  readonly clock: Clock;
  readonly has: Has;
  #last = 0;
  #lastSigner = 0;

  constructor(clock: Clock, has: Has) {
    this.clock = clock;
    this.has = has;
  }

  addTemplate(owner: string, values: Thing, at = this.clock.now()): Template {
    const number = this.templates.size + 1;
    const id = idOf('tpl', number);
    const made: Template = { id, number, owner, createdAt: at, values, isGone: false, wasRestored: false };
    this.templates.set(id, made);
    return made;
  }

  addEnvelope(owner: string, values: Thing, at = this.clock.now()): Envelope {
    this.#last += 1;
    const number = this.#last;
    const made: Envelope = {
      id: idOf('env', number),
      number,
      owner,
      values,
      createdAt: at,
      signBy: at + Number(values['valid_for_seconds']) * 1000,
      status: 'draft',
      signers: new Map(),
    };
    this.envelopes.set(made.id, made);
    return made;
  }

  addSigner(envelope: Envelope, values: Thing, at = this.clock.now()): Signer {
    this.#lastSigner += 1;
    const id = idOf('sgn', this.#lastSigner);
    const made: Signer = {
      id,
      number: this.#lastSigner,
      code: digest(`code of ${id}`).slice(0, 8),
      createdAt: at,
      values,
      status: 'waiting',
    };
    envelope.signers.set(id, made);
    return made;
  }

  /** The envelopes of an account as they are by now, in the order of their creation. */
  envelopesOf(owner: string): Envelope[] {
    const own = [...this.envelopes.values()].filter((one) => one.owner === owner);
    for (const one of own) this.settle(one);
    return own;
  }

  settle(envelope: Envelope): void {
    settle(envelope, this.clock.now(), this.has);
  }

  /** The envelope that a call is about, as it is by now. */
  envelopeOf(call: Call, owner: string): Envelope {
    const id = call.path['envelopeId'] ?? '';
    const outlives = this.has('signers-outlive-envelope') && call.operation === 'getSigner';
    const found = this.envelopes.get(id) ?? (outlives ? this.deleted.get(id) : undefined);
    if (found?.owner !== owner) throw new Refusal(404, 'not_found', 'There is no such envelope.');
    if (!(this.has('expired-draft-sends') && call.operation === 'sendEnvelope')) this.settle(found);
    return found;
  }

  /** The signer that a call is about, within its envelope. */
  signerOf(call: Call, envelope: Envelope): Signer {
    const id = call.path['signerId'] ?? '';
    const isOpen = this.has('decline-through-other-envelope') && call.operation === 'declineSigner';
    const within = isOpen ? this.envelopesOf(envelope.owner) : [envelope];
    const found = within.flatMap(({ signers }) => [...signers.values()]).find((one) => one.id === id);
    if (found === undefined) throw new Refusal(404, 'not_found', 'The envelope has no such signer.');
    return found;
  }

  /** Whether a slug belongs to a template other than this one. */
  isSlugTaken(slug: unknown, but?: Template): boolean {
    return [...this.templates.values()].some((one) => {
      if (one === but || one.isGone) return false;
      if (this.has('restored-slug-free') && one.wasRestored) return false;
      return one.values['slug'] === slug;
    });
  }
}
