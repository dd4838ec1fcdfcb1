// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { oneOf } from '../runtime/alternatives.js';
import { automaton } from '../runtime/automaton.js';
import { checker, guard } from '../runtime/checks.js';
import type { Check, Failures, Guard } from '../runtime/checks.js';
import { isUri } from '../runtime/formats.js';
import { listOf } from '../runtime/lists.js';
import { lacks } from '../runtime/members.js';
import { below, fail } from '../runtime/recursion.js';
import {
  anything,
  flag,
  highest,
  integer,
  longest,
  lowest,
  never,
  object,
  same,
  shortest,
  text,
  textOf,
} from '../runtime/scalars.js';
import type {
  RouterErrorResponse,
  RouterModelDetail,
  RouterModelId,
  RouterModelInput,
  RouterModelInputSchemaDocument,
  RouterModelListEntry,
  RouterModelListResponse,
  RouterModelOutput,
  RouterModelSegment,
  RouterPageCursor,
  RouterProviderSegment,
  RouterValidationErrorDetail,
  RouterValidationErrorResponse,
} from './types.js';

export type { Checked, Failure } from '../runtime/checks.js';

// Two functions for each type: `is…` returns whether a value is of the type, `check…` returns the typed value or its faults.

export const isRouterProviderSegment: Guard<RouterProviderSegment> = /* @__PURE__ */ guard(validateRouterProviderSegment);
export const checkRouterProviderSegment: Check<RouterProviderSegment> = /* @__PURE__ */ checker(validateRouterProviderSegment);

export const isRouterModelSegment: Guard<RouterModelSegment> = /* @__PURE__ */ guard(validateRouterModelSegment);
export const checkRouterModelSegment: Check<RouterModelSegment> = /* @__PURE__ */ checker(validateRouterModelSegment);

export const isRouterModelId: Guard<RouterModelId> = /* @__PURE__ */ guard(validateRouterModelId);
export const checkRouterModelId: Check<RouterModelId> = /* @__PURE__ */ checker(validateRouterModelId);

export const isRouterPageCursor: Guard<RouterPageCursor> = /* @__PURE__ */ guard(validateRouterPageCursor);
export const checkRouterPageCursor: Check<RouterPageCursor> = /* @__PURE__ */ checker(validateRouterPageCursor);

export const isRouterModelListEntry: Guard<RouterModelListEntry> = /* @__PURE__ */ guard(validateRouterModelListEntry);
export const checkRouterModelListEntry: Check<RouterModelListEntry> = /* @__PURE__ */ checker(validateRouterModelListEntry);

export const isRouterModelDetail: Guard<RouterModelDetail> = /* @__PURE__ */ guard(validateRouterModelDetail);
export const checkRouterModelDetail: Check<RouterModelDetail> = /* @__PURE__ */ checker(validateRouterModelDetail);

export const isRouterModelListResponse: Guard<RouterModelListResponse> = /* @__PURE__ */ guard(validateRouterModelListResponse);
export const checkRouterModelListResponse: Check<RouterModelListResponse> = /* @__PURE__ */ checker(validateRouterModelListResponse);

export const isRouterModelInput: Guard<RouterModelInput> = /* @__PURE__ */ guard(validateRouterModelInput);
export const checkRouterModelInput: Check<RouterModelInput> = /* @__PURE__ */ checker(validateRouterModelInput);

export const isRouterModelOutput: Guard<RouterModelOutput> = /* @__PURE__ */ guard(validateRouterModelInput);
export const checkRouterModelOutput: Check<RouterModelOutput> = /* @__PURE__ */ checker(validateRouterModelInput);

export const isRouterModelInputSchemaDocument: Guard<RouterModelInputSchemaDocument> = /* @__PURE__ */ guard(validateRouterModelInputSchemaDocument);
export const checkRouterModelInputSchemaDocument: Check<RouterModelInputSchemaDocument> = /* @__PURE__ */ checker(validateRouterModelInputSchemaDocument);

