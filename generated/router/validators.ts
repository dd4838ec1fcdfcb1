// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { oneOf } from '../runtime/alternatives.js';
import { check, passes } from '../runtime/checks.js';
import type { Checked, Failures } from '../runtime/checks.js';
import { isUri } from '../runtime/formats.js';
import { listOf } from '../runtime/lists.js';
import { lacks, member } from '../runtime/members.js';
import { fail } from '../runtime/recursion.js';
import {
  anything,
  flag,
  formatted,
  highest,
  integer,
  longest,
  lowest,
  never,
  object,
  same,
  shortest,
  text,
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

/** Whether a value is a `RouterProviderSegment`. */
export function isRouterProviderSegment(value: unknown): value is RouterProviderSegment {
  return passes(validateRouterProviderSegment, value);
}

/** The value as a `RouterProviderSegment`, or what is wrong with it. */
export function checkRouterProviderSegment(value: unknown): Checked<RouterProviderSegment> {
  return check(validateRouterProviderSegment, value);
}

/** Whether a value is a `RouterModelSegment`. */
export function isRouterModelSegment(value: unknown): value is RouterModelSegment {
  return passes(validateRouterModelSegment, value);
}

/** The value as a `RouterModelSegment`, or what is wrong with it. */
export function checkRouterModelSegment(value: unknown): Checked<RouterModelSegment> {
  return check(validateRouterModelSegment, value);
}

/** Whether a value is a `RouterModelId`. */
export function isRouterModelId(value: unknown): value is RouterModelId {
  return passes(validateRouterModelId, value);
}

/** The value as a `RouterModelId`, or what is wrong with it. */
export function checkRouterModelId(value: unknown): Checked<RouterModelId> {
  return check(validateRouterModelId, value);
}

/** Whether a value is a `RouterPageCursor`. */
export function isRouterPageCursor(value: unknown): value is RouterPageCursor {
  return passes(validateRouterPageCursor, value);
}

/** The value as a `RouterPageCursor`, or what is wrong with it. */
export function checkRouterPageCursor(value: unknown): Checked<RouterPageCursor> {
  return check(validateRouterPageCursor, value);
}

/** Whether a value is a `RouterModelListEntry`. */
export function isRouterModelListEntry(value: unknown): value is RouterModelListEntry {
  return passes(validateRouterModelListEntry, value);
}

/** The value as a `RouterModelListEntry`, or what is wrong with it. */
export function checkRouterModelListEntry(value: unknown): Checked<RouterModelListEntry> {
  return check(validateRouterModelListEntry, value);
}

/** Whether a value is a `RouterModelDetail`. */
export function isRouterModelDetail(value: unknown): value is RouterModelDetail {
  return passes(validateRouterModelDetail, value);
}

/** The value as a `RouterModelDetail`, or what is wrong with it. */
export function checkRouterModelDetail(value: unknown): Checked<RouterModelDetail> {
  return check(validateRouterModelDetail, value);
}

/** Whether a value is a `RouterModelListResponse`. */
export function isRouterModelListResponse(value: unknown): value is RouterModelListResponse {
  return passes(validateRouterModelListResponse, value);
}

/** The value as a `RouterModelListResponse`, or what is wrong with it. */
export function checkRouterModelListResponse(value: unknown): Checked<RouterModelListResponse> {
  return check(validateRouterModelListResponse, value);
}

/** Whether a value is a `RouterModelInput`. */
export function isRouterModelInput(value: unknown): value is RouterModelInput {
  return passes(validateRouterModelInput, value);
}

/** The value as a `RouterModelInput`, or what is wrong with it. */
export function checkRouterModelInput(value: unknown): Checked<RouterModelInput> {
  return check(validateRouterModelInput, value);
}

/** Whether a value is a `RouterModelOutput`. */
export function isRouterModelOutput(value: unknown): value is RouterModelOutput {
  return passes(validateRouterModelInput, value);
}

/** The value as a `RouterModelOutput`, or what is wrong with it. */
export function checkRouterModelOutput(value: unknown): Checked<RouterModelOutput> {
  return check(validateRouterModelInput, value);
}

/** Whether a value is a `RouterModelInputSchemaDocument`. */
export function isRouterModelInputSchemaDocument(value: unknown): value is RouterModelInputSchemaDocument {
  return passes(validateRouterModelInputSchemaDocument, value);
}

/** The value as a `RouterModelInputSchemaDocument`, or what is wrong with it. */
export function checkRouterModelInputSchemaDocument(value: unknown): Checked<RouterModelInputSchemaDocument> {
  return check(validateRouterModelInputSchemaDocument, value);
}

/** Whether a value is a `RouterErrorResponse`. */
export function isRouterErrorResponse(value: unknown): value is RouterErrorResponse {
  return passes(validateRouterErrorResponse, value);
}

/** The value as a `RouterErrorResponse`, or what is wrong with it. */
export function checkRouterErrorResponse(value: unknown): Checked<RouterErrorResponse> {
  return check(validateRouterErrorResponse, value);
}

/** Whether a value is a `RouterValidationErrorResponse`. */
export function isRouterValidationErrorResponse(value: unknown): value is RouterValidationErrorResponse {
  return passes(validateRouterValidationErrorResponse, value);
}

/** The value as a `RouterValidationErrorResponse`, or what is wrong with it. */
export function checkRouterValidationErrorResponse(value: unknown): Checked<RouterValidationErrorResponse> {
  return check(validateRouterValidationErrorResponse, value);
}

/** Whether a value is a `RouterValidationErrorDetail`. */
export function isRouterValidationErrorDetail(value: unknown): value is RouterValidationErrorDetail {
  return passes(validateRouterValidationErrorDetail, value);
}

/** The value as a `RouterValidationErrorDetail`, or what is wrong with it. */
export function checkRouterValidationErrorDetail(value: unknown): Checked<RouterValidationErrorDetail> {
  return check(validateRouterValidationErrorDetail, value);
}

// --- internal ---

const pattern0 = /* @__PURE__ */ new RegExp('^[a-z0-9]+(?:[._-][a-z0-9]+)*$', 'u');
const pattern1 = /* @__PURE__ */ new RegExp('^[a-z0-9]+(?:[._-][a-z0-9]+)*/[a-z0-9]+(?:[._-][a-z0-9]+)*$', 'u');
const pattern2 = /* @__PURE__ */ new RegExp('^[A-Za-z0-9._~+/=-]+$', 'u');
const pattern3 = /* @__PURE__ */ new RegExp('^https://', 'u');
const either0 = [validateRouterModelListResponseOption1, validateRouterModelListResponseOption2];

function validateRouterProviderSegment(v: any, e: Failures): void {
  text(v, e);
  if (typeof v === 'string' && !pattern0.test(v)) fail(e, '', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
  longest(v, e, '', 64);
}

function validateRouterModelSegment(v: any, e: Failures): void {
  text(v, e);
  if (typeof v === 'string' && !pattern0.test(v)) fail(e, '', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
  longest(v, e, '', 128);
}

function validateRouterModelId(v: any, e: Failures): void {
  text(v, e);
  if (typeof v === 'string' && !pattern1.test(v)) fail(e, '', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*/[a-z0-9]+([._-][a-z0-9]+)*$');
  longest(v, e, '', 193);
}

function validateRouterPageCursor(v: any, e: Failures): void {
  text(v, e);
  if (typeof v === 'string' && !pattern2.test(v)) fail(e, '', 'must match the pattern ^[A-Za-z0-9._~+/=-]+$');
  longest(v, e, '', 512);
  shortest(v, e, '', 1);
}

function validateRouterModelListEntry(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.id === undefined || v.provider === undefined || v.model === undefined) lacks(v, e, ['id', 'provider', 'model']);
  member(v.id, e, '/id', validateRouterModelId);
  member(v.provider, e, '/provider', validateRouterProviderSegment);
  member(v.model, e, '/model', validateRouterModelSegment);
}

function validateRouterModelDetail(v: any, e: Failures): void {
  if (!object(v, e)) return;
  validateRouterModelListEntry(v, e);
  if (v.billing === undefined) lacks(v, e, ['billing']);
  member(v.billing, e, '/billing', validateRouterModelDetailBilling);
  text(v.input_schema_url, e, '/input_schema_url');
  if (typeof v.input_schema_url === 'string' && !pattern3.test(v.input_schema_url)) fail(e, '/input_schema_url', 'must match the pattern ^https://');
  longest(v.input_schema_url, e, '/input_schema_url', 2048);
  formatted(v.input_schema_url, e, '/input_schema_url', isUri, 'uri');
}

function validateRouterModelDetailBilling(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.charges_on_policy_rejection === undefined) lacks(v, e, ['charges_on_policy_rejection']);
  text(v.charges_on_policy_rejection, e, '/charges_on_policy_rejection');
}

function validateRouterModelListResponse(v: any, e: Failures): void {
  if (!object(v, e)) return;
  oneOf(v, e, '', either0);
  if (v.data === undefined || v.limit === undefined) lacks(v, e, ['data', 'limit']);
  listOf(v.data, e, '/data', validateRouterModelListEntry);
  integer(v.limit, e, '/limit');
  highest(v.limit, e, '/limit', 100);
  lowest(v.limit, e, '/limit', 1);
}

function validateRouterModelListResponseOption2(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.has_more === undefined) lacks(v, e, ['has_more']);
  flag(v.has_more, e, '/has_more');
  same(v.has_more, e, '/has_more', false);
  never(v.next_cursor, e, '/next_cursor');
}

function validateRouterModelListResponseOption1(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.has_more === undefined || v.next_cursor === undefined) lacks(v, e, ['has_more', 'next_cursor']);
  flag(v.has_more, e, '/has_more');
  same(v.has_more, e, '/has_more', true);
  member(v.next_cursor, e, '/next_cursor', validateRouterPageCursor);
}

