import { mainCredentialOf } from '../target/main-credential.ts';
import { policyFor } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import { ownServerOf } from '../../contract/document/own-server.ts';
import type { CredentialForm } from '../target/credential.ts';
import { formsOf } from '../target/fitting-caller.ts';
import type { Fixtures } from '../target/fixtures.ts';
import { occasionLines } from './occasion-lines.ts';
import { effectOf } from './document/effects.ts';
import { bodyFor, documentedValues } from './document/values.ts';
import { OwnApi, isRead } from './own-api.ts';

/**
 * A fixtures file for a user's own API, with every member commented out; it is valid as it is, and declares
 * nothing.
 */
export function ownFixturesTemplate(contract: Contract): string {
  const api = new OwnApi(contract);
  const parameters = new Map<string, string>();
  for (const operation of api.operations)
    for (const parameter of operation.parameters) {
      if (!parameter.required || parameters.has(parameter.name)) continue;
      const value = documentedValues(api, parameter)[0]?.value ?? '…';
      const where = `${parameter.in} parameter of ${operation.id}`;
      parameters.set(
        parameter.name,
        `#  ${JSON.stringify(parameter.name)}: ${JSON.stringify(value)}  # ${where}`,
      );
    }
  const bodies = api.operations.flatMap((operation) => {
    if (isRead(operation) || operation.requestBody === undefined) return [];
    const value = bodyFor(api, operation, {})?.value ?? {};
    return [`#  ${JSON.stringify(operation.id)}: ${JSON.stringify(value)}`];
  });
  const writes = api.operations.flatMap((operation) => {
    const effect = effectOf(api, operation);
    if (effect.kind !== 'unclear') return [];
    const call = `${operation.method.toUpperCase()} ${operation.path}`.replace(/\s+/g, ' ');
    return [`#  - ${JSON.stringify(operation.id)}  # ${call}: ${effect.why.replace(/\s+/g, ' ')}`];
  });
  return [
    `# Fixtures for \`tallystick conform --contract\` of ${contract.title.replace(/\s+/g, ' ')}. Uncomment what you know.`,
    '# Every property is optional. If one is missing, only the rules that need it are not tested.',
    '# $NAME instead of a secret is read from the environment.',
    '',
    '#baseUrl: https://api.example.com',
    ...(api.operations.some((operation) => ownServerOf(contract, operation)?.host !== undefined)
      ? ['#server: "*"  # the server of the document that has this base URL, or * for all of them']
      : []),
    '',
    ...credentialLines(contract),
    '',
    ...named(
      '#parameters:  # values that the server knows, by the name of the parameter or by operationId.name',
      [...parameters.values()],
    ),
    ...named('#bodies:  # valid bodies, by operationId', bodies),
    ...named(
      '#occasions:  # calls that bring about what no document states, by operationId: the suite judges the answers to all of them',
      occasionLines(contract),
    ),
    ...named(
      '#writes:  # operations that a run withholds, because they may change what it did not make: those that it may call',
      writes,
    ),
  ].join('\n');
}

/** Valid bodies for calls with a deadline, as fixtures, for a server that is configured to be slow. */
export function slowBodies(contract: Contract): NonNullable<Fixtures['bodies']> {
  const api = new OwnApi(contract);
  const held = api.operations.filter((operation) => policyFor(operation, 'deadline') !== undefined);
  return Object.fromEntries(
    held.flatMap((operation) => {
      const body = bodyFor(api, operation, {});
      return body === undefined ? [] : [[`${operation.id}.slow`, body.value]];
    }),
  );
}

// --- internal ---

function named(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}

/** Whether resources belong to their callers, who are known by their credentials. */
function hasOwners({ sheet }: Contract): boolean {
  return (sheet?.policies ?? []).some(
    (policy) => policy.kind === 'resource' && policy.otherCaller !== undefined && policy.owner === undefined,
  );
}

/** Whether some operations take a bearer token, and others a credential of another form. */
function hasSeveralKinds({ operations }: Contract): boolean {
  const forms = operations.flatMap(formsOf);
  return forms.some(isTokenForm) && !forms.every(isTokenForm);
}

const isTokenForm = ({ word }: CredentialForm): boolean => word === 'bearer';

/** The parameters that name the owners of resources. */
function namedOwners({ sheet }: Contract): readonly string[] {
  const owners = (sheet?.policies ?? []).flatMap((policy) =>
    policy.kind === 'resource' ? (policy.owner ?? []) : [],
  );
  return [...new Set(owners)].slice(0, 1);
}

/** The credential at the place that the document declares. */
function credentialLines(contract: Contract): readonly string[] {
  const credential = mainCredentialOf(contract);
  if (credential === undefined) return ['#cred:  # the document asks for no credential'];
  const { scheme, place, isToken } = credential;
  return [
    '#cred:  # credentials',
    ...(isToken
      ? [`#  jwt: $TOKEN  # a bearer token, for ${scheme.name}`]
      : [
          `#  valid:  # any usable credential, sent unchanged, for ${scheme.name}`,
          `#    ${place.in}: ${JSON.stringify(place.name)}`,
          scheme.type === 'apiKey'
            ? '#    value: $API_KEY'
            : '#    value: $BASIC  # Basic, a space, and user:password in Base64',
        ]),
    '#  refused: $REFUSED_KEY  # a credential that the server has to refuse: made up, expired or revoked',
    ...namedOwners(contract).map(
      (owner) => `#  secondOwner: "…"  # another value of ${owner} that the same credential may name`,
    ),
    ...(hasOwners(contract)
      ? [
          '#  secondAccount: $SECOND_KEY  # the same kind of credential, of another caller',
          ...(hasSeveralKinds(contract)
            ? ['#  secondJwt: $SECOND_JWT  # a bearer token of that caller, if secondAccount is its key']
            : []),
        ]
      : []),
  ];
}
