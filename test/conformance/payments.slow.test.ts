import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const PAYMENT = `{ description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }`;
const call = (id: string): string => `
    parameters: [{ name: paymentId, in: path, required: true, schema: { type: string } }]
    post: { operationId: ${id}, responses: { '200': ${PAYMENT}, '409': { description: no } } }`;
const DOCUMENT = `
openapi: 3.1.0
info: { title: Payments, version: '1' }
paths:
  /payments:
    get:
      operationId: listPayments
      parameters: [{ name: cursor, in: query, schema: { type: string } }, { name: limit, in: query, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
    post:
      operationId: createPayment
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [amount], properties: { amount: { type: integer, minimum: 1 } } } } } }
      responses: { '201': ${PAYMENT}, '400': { description: no } }
  /payments/{paymentId}:
    parameters: [{ name: paymentId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPayment, responses: { '200': ${PAYMENT}, '404': { description: no } } }
  /payments/{paymentId}/capture: ${call('capturePayment')}
  /payments/{paymentId}/cancel: ${call('cancelPayment')}
  /payments/{paymentId}/refund: ${call('refundPayment')}
  /receipts:
    post:
      operationId: addReceipt
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { type: object, required: [file, title], properties: { file: { type: string, format: binary }, title: { type: string, maxLength: 9 } } }
      responses: { '201': { description: kept }, '422': { description: no } }
components:
  schemas:
    Payment: { type: object, required: [id, status], properties: { id: { type: string }, status: { type: string } } }
`;
const SHEET = `
api: payments
contract: '1'
document: 1
policies:
  - { kind: pagination, operations: [listPayments], cursorParameter: cursor, limitParameter: limit, defaultLimit: 3, maximumLimit: 4, page: { items: data, more: more, next: next } }
  - kind: lifecycle
    schema: Payment
    property: status
    states: [authorized, captured, cancelled, refunded]
    initial: authorized
    terminal: [cancelled, refunded]
    transitions:
      - { from: authorized, to: captured, on: capture }
      - { from: authorized, to: cancelled, on: cancel }
      - { from: captured, to: refunded, on: refund }
rules: []
unspecified: []
`;

/** The same, for payments that the server authorizes some time after their creation, without any call. */
const AUTHORIZED_LATER = SHEET.replace('states: [', 'states: [pending, ')
  .replace('initial: authorized', 'initial: pending')
  .replace('transitions:', 'transitions:\n      - { from: pending, to: authorized, on: confirmation }');

let contract: Contract;
let later: Contract;
beforeAll(async () => {
  contract = await own('payments', DOCUMENT, SHEET);
  later = await own('payments', DOCUMENT, AUTHORIZED_LATER);
});

interface Faults {
  /** The state of a new payment. */
  readonly initial?: string;
  readonly capturable?: readonly string[];
  readonly refundable?: readonly string[];
  readonly captured?: string;
  /** Where the next page begins, behind this many items. */
  readonly next?: (end: number) => number;
  readonly more?: (more: boolean) => boolean;
  readonly needsFile?: boolean;
  readonly longestTitle?: number;
}

