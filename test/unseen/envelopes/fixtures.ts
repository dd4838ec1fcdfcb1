import { SENT_ENVELOPE, SIGNING_TEMPLATE } from './seed.ts';

const lease = {
  title: 'Lease of Mill Road 1',
  kind: 'contract',
  value_cents: 120_000,
  tags: ['north', 'flat'],
  metadata: { flat: '3b' },
};

/** What a tester knows of the server. */
export const ENVELOPE_FIXTURES = {
  // A run says that it withholds this call, and how it is allowed.
  writes: ['sendEnvelope'],
  cred: {
    jwt: 'token-of-the-harbour',
    refused: 'token-of-nobody',
    secondAccount: 'token-of-the-orchard',
    forbidden: 'token-of-the-lighthouse',
  },
  bodies: {
    createTemplate: { name: 'Tenancy', slug: 'tenancy-2027', recipients: ['ana@signs.example'] },
    patchTemplate: { name: 'Tenancy of a flat', description: 'For flats.' },
    createEnvelope: lease,
    patchEnvelope: { title: 'Lease of Mill Road 2', value_cents: 95_000, message: 'Please sign by Friday.' },
    voidEnvelope: { void_reason: 'Wrong flat' },
    addSigner: { name: 'Ana Lima', email: 'ana@mail.example' },
    patchSigner: { name: 'Ana de Lima', note: 'Landlady' },
    declineSigner: { decline_reason: 'The rent is too high' },
  },
  occasions: {
    createEnvelope: {
      other: { body: { ...lease, template_id: SIGNING_TEMPLATE, sequential: true } },
      invalid: { body: { ...lease, template_id: 'tpl_of_nobody' }, expect: { status: 422 } },
      ending: [{ body: { ...lease, valid_for_seconds: 15 }, ends: 'expired' }],
    },
    getTemplate: { missing: { parameters: { templateId: 'tpl_of_nobody' } } },
    getEnvelope: { missing: { parameters: { envelopeId: 'env_of_nobody' } } },
    getSigner: { missing: { parameters: { envelopeId: SENT_ENVELOPE, signerId: 'sgn_of_nobody' } } },
  },
};
