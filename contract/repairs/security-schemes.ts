import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { POSITIONS } from './parameters.ts';
import type { Repaired } from './repair-list.ts';

/** The type, the flows and the position of a security scheme. */
export function repairSecurityScheme({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { type, flows } = value;
  const at = joinPointer(pointer, 'type');
  if (typeof type === 'string' && !SCHEME_TYPES.includes(type)) {
    const meant = SCHEME_TYPES.find((known) => known.toLowerCase() === type.trim().toLowerCase());
    const read =
      meant !== undefined
        ? { type: meant }
        : /^(?:basic|bearer)$/i.test(type)
          ? { type: 'http', scheme: type.toLowerCase() }
          : undefined;
    if (read !== undefined) {
      Object.assign(value, read);
      repaired({
        kind: 'the type of a security scheme',
        pointer: at,
        wrong: `type cannot be ${JSON.stringify(type)}`,
        read: JSON.stringify(read),
      });
    }
  }
  const { flow } = value;
  if (type === 'oauth2' && typeof flow === 'string' && Object.hasOwn(FLOWS, flow) && flows === undefined) {
    const { authorizationUrl, tokenUrl, scopes } = value;
    value['flows'] = JSON.parse(
      JSON.stringify({ [FLOWS[flow] ?? flow]: { authorizationUrl, tokenUrl, scopes: scopes ?? {} } }),
    );
    for (const name of ['flow', 'authorizationUrl', 'tokenUrl', 'scopes'])
      Reflect.deleteProperty(value, name);
    repaired({
      kind: 'a member of Swagger 2.0',
      pointer: joinPointer(pointer, 'flow'),
      wrong: 'flow is a member of Swagger 2.0',
      read: `flows: { ${FLOWS[flow] ?? flow} }`,
      part: 'name',
    });
  }
  const place = value['in'];
  if (typeof place === 'string' && place !== place.toLowerCase() && POSITIONS.has(place.toLowerCase())) {
    value['in'] = place.toLowerCase();
    repaired({
      kind: 'the case of a position',
      pointer: joinPointer(pointer, 'in'),
      wrong: `in cannot be ${JSON.stringify(place)}`,
      read: place.toLowerCase(),
    });
  }
  for (const [name, flow] of isRecord(flows) ? Object.entries(flows) : []) {
    if (!isRecord(flow) || isRecord(flow['scopes'])) continue;
    const scopes: unknown = flow['scopes'];
    const names = Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string') ? scopes : [];
    if (scopes !== undefined && scopes !== null && !Array.isArray(scopes)) continue;
    flow['scopes'] = Object.fromEntries(names.map((scope) => [scope, '']));
    const where = joinPointer(pointer, 'flows', name);
    repaired({
      kind: 'a flow without scopes',
      pointer: where,
      wrong: `the flow ${name} has no object of scopes`,
      read: JSON.stringify(flow['scopes']),
    });
  }
}

/** Members that only describe a scheme are optional for a client: it gets its token elsewhere. */
export function repairSchemeMembers({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const tell = (name: string, wrong: string, read: string): void => {
    repaired({ kind: 'a security scheme', pointer: joinPointer(pointer, name), wrong, read, part: 'name' });
  };
  const { type, bearerFormat, scheme } = value;
  if (type === 'http') {
    if (scheme === undefined && typeof bearerFormat === 'string') {
      value['scheme'] = 'bearer';
      tell('bearerFormat', 'the security scheme has no scheme', 'bearer');
    }
    for (const name of ['in', 'name']) {
      if (!Object.hasOwn(value, name)) continue;
      Reflect.deleteProperty(value, name);
      tell(name, `a scheme of HTTP has no member ${name}`, 'absent: it is in the header Authorization');
    }
  }
  if (type === 'apiKey')
    for (const name of ['scheme', 'bearerFormat', 'flows']) {
      if (!Object.hasOwn(value, name)) continue;
      Reflect.deleteProperty(value, name);
      tell(name, `a key has no member ${name}`, 'absent');
    }
  if (type === 'openIdConnect' && value['openIdConnectUrl'] === undefined) {
    value['openIdConnectUrl'] = '';
    tell('type', 'OpenID Connect has no openIdConnectUrl', 'an unknown address');
  }
  if (type !== 'oauth2') return;
  if (value['flows'] === undefined) {
    value['flows'] = {};
    tell('type', 'OAuth has no flows', 'a token of unknown origin');
  }
  for (const [name, flow] of isRecord(value['flows']) ? Object.entries(value['flows']) : []) {
    for (const url of ADDRESSES[name] ?? []) {
      if (!isRecord(flow) || flow[url] !== undefined) continue;
      flow[url] = '';
      tell('flows', `the flow ${name} has no ${url}`, 'an unknown address');
    }
  }
}

// --- internal ---

/** The addresses that a flow needs. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
  clientCredentials: ['tokenUrl'],
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
};

const SCHEME_TYPES = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'];

/** The names of flows since OpenAPI 3. */
const FLOWS: Readonly<Record<string, string>> = {
  accessCode: 'authorizationCode',
  application: 'clientCredentials',
  implicit: 'implicit',
  password: 'password',
};
