import { expect, test } from 'vitest';
import { ownSuite } from '../../conformance/probes/own-suite.ts';
import { own } from '../mock/own-document.ts';

const FLIGHT = "content: { application/json: { schema: { $ref: '#/components/schemas/Flight' } } }";
const ID = 'parameters: [{ name: flightId, in: path, required: true, schema: { type: string } }]';
const states = ['new', 'planned', 'checked', 'boarded', 'started', 'landed'];
const transitions = states
  .slice(1)
  .map((to, index) => `{ from: ${states[index] ?? ''}, to: ${to}, on: advance }`);

/** Flights that one call leads from state to state. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Flights, version: '1' }
paths:
  /flights:
    post: { operationId: addFlight, responses: { '201': { description: Added., ${FLIGHT} } } }
  /flights/{flightId}:
    ${ID}
    get: { operationId: getFlight, responses: { '200': { description: It., ${FLIGHT} }, '404': { description: None. } } }
  /flights/{flightId}/events:
    ${ID}
    get: { operationId: watchFlight, responses: { '200': { description: Events., content: { text/event-stream: { schema: { type: string } } } } } }
  /flights/{flightId}/advance:
    ${ID}
    post: { operationId: advanceFlight, responses: { '200': { description: Done., ${FLIGHT} }, '409': { description: No. } } }
components:
  schemas:
    Flight:
      type: object
      required: [id, state]
      properties: { id: { type: string }, state: { type: string, enum: [${states.join(', ')}] } }
`;

const SHEET = `
api: flights
contract: '1'
document: 1
policies:
  - { kind: resource, collection: flights, id: { member: id, parameter: flightId }, operations: { create: addFlight, read: getFlight } }
  - kind: lifecycle
    schema: Flight
    property: state
    states: [${states.join(', ')}]
    initial: new
    terminal: [${states.at(-1) ?? ''}]
    transitions: [${transitions.join(', ')}]
  - { kind: event-stream, operations: [watchFlight], authority: getFlight, events: { status: state } }
`;

test('the stream of a thing is watched to its end, however many calls lead there', async () => {
  const { suite } = ownSuite(await own('flights', DOCUMENT, SHEET));
  const titles = suite.scenarios
    .filter(({ id }) => id.endsWith('watchFlight.made'))
    .map(({ title }) => title);
  expect(titles).toEqual([expect.stringContaining('brings to its end')]);
});
