import { expect, test } from 'vitest';
import { errorBodiesOf } from '../../contract/schemas/error-shape.ts';
import { own } from '../mock/own-document.ts';

const contractWith = (responses: string): ReturnType<typeof own> =>
  own(
    'pay',
    `
openapi: 3.1.0
info: { title: Payments, version: '1' }
paths: { /payments: { post: { operationId: pay, responses: { '201': { description: Paid. }, ${responses} } } } }
components:
  schemas:
    Receipt: { type: object, required: [state], properties: { state: { enum: [paid, declined] } }, additionalProperties: false }
    Problem: { type: object, required: [message, at], properties: { message: { type: string }, at: { type: string, format: date-time } } }
`,
  );
const receipt = `description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Receipt' } } }`;
const problem = `description: B, content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } }`;

test('a body without a place for a reason is used only for its own status', async () => {
  const bodies = errorBodiesOf(await contractWith(`'402': { ${receipt} }, '400': { description: Bad. }`));
  expect(Object.keys(bodies ?? {})).toStrictEqual(['402']);
});

test('a body with a place for a message is used for the statuses without a body, also if others are more frequent', async () => {
  const bodies = errorBodiesOf(
    await contractWith(`'402': { ${receipt} }, '409': { ${receipt} }, '400': { ${problem} }`),
  );
  expect(bodies?.['*']?.others).toStrictEqual([{ path: 'at', isTime: true }]);
});
