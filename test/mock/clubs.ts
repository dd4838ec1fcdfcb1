import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

const one = (name: string, status = '200'): string =>
  `'${status}': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }`;
const list = (name: string): string =>
  `'200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/${name}' } } } } }`;
const NEW = `{ required: true, content: { application/json: { schema: { $ref: '#/components/schemas/New' } } } }`;
const ID = `[{ name: id, in: path, required: true, schema: { type: string } }]`;
const NONE = `'404': { description: None. }`;

const DOCUMENT = `
openapi: 3.1.0
info: { title: Clubs, version: '1' }
paths:
  /teams:
    get: { operationId: listTeams, responses: { ${list('Team')} } }
    post: { operationId: addTeam, requestBody: ${NEW}, responses: { ${one('Team', '201')}, '400': { description: Bad. } } }
  /teams/{id}:
    parameters: ${ID}
    get: { operationId: getTeam, responses: { ${one('Team')}, ${NONE} } }
    delete: { operationId: dropTeam, responses: { '204': { description: Gone. }, ${NONE} } }
  /teams/{id}/members:
    parameters: ${ID}
    get: { operationId: listMembers, responses: { ${list('Member')}, ${NONE} } }
    post: { operationId: addMember, requestBody: ${NEW}, responses: { ${one('Member', '201')}, '400': { description: Bad. }, ${NONE} } }
  /members/{id}:
    parameters: ${ID}
    get: { operationId: getMember, responses: { ${one('Member')}, ${NONE} } }
    put: { operationId: putMember, requestBody: ${NEW}, responses: { ${one('Member')}, '400': { description: Bad. }, ${NONE} } }
    delete: { operationId: dropMember, responses: { '204': { description: Gone. }, ${NONE} } }
components:
  schemas:
    New: { type: object, required: [name], properties: { name: { type: string, minLength: 1 } } }
    Team: { type: object, required: [id, name], properties: { id: { type: string, readOnly: true }, name: { type: string } } }
    Member:
      type: object
      required: [id, name, teamId]
      properties: { id: { type: string, readOnly: true }, name: { type: string }, teamId: { type: string, readOnly: true } }
`;

const SHEET = `
api: clubs
contract: '1'
document: 1
policies:
  - kind: resource
    collection: teams
    id: { member: id }
    operations: { create: addTeam, list: listTeams, read: getTeam, delete: dropTeam }
  - kind: resource
    collection: members
    id: { member: id }
    operations: { create: addMember, list: listMembers, read: getMember, replace: putMember, delete: dropMember }
rules: []
unspecified: []
`;

/** Members below teams, with a path of their own: the parameter `id` is a team in one path and a member in another. */
export function clubsContract(): Promise<Contract> {
  return own('clubs', DOCUMENT, SHEET);
}
