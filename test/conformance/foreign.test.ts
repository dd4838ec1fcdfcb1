import { expect, test } from 'vitest';
import { foreignOf } from '../../conformance/exchanges/foreign.ts';
import { exchangeOf } from './exchanges.ts';

const html = { 'Content-Type': 'text/html' };
const json = { 'Content-Type': 'application/json' };

test.each<[string, Parameters<typeof exchangeOf>[0], ReturnType<typeof foreignOf>]>([
  ['a page with 502', { id: 'x', status: 502, headers: html, body: '<html>' }, 'gateway'],
  ['an empty 504', { id: 'x', status: 504 }, 'gateway'],
  ['text with 503', { id: 'x', status: 503, body: 'no healthy upstream' }, 'gateway'],
  ['a page of a delivery network', { id: 'x', status: 522, headers: html, body: '<html>' }, 'gateway'],
  ['JSON of somebody else', { id: 'x', status: 502, headers: json, body: '{"message":"no"}' }, 'gateway'],
  ['429 in plain text', { id: 'x', status: 429, body: 'slow down' }, 'limiter'],
  ['a 503 of the router', { id: 'x', status: 503, body: '{"error_type":"service_unavailable"}' }, undefined],
  [
    'a page with a header of the router',
    { id: 'x', status: 502, headers: { ...html, 'X-Service-Request-Id': 'r' } },
    undefined,
  ],
  ['a 503 of the jobs', { id: 'x', status: 503, body: '{"error":{"code":"x","message":"y"}}' }, undefined],
  ['a 502 of the registry', { id: 'x', status: 502, body: '{"error":"x","message":"y"}' }, undefined],
  ['a 429 of the router', { id: 'x', status: 429, body: '{"error_type":"rate_limited"}' }, undefined],
  ['a bare 500', { id: 'x', status: 500 }, undefined],
  ['a page with 500', { id: 'x', status: 500, headers: html, body: '<html>' }, undefined],
  ['a body that is too deep to be read', { id: 'x', status: 503, body: '['.repeat(1000) }, undefined],
  ['a page with 200', { id: 'x', status: 200, headers: html, body: '<html>' }, undefined],
])('%s', (_, parts, expected) => {
  expect(foreignOf(exchangeOf(parts))).toBe(expected);
});
