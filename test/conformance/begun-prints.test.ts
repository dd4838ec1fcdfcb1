import { expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted } from './servers.ts';
const DOCUMENT = `
openapi: 3.1.0
info: { title: Prints, version: '1' }
paths:
  /prints:
    post: { operationId: addPrint, requestBody: { required: true, content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string } } }, example: { title: ann } } } }, responses: { '201': &print { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Print' } } } } } }
  /prints/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPrint, responses: { '200': *print, '404': { description: no } } }
    patch: { operationId: changePrint, requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object, properties: { title: { type: string }, state: { enum: [draft, sending, sent, held] } } } } } }, responses: { '200': *print, '404': { description: no }, '409': { description: no } } }
components:
  schemas:
    Print: { type: object, required: [id, title, state], properties: { id: { type: string }, title: { type: string }, state: { enum: [draft, sending, sent, held] } } }
`;
const SHEET = `
api: prints
contract: '1'
document: 1
policies:
  - { kind: resource, collection: prints, id: { member: id }, operations: { create: addPrint, read: getPrint, patch: changePrint } }
  - kind: lifecycle
    schema: Print
    property: state
    states: [draft, sending, sent, held]
    initial: draft
    terminal: [sent]
    transitions: [{ from: draft, to: sending, on: turn }, { from: sending, to: sent, on: success }, { from: draft, to: held, on: hold }, { from: held, to: sending, on: release }]
    refusal: { status: 409 }
rules: []
unspecified: []
`;
test.each([1, 2, 3, 4, 5, 6, 7])(
  'a printer that begins by itself, at call %i after a print was added, keeps its lifecycle',
  async (after) => {
    const clock = virtualClock();
    const kept = new Map<string, { state: string; title: string; calls: number }>();
    const next: Record<string, readonly string[]> = {
      draft: ['sending', 'held'],
      sending: ['sent'],
      held: ['sending'],
      sent: [],
    };
    const { transport } = scripted(({ method, target, body }) => {
      for (const one of kept.values())
        if (one.state === 'draft' && (one.calls += 1) === after) one.state = 'sending';
      const json = (status: number, value: unknown) => ({
        status,
        headers: { 'Content-Type': 'application/json' },
        body: value,
      });
      const id = target.split('/')[2];
      const sent =
        body === undefined
          ? {}
          : (JSON.parse(Buffer.from(body).toString() || '{}') as { state?: string; title?: string });
      if (id === undefined) {
        const own = `m${kept.size}`;
        kept.set(own, { state: 'draft', title: sent.title ?? '', calls: 0 });
        return json(201, { id: own, title: sent.title, state: 'draft' });
      }
      const print = kept.get(id);
      if (print === undefined) return { status: 404 };
      if (method === 'PATCH') {
        if (sent.state !== undefined && sent.state !== print.state) {
          if (!(next[print.state] ?? []).includes(sent.state)) return { status: 409 };
          print.state = sent.state;
        } else if (sent.state !== undefined) return { status: 409 };
        if (sent.title !== undefined) print.title = sent.title;
      }
      return json(200, { id, title: print.title, state: print.state });
    });
    const report = await runConformance({
      contracts: [await own('prints', DOCUMENT, SHEET)],
      baseUrl: 'http://localhost',
      allow: ['writes', 'negatives'],
      rules: ['lifecycle.*'],
      clock,
      transport,
    });
    expect(report.rules.filter(isBroken).map(({ id, observed }) => [id, observed])).toEqual([]);
  },
);
