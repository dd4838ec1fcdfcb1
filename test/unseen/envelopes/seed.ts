import { end } from './lives.ts';
import { envelopeDefaults } from './envelopes.ts';
import { idOf, type Store } from './store.ts';

/** A template whose recipients sign by themselves, and an envelope that waits for a signature. */
export const SIGNING_TEMPLATE = idOf('tpl', 1);
export const SENT_ENVELOPE = idOf('env', 3);

const hour = 3_600_000;
const languages = ['en', 'pt', 'de'];
const kinds = ['contract', 'disclosure', 'receipt', 'other', 'contract'];

/** What is there from the beginning: 26 templates and 66 envelopes of the harbour, and a few of the orchard. */
export function seed(store: Store): void {
  const now = store.clock.now();
  const template = (owner: string, name: string, recipients: readonly string[], at: number): void => {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    store.addTemplate(
      owner,
      { name, slug, language: languages[at % 3], recipients },
      now - (400 - at) * hour,
    );
  };
  template('harbour', 'Berth lease', ['ana@signs.example', 'ben@signs.example'], 1);
  template('harbour', 'Crew disclosure', ['cora@declines.example'], 2);
  template('orchard', 'Apple sale', [], 3);
  for (let count = 4; count < 28; count += 1) template('harbour', `Cargo form ${String(count)}`, [], count);
  template('orchard', 'Pear sale', ['dan@signs.example'], 28);

  for (let count = 1; count <= 70; count += 1) {
    const owner = count % 20 === 10 || count === 70 ? 'orchard' : 'harbour';
    const at = now - (100 - count) * hour;
    const isKept = count <= 4;
    const made = store.addEnvelope(
      owner,
      {
        ...envelopeDefaults,
        title: `Berth ${String((count * 7) % 23)}`,
        kind: kinds[count % 5],
        value_cents: ((count * 3) % 8) * 2500,
        tags: count % 3 === 0 ? ['north'] : [],
        valid_for_seconds: isKept ? 31_536_000 : 1800,
      },
      at,
    );
    const email = ['ana@signs.example', 'cora@declines.example', 'eve@mail.example'][count % 3] ?? '';
    const address = isKept ? 'eve@mail.example' : email;
    store.addSigner(made, { name: 'First signer', email: address, order: 1, language: 'en' }, at);
    if (count === 1) continue;
    made.status = 'sent';
    made.sentAt = at + 60_000;
    if (!isKept && count % 7 === 5) {
      end(made, 'voided', at + 62_000);
      made.voidReason = 'Wrong berth';
    }
    store.settle(made);
  }
}