/** A server of payments, the newest first, so that a new one moves what is behind every cursor. */
function payments(faults: Faults): (request: WireRequest) => Promise<Scripted> {
  const kept = Array.from({ length: 9 }, (_, index) => ({ id: `p${index}`, status: 'authorized' }));
  const { capturable = ['authorized'], refundable = ['captured'], captured = 'captured' } = faults;
  const { initial = 'authorized' } = faults;
  const ways: Readonly<Record<string, readonly [readonly string[], string]>> = {
    capture: [capturable, captured],
    cancel: [['authorized'], 'cancelled'],
    refund: [refundable, 'refunded'],
  };
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return async (request) => {
    const { pathname, searchParams } = new URL(request.target, 'http://payments');
    const [, root, id, way] = pathname.split('/');
    if (root === 'receipts') return receipt(request, faults);
    if (root !== 'payments') return { status: 404 };
    if (id === undefined && request.method === 'POST') {
      const { amount } = JSON.parse(Buffer.from(request.body ?? []).toString()) as { amount?: unknown };
      if (!Number.isInteger(amount)) return { status: 400 };
      kept.unshift({ id: `p${kept.length}`, status: initial });
      return json(201, kept[0]);
    }
    if (id === undefined) {
      const from = Number(searchParams.get('cursor') ?? 0);
      const end = from + Math.min(4, Number(searchParams.get('limit') ?? 3));
      const more = (faults.more ?? ((is) => is))(end < kept.length);
      const next = more ? { next: String((faults.next ?? ((at) => at))(end)) } : {};
      return json(200, { data: kept.slice(from, end), more, ...next });
    }
    const payment = kept.find((one) => one.id === id);
    if (payment === undefined) return { status: 404 };
    const [from, to] = ways[way ?? ''] ?? [[payment.status], payment.status];
    if (!from.includes(payment.status)) return { status: 409 };
    payment.status = to;
    return json(200, payment);
  };
}

async function receipt(
  request: WireRequest,
  { needsFile = true, longestTitle = 9 }: Faults,
): Promise<Scripted> {
  const headers = { 'content-type': headerIn(request, 'content-type') ?? '' };
  if (!headers['content-type'].startsWith('multipart/form-data')) return { status: 422 };
  const form = await new Response(Buffer.from(request.body ?? []), { headers }).formData();
  const [file, title] = [form.get('file'), form.get('title')];
  const isRight = (file instanceof Blob || !needsFile) && typeof title === 'string';
  return { status: isRight && title.length <= longestTitle ? 201 : 422 };
}

async function brokenBy(faults: Faults, by = contract): Promise<readonly string[]> {
  const { transport } = scripted(payments(faults));
  const report = await runConformance({
    contracts: [by],
    baseUrl: 'http://payments.localhost',
    allow: ['negatives', 'writes'],
    fixtures: { writes: ['addReceipt'] },
    rules: ['lifecycle.*', 'pagination.*', 'document.addReceipt.*'],
    clock: virtualClock(),
    transport,
  });
  const open = report.rules.filter(({ verdict }) => !['pass', 'fail', 'warn'].includes(verdict));
  expect(open.map(({ id, reason }) => `${id}: ${reason ?? ''}`)).toEqual([]);
  return report.rules.flatMap(({ id, verdict }) => (verdict === 'pass' ? [] : [id]));
}

const TRANSITIONS = 'lifecycle.Payment.transitions';
const MORE = 'pagination.listPayments.more';
const WALK = 'pagination.listPayments.walk';
const BODY = 'document.addReceipt.bad-body';

test.each<readonly [string, Faults, readonly string[]]>([
  ['nothing', {}, []],
  ['a cancelled payment that is captured', { capturable: ['authorized', 'cancelled'] }, [TRANSITIONS]],
  ['a refund of what was not captured', { refundable: ['authorized', 'captured'] }, [TRANSITIONS]],
  ['a capture that changes nothing', { captured: 'authorized' }, [TRANSITIONS]],
  ['a page that leaves out an item', { next: (end) => end + 1 }, [WALK]],
  ['a page that shows an item again', { next: (end) => end - 1 }, [WALK]],
  ['a last page that promises another', { more: () => true }, [MORE]],
  ['a form whose file may be missing', { needsFile: false }, [BODY]],
  ['a part that may be too long', { longestTitle: 1000 }, [BODY]],
])('of a server of payments, the suite notices %s', async (_, faults, rules) => {
  expect(await brokenBy(faults)).toEqual(rules);
});

test.each<readonly [string, Faults, readonly string[]]>([
  ['has been authorized between the read and its capture', { capturable: ['pending', 'authorized'] }, []],
  ['is refunded before its capture', { refundable: ['pending', 'captured'] }, [TRANSITIONS]],
])('of a payment that the server authorizes by itself, one that %s', async (_, faults, rules) => {
  expect(await brokenBy({ initial: 'pending', ...faults }, later)).toEqual(rules);
});
