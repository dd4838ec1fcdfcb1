import { expect, test } from 'vitest';
import { permissions, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { Refusal, serve } from '../unseen/wire.ts';
import type { Answer, Call } from '../unseen/wire.ts';

const ORDER = "content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }";
const ID = 'parameters: [{ name: orderId, in: path, required: true, schema: { type: string } }]';

/** Orders that no call deletes: a cancellation ends them. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    post:
      operationId: placeOrder
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string, minLength: 1 } } } } } }
      responses: { '201': { description: Placed., ${ORDER} }, '400': { description: No. }, '409': { description: Too many. } }
  /orders/{orderId}:
    ${ID}
    get: { operationId: getOrder, responses: { '200': { description: It., ${ORDER} }, '404': { description: None. } } }
  /orders/{orderId}/cancel:
    ${ID}
    post: { operationId: cancelOrder, responses: { '200': { description: Cancelled., ${ORDER} }, '404': { description: None. }, '409': { description: Over. } } }
components:
  schemas:
    Order:
      type: object
      required: [id, title, state]
      properties: { id: { type: string }, title: { type: string }, state: { type: string, enum: [open, cancelled] } }
`;

const SHEET = `
api: orders
contract: '1'
document: 1
policies:
  - kind: resource
    collection: orders
    id: { member: id, parameter: orderId }
    operations: { create: placeOrder, read: getOrder }
  - kind: lifecycle
    schema: Order
    property: state
    states: [open, cancelled]
    initial: open
    terminal: [cancelled]
    transitions: [{ from: open, to: cancelled, on: cancel }]
    refusal: { status: 409 }
  - { kind: capacity, operations: [placeOrder], status: 409, things: { most: 3, states: [open] } }
`;

interface Order {
  readonly id: string;
  readonly title: string;
  readonly state: string;
}

async function judged(
  keepsAll = false,
  named = (text: string): string => text,
): Promise<{ readonly report: Report; readonly open: number }> {
  const orders = new Map<string, Order>();
  const openOnes = (): number => [...orders.values()].filter(({ state }) => state === 'open').length;
  const handle = (call: Call): Answer => {
    if (call.operation === 'placeOrder') {
      const { title } = (call.body ?? {}) as { readonly title?: unknown };
      if (typeof title !== 'string' || title === '') throw new Refusal(400, 'title');
      if (openOnes() >= 3) throw new Refusal(409, 'full');
      const order: Order = { id: `o-${String(orders.size + 1)}`, title, state: 'open' };
      orders.set(order.id, order);
      return { status: 201, json: order };
    }
    const order = orders.get(call.path['orderId'] ?? '');
    if (order === undefined) throw new Refusal(404, 'none');
    if (call.operation === 'getOrder') return { status: 200, json: order };
    if (order.state !== 'open' || keepsAll) throw new Refusal(409, 'over');
    const cancelled: Order = { ...order, state: named('cancelled') };
    orders.set(order.id, cancelled);
    return { status: 200, json: cancelled };
  };
  const report = await runConformance({
    contracts: [await own('orders', named(DOCUMENT), named(SHEET))],
    baseUrl: 'http://localhost',
    allow: permissions,
    transport: serve(named(DOCUMENT), {
      admit: () => undefined,
      handle,
      refused: ({ status, code }) => ({ status, json: { code } }),
      always: () => ({}),
    }),
    clock: virtualClock(),
    seed: 1,
  });
  return { report, open: openOnes() };
}

test('what no call deletes is ended, so that a bound on such things is judged and stops no other rule', async () => {
  const { report, open } = await judged();
  const verdicts = new Map(report.rules.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts.get('capacity.placeOrder.things')).toBe('pass');
  expect(report.rules.filter(({ verdict }) => !['pass', 'not-exercised'].includes(verdict))).toEqual([]);
  expect([open, report.left]).toEqual([0, undefined]);
});

test('what cannot be ended is listed, without a call that a later command cannot know', async () => {
  const { report, open } = await judged(true);
  expect(open).toBe(3);
  expect(report.left).toHaveLength(3);
  for (const left of report.left ?? []) {
    expect(left).toMatchObject({
      address: expect.stringMatching(/^\/orders\/o-\d$/),
      operation: 'placeOrder',
    });
    expect(left).not.toHaveProperty('removal');
  }
});

test('an order is not paid to be rid of it', async () => {
  const paid = (text: string): string => text.replaceAll('cancel', 'pay').replaceAll('Cancel', 'Pay');
  const { report, open } = await judged(false, paid);
  expect(open).toBeGreaterThan(0);
  expect(report.left?.length).toBeGreaterThanOrEqual(open);
});