export const isRouterErrorResponse: Guard<RouterErrorResponse> = /* @__PURE__ */ guard(validateRouterErrorResponse);
export const checkRouterErrorResponse: Check<RouterErrorResponse> = /* @__PURE__ */ checker(validateRouterErrorResponse);

export const isRouterValidationErrorResponse: Guard<RouterValidationErrorResponse> = /* @__PURE__ */ guard(validateRouterValidationErrorResponse);
export const checkRouterValidationErrorResponse: Check<RouterValidationErrorResponse> = /* @__PURE__ */ checker(validateRouterValidationErrorResponse);

export const isRouterValidationErrorDetail: Guard<RouterValidationErrorDetail> = /* @__PURE__ */ guard(validateRouterValidationErrorDetail);
export const checkRouterValidationErrorDetail: Check<RouterValidationErrorDetail> = /* @__PURE__ */ checker(validateRouterValidationErrorDetail);

// --- internal ---

const pattern0 = /* @__PURE__ */ new RegExp('^[a-z0-9]+(?:[._-][a-z0-9]+)*$', 'u');
const table0 = /* @__PURE__ */ automaton(['-.__', '01', '09az', '22']);
const pattern1 = /* @__PURE__ */ new RegExp('^[a-z0-9]+(?:[._-][a-z0-9]+)*/[a-z0-9]+(?:[._-][a-z0-9]+)*$', 'u');
const table1 = /* @__PURE__ */ automaton(['-.__', '0103', '//', '0300', '09az', '2244']);
const pattern2 = /* @__PURE__ */ new RegExp('^[A-Za-z0-9._~+/=-]+$', 'u');
const table2 = /* @__PURE__ */ automaton(['++-9==AZ__az~~', '22']);
const pattern3 = /* @__PURE__ */ new RegExp('^https://', 'u');
const either0 = [validateRouterModelListResponseOption1, validateRouterModelListResponseOption2];

function matches0(text: string): boolean {
  if (text.length > 14) return pattern0.test(text);
  let state = 1;
  let all = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    all |= character;
    state = table0[(state << 7) | (character & 127)] as number;
  }
  return all > 127 ? pattern0.test(text) : ((4 >>> state) & 1) === 1;
}

function matches1(text: string): boolean {
  if (text.length > 14) return pattern1.test(text);
  let state = 1;
  let all = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    all |= character;
    state = table1[(state << 7) | (character & 127)] as number;
  }
  return all > 127 ? pattern1.test(text) : ((16 >>> state) & 1) === 1;
}

function matches2(text: string): boolean {
  if (text.length > 14) return pattern2.test(text);
  let state = 1;
  let all = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    all |= character;
    state = table2[(state << 7) | (character & 127)] as number;
  }
  return all > 127 ? pattern2.test(text) : ((4 >>> state) & 1) === 1;
}