function validateRouterModelInput(v: any, e: Failures): void {
  object(v, e);
}

function validateRouterModelInputSchemaDocument(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.openapi === undefined || v['x-service-router-model-id'] === undefined || v['x-service-input-schema-authored'] === undefined) lacks(v, e, ['openapi', 'x-service-router-model-id', 'x-service-input-schema-authored']);
  text(v.openapi, e, '/openapi');
  member(v['x-service-router-model-id'], e, '/x-service-router-model-id', validateRouterModelId);
  flag(v['x-service-input-schema-authored'], e, '/x-service-input-schema-authored');
}

function validateRouterErrorResponse(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.error_type === undefined) lacks(v, e, ['error_type']);
  text(v.error_type, e, '/error_type');
  text(v.detail, e, '/detail');
}

function validateRouterValidationErrorResponse(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.detail === undefined) lacks(v, e, ['detail']);
  listOf(v.detail, e, '/detail', validateRouterValidationErrorDetail);
}

function validateRouterValidationErrorDetail(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.loc === undefined || v.msg === undefined || v.type === undefined) lacks(v, e, ['loc', 'msg', 'type']);
  listOf(v.loc, e, '/loc', anything);
  text(v.msg, e, '/msg');
  text(v.type, e, '/type');
  member(v.ctx, e, '/ctx', validateRouterModelInput);
}
