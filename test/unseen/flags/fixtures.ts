/** What a tester knows of a server of flags: two accounts, valid bodies, and a body that is refused for its rules. */
export const FLAG_FIXTURES = {
  cred: {
    jwt: 'token-of-red',
    secondAccount: 'token-of-blue',
    refused: 'token-of-nobody',
  },
  bodies: {
    createEnvironment: { name: 'Staging' },
    putFlag: {
      type: 'text',
      name: 'Checkout',
      variants: [
        { name: 'plain', value: 'plain' },
        { name: 'rich', value: 'rich' },
      ],
      rules: [
        { variant: 'rich', conditions: [{ attribute: 'country', operator: 'in', values: ['pt', 'no'] }] },
      ],
    },
    patchFlag: { rollout: 12.5 },
    evaluateFlag: { subject: 'person-17' },
  },
  occasions: {
    putFlag: {
      invalid: {
        body: {
          type: 'boolean',
          name: 'Search',
          variants: [
            { name: 'off', value: false },
            { name: 'on', value: true },
          ],
          rules: [{ variant: 'nowhere', conditions: [] }],
        },
        expect: { status: 422 },
      },
    },
  },
  writes: ['evaluateFlag', 'switchFlags'],
};

/**
 * The same with larger bodies: with one member in the patch, the suite takes an empty patch for a change. Without the
 * occasion: the suite sends it to a flag that exists, and without If-Match.
 */
export const FLAG_FIXTURES_LARGER = {
  ...FLAG_FIXTURES,
  bodies: {
    ...FLAG_FIXTURES.bodies,
    putFlag: {
      ...FLAG_FIXTURES.bodies.putFlag,
      description: 'Of the shop.',
      enabled: true,
      rollout: 30.5,
      labels: { team: 'pay' },
    },
    patchFlag: { name: 'Basket', rollout: 12.5, description: 'Of the new shop.' },
  },
  occasions: {},
};