function validateRouterProviderSegment(v: any, e: Failures, p = ''): void {
  if (typeof v !== 'string') text(v, e, p);
  else if (!matches0(v)) fail(e, p, 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
  if (typeof v === 'string' && v.length > 64) longest(v, e, p, 64);
}

function validateRouterModelSegment(v: any, e: Failures, p = ''): void {
  if (typeof v !== 'string') text(v, e, p);
  else if (!matches0(v)) fail(e, p, 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
  if (typeof v === 'string' && v.length > 128) longest(v, e, p, 128);
}

function validateRouterModelId(v: any, e: Failures, p = ''): void {
  if (typeof v !== 'string') text(v, e, p);
  else if (!matches1(v)) fail(e, p, 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*/[a-z0-9]+([._-][a-z0-9]+)*$');
  if (typeof v === 'string' && v.length > 193) longest(v, e, p, 193);
}

function validateRouterPageCursor(v: any, e: Failures, p = ''): void {
  if (typeof v !== 'string') text(v, e, p);
  else if (!matches2(v)) fail(e, p, 'must match the pattern ^[A-Za-z0-9._~+/=-]+$');
  if (typeof v === 'string' && v.length > 512) longest(v, e, p, 512);
  shortest(v, e, p, 1);
}

function validateRouterModelListEntry(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.id === undefined || v.provider === undefined || v.model === undefined) lacks(v, e, ['id', 'provider', 'model']);
  validateRouterModelId(v.id, e, '/id');
  validateRouterProviderSegment(v.provider, e, '/provider');
  validateRouterModelSegment(v.model, e, '/model');
  if (e.length > n) below(p, e, n);
}

function validateRouterModelDetail(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  validateRouterModelListEntry(v, e, p);
  const n = e.length;
  if (v.billing === undefined) lacks(v, e, ['billing']);
  validateRouterModelDetailBilling(v.billing, e, '/billing');
  textOf(v.input_schema_url, e, '/input_schema_url', isUri, 'uri');
  if (typeof v.input_schema_url === 'string' && !pattern3.test(v.input_schema_url)) fail(e, '/input_schema_url', 'must match the pattern ^https://');
  if (typeof v.input_schema_url === 'string' && v.input_schema_url.length > 2048) longest(v.input_schema_url, e, '/input_schema_url', 2048);
  if (e.length > n) below(p, e, n);
}

function validateRouterModelDetailBilling(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.charges_on_policy_rejection === undefined) lacks(v, e, ['charges_on_policy_rejection']);
  text(v.charges_on_policy_rejection, e, '/charges_on_policy_rejection');
  if (e.length > n) below(p, e, n);
}

function validateRouterModelListResponse(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  oneOf(v, e, p, either0);
  const n = e.length;
  if (v.data === undefined || v.limit === undefined) lacks(v, e, ['data', 'limit']);
  listOf(v.data, e, '/data', validateRouterModelListEntry);
  integer(v.limit, e, '/limit');
  highest(v.limit, e, '/limit', 100);
  lowest(v.limit, e, '/limit', 1);
  if (e.length > n) below(p, e, n);
}

function validateRouterModelListResponseOption2(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.has_more === undefined) lacks(v, e, ['has_more']);
  flag(v.has_more, e, '/has_more');
  same(v.has_more, e, '/has_more', false);
  never(v.next_cursor, e, '/next_cursor');
  if (e.length > n) below(p, e, n);
}

function validateRouterModelListResponseOption1(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.has_more === undefined || v.next_cursor === undefined) lacks(v, e, ['has_more', 'next_cursor']);
  flag(v.has_more, e, '/has_more');
  same(v.has_more, e, '/has_more', true);
  validateRouterPageCursor(v.next_cursor, e, '/next_cursor');
  if (e.length > n) below(p, e, n);
}

function validateRouterModelInput(v: any, e: Failures, p = ''): void {
  object(v, e, p);
}

function validateRouterModelInputSchemaDocument(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.openapi === undefined || v['x-service-router-model-id'] === undefined || v['x-service-input-schema-authored'] === undefined) lacks(v, e, ['openapi', 'x-service-router-model-id', 'x-service-input-schema-authored']);
  text(v.openapi, e, '/openapi');
  validateRouterModelId(v['x-service-router-model-id'], e, '/x-service-router-model-id');
  flag(v['x-service-input-schema-authored'], e, '/x-service-input-schema-authored');
  if (e.length > n) below(p, e, n);
}

function validateRouterErrorResponse(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.error_type === undefined) lacks(v, e, ['error_type']);
  text(v.error_type, e, '/error_type');
  text(v.detail, e, '/detail');
  if (e.length > n) below(p, e, n);
}

function validateRouterValidationErrorResponse(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.detail === undefined) lacks(v, e, ['detail']);
  listOf(v.detail, e, '/detail', validateRouterValidationErrorDetail);
  if (e.length > n) below(p, e, n);
}

function validateRouterValidationErrorDetail(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.loc === undefined || v.msg === undefined || v.type === undefined) lacks(v, e, ['loc', 'msg', 'type']);
  listOf(v.loc, e, '/loc', anything);
  text(v.msg, e, '/msg');
  text(v.type, e, '/type');
  validateRouterModelInput(v.ctx, e, '/ctx');
  if (e.length > n) below(p, e, n);
}
