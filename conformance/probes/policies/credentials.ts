import type { PolicyOf } from '../../../contract/index.ts';
import { placeOfScheme } from '../../../contract/index.ts';
import { credentialIn } from '../../target/credential.ts';
import type { Credential } from '../../target/credential.ts';
import { openingOf } from '../document/opening.ts';
import { isSecured } from '../own-api.ts';
import { neverSent } from './facts.ts';
import type { Facts, Probes } from './facts.ts';

/** Which callers are accepted. */
export function credentialProbes(facts: Facts<PolicyOf<'credentials'>>): Probes {
  const { api, policy } = facts;
  const opening = Object.values(openingOf(api)?.requests ?? {}).flatMap((plan) => {
    const operation = api.operation(plan.operation ?? '');
    return operation === undefined || !isSecured(operation) ? [] : [{ plan, operation }];
  });
  const [first] = opening;
  if (first === undefined)
    return {
      scenarios: neverSent(
        facts,
        ['none', 'refused'],
        'no read of the document needs a credential and nothing else',
      ),
    };
  const { operation } = first;
  const plan = { ...first.plan, times: 1, isInvalid: true } as const;
  const keys = [
    ...(policy.keyHeader === undefined ? [] : [{ header: policy.keyHeader, value: '' }]),
    ...operation.security.flatMap(({ schemes: [scheme] }) => {
      const place = scheme && placeOfScheme(scheme);
      return place === undefined || place.in === 'header' ? [] : [credentialIn(place, '')];
    }),
  ];
  // In a header that accepts a key of any form, `Bearer` could be one.
  const isToken = policy.keyHeader?.toLowerCase() !== 'authorization';
  const bare: readonly Credential[] = isToken ? [{ header: 'Authorization', value: 'Bearer' }] : [];
  const wrong = [...bare, ...keys];
  return {
    scenarios: [
      ...facts.scenario(['none'], {
        id: 'credentials.none',
        title: `GET ${operation.path} without a credential`,
        requests: { bare: { ...plan, as: 'none' } },
        async *run(session) {
          yield* facts.status('none', await session.send('bare'), 401, 'without a credential');
        },
      }),
      ...facts.scenario(['refused'], {
        id: 'credentials.refused',
        title: `GET ${operation.path} with a malformed credential`,
        severalCases: facts.ids('refused'),
        requests: { wrong: { ...plan, as: 'unusable', times: wrong.length } },
        async *run(session) {
          for (const credential of wrong)
            yield* facts.status(
              'refused',
              await session.send('wrong', { credential }),
              401,
              `with ${Object.values(credential).join(': ')}`,
            );
        },
      }),
    ],
  };
}
