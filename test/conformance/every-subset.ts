import { ruleSet } from '../../conformance/rule-set.ts';
import { own } from '../mock/own-document.ts';

const THING = `{ $ref: '#/components/schemas/Label' }`;
const ONE = `{ description: One., content: { application/json: { schema: ${THING} } } }`;
const SENT = `requestBody: { required: true, content: { application/json: { schema: ${THING} } } }`;
const LIST = (name: string): string =>
  `{ type: object, required: [labels], properties: { ${name}: { type: array, items: ${THING} } } }`;

/** Every operation that a resource can have, by its role. */
const OPERATIONS = {
  create: ['/labels', 'post', `${SENT}, responses: { '201': ${ONE}, '409': { description: Taken. } }`],
  list: [
    '/labels',
    'get',
    `responses: { '200': { description: All., content: { application/json: { schema: ${LIST('labels')} } } } }, parameters: [{ name: order, in: query, schema: { type: string, enum: [name] } }, { name: name, in: query, schema: { type: string } }]`,
  ],
  createMany: [
    '/labels/batch',
    'post',
    `requestBody: { required: true, content: { application/json: { schema: ${LIST('labels')} } } }, responses: { '201': { description: Made., content: { application/json: { schema: ${LIST('labels')} } } }, '422': { description: Refused. } }`,
  ],
  read: ['/labels/{id}', 'get', `responses: { '200': ${ONE}, '404': { description: None. } }`],
  replace: ['/labels/{id}', 'put', `${SENT}, responses: { '200': ${ONE}, '404': { description: None. } }`],
  patch: [
    '/labels/{id}',
    'patch',
    `requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object } } } }, responses: { '200': ${ONE}, '404': { description: None. } }`,
  ],
  delete: [
    '/labels/{id}',
    'delete',
    `responses: { '204': { description: Gone. }, '404': { description: None. } }`,
  ],
  restore: ['/labels/{id}/restore', 'post', `responses: { '200': ${ONE}, '404': { description: None. } }`],
} as const;

export type Role = keyof typeof OPERATIONS;
export const ROLES = Object.keys(OPERATIONS) as Role[];

const DOCUMENT = `
openapi: 3.1.0
info: { title: Labels, version: '1' }
security: [{ key: [] }]
paths:
${[...new Set(ROLES.map((role) => OPERATIONS[role][0]))]
  .map((path) => {
    const parameters = path.includes('{')
      ? `\n    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]`
      : '';
    const own = ROLES.filter((role) => OPERATIONS[role][0] === path);
    return `  ${path}:${parameters}\n${own.map((role) => `    ${OPERATIONS[role][1]}: { operationId: ${role}Label, ${OPERATIONS[role][2]} }`).join('\n')}`;
  })
  .join('\n')}
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Label: { type: object, required: [id, name], properties: { id: { type: string, readOnly: true }, name: { type: string }, size: { type: integer } } }
`;

export const subsets = (roles: readonly Role[]): readonly (readonly Role[])[] =>
  roles.reduce<readonly (readonly Role[])[]>(
    (all, role) => [...all, ...all.map((one) => [...one, role])],
    [[]],
  );

export const VARIANTS = {
  plain: `id: { member: id }`,
  'ids of the caller': `id: { member: id, form: caller }`,
  upserts: `id: { member: id }, upsert: true`,
  owners: `id: { member: id }, otherCaller: { status: 404 }`,
};

/** The usual rules that nothing judges, with the operations of the resource that has them. */
export async function unjudgedOf(
  variant: string,
  chosen: readonly (readonly Role[])[],
): Promise<readonly string[]> {
  const unjudged: string[] = [];
  for (const roles of chosen) {
    if (roles.length === 0) continue;
    const operations = roles.map((role) => `${role}: ${role}Label`).join(', ');
    const more = [
      ...(roles.includes('list') ? [`filters: { name: name }`, `sort: { parameter: order }`] : []),
      ...(roles.includes('createMany') ? [`many: { send: labels, results: labels, whole: true }`] : []),
    ];
    const policy = `{ kind: resource, collection: labels, ${variant}, operations: { ${operations} }, items: labels${more.map((one) => `, ${one}`).join('')} }`;
    const sheet = `api: labels\ncontract: '1'\ndocument: 1\npolicies:\n  - ${policy}\nrules: []\nunspecified: []\n`;
    const contract = await own('labels', DOCUMENT, sheet);
    for (const [rule] of ruleSet([contract]).unjudgeable) unjudged.push(`${roles.join(' ')}: ${rule}`);
  }
  return unjudged;
}
