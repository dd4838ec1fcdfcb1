// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { below, branch, check, closest, fail, isLongerThan, isShorterThan, passes } from '../runtime/checks.js';
import type { Checked, Failures } from '../runtime/checks.js';
import { isUri } from '../runtime/formats.js';
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
  return passes(validateRouterModelOutput, value);
}

/** The value as a `RouterModelOutput`, or what is wrong with it. */
export function checkRouterModelOutput(value: unknown): Checked<RouterModelOutput> {
  return check(validateRouterModelOutput, value);
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
const pattern2 = /* @__PURE__ */ new RegExp('^[a-z0-9]+(?:[._-][a-z0-9]+)*/[a-z0-9]+(?:[._-][a-z0-9]+)*$', 'u');
const pattern3 = /* @__PURE__ */ new RegExp('^[A-Za-z0-9._~+/=-]+$', 'u');
const pattern7 = /* @__PURE__ */ new RegExp('^https://', 'u');

function validateRouterProviderSegment(data: any, failures: Failures): void {
  if (typeof data === 'string') {
    if (!pattern0.test(data)) {
      fail(failures, '', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
    }
    if (isLongerThan(data, 64)) {
      fail(failures, '', 'must have at most 64 characters');
    }
  } else {
    fail(failures, '', 'must be string');
  }
}

function validateRouterModelSegment(data: any, failures: Failures): void {
  if (typeof data === 'string') {
    if (!pattern0.test(data)) {
      fail(failures, '', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
    }
    if (isLongerThan(data, 128)) {
      fail(failures, '', 'must have at most 128 characters');
    }
  } else {
    fail(failures, '', 'must be string');
  }
}

function validateRouterModelId(data: any, failures: Failures): void {
  if (typeof data === 'string') {
    if (!pattern2.test(data)) {
      fail(failures, '', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*/[a-z0-9]+([._-][a-z0-9]+)*$');
    }
    if (isLongerThan(data, 193)) {
      fail(failures, '', 'must have at most 193 characters');
    }
  } else {
    fail(failures, '', 'must be string');
  }
}

function validateRouterPageCursor(data: any, failures: Failures): void {
  if (typeof data === 'string') {
    if (!pattern3.test(data)) {
      fail(failures, '', 'must match the pattern ^[A-Za-z0-9._~+/=-]+$');
    }
    if (isLongerThan(data, 512)) {
      fail(failures, '', 'must have at most 512 characters');
    }
    if (isShorterThan(data, 1)) {
      fail(failures, '', 'must have at least 1 character');
    }
  } else {
    fail(failures, '', 'must be string');
  }
}

function validateRouterModelListEntry(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id === undefined) {
      fail(failures, '', 'must have the property "id"');
    }
    if (data.provider === undefined) {
      fail(failures, '', 'must have the property "provider"');
    }
    if (data.model === undefined) {
      fail(failures, '', 'must have the property "model"');
    }
    if (data.id !== undefined) {
      let data0 = data.id;
      if (typeof data0 === 'string') {
        if (!pattern2.test(data0)) {
          fail(failures, '/id', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*/[a-z0-9]+([._-][a-z0-9]+)*$');
        }
        if (isLongerThan(data0, 193)) {
          fail(failures, '/id', 'must have at most 193 characters');
        }
      } else {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.provider !== undefined) {
      let data1 = data.provider;
      if (typeof data1 === 'string') {
        if (!pattern0.test(data1)) {
          fail(failures, '/provider', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
        }
        if (isLongerThan(data1, 64)) {
          fail(failures, '/provider', 'must have at most 64 characters');
        }
      } else {
        fail(failures, '/provider', 'must be string');
      }
    }
    if (data.model !== undefined) {
      let data2 = data.model;
      if (typeof data2 === 'string') {
        if (!pattern0.test(data2)) {
          fail(failures, '/model', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*$');
        }
        if (isLongerThan(data2, 128)) {
          fail(failures, '/model', 'must have at most 128 characters');
        }
      } else {
        fail(failures, '/model', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateRouterModelDetail(data: any, failures: Failures): void {
  validateRouterModelListEntry(data, failures);
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.billing === undefined) {
      fail(failures, '', 'must have the property "billing"');
    }
    if (data.billing !== undefined) {
      let data0 = data.billing;
      if (data0 && typeof data0 == 'object' && !Array.isArray(data0)) {
        if (data0.charges_on_policy_rejection === undefined) {
          fail(failures, '/billing', 'must have the property "charges_on_policy_rejection"');
        }
        if (data0.charges_on_policy_rejection !== undefined) {
          if (typeof data0.charges_on_policy_rejection !== 'string') {
            fail(failures, '/billing/charges_on_policy_rejection', 'must be string');
          }
        }
      } else {
        fail(failures, '/billing', 'must be object');
      }
    }
    if (data.input_schema_url !== undefined) {
      let data2 = data.input_schema_url;
      if (typeof data2 === 'string') {
        if (!pattern7.test(data2)) {
          fail(failures, '/input_schema_url', 'must match the pattern ^https://');
        }
        if (isLongerThan(data2, 2048)) {
          fail(failures, '/input_schema_url', 'must have at most 2048 characters');
        }
        if (!isUri(data2)) {
          fail(failures, '/input_schema_url', 'must be in the format uri');
        }
      } else {
        fail(failures, '/input_schema_url', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateRouterModelListResponse(data: any, failures: Failures): void {
  const _errs1 = failures.length;
  let valid0 = false;
  branch(failures);
  const _errs2 = failures.length;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.has_more === undefined) {
      fail(failures, '', 'must have the property "has_more"');
    }
    if (data.next_cursor === undefined) {
      fail(failures, '', 'must have the property "next_cursor"');
    }
    if (data.has_more !== undefined) {
      let data0 = data.has_more;
      if (typeof data0 !== 'boolean') {
        fail(failures, '/has_more', 'must be boolean');
      }
      if (true !== data0) {
        fail(failures, '/has_more', 'must be the allowed value', [true]);
      }
    }
    if (data.next_cursor !== undefined) {
      let data1 = data.next_cursor;
      if (typeof data1 === 'string') {
        if (!pattern3.test(data1)) {
          fail(failures, '/next_cursor', 'must match the pattern ^[A-Za-z0-9._~+/=-]+$');
        }
        if (isLongerThan(data1, 512)) {
          fail(failures, '/next_cursor', 'must have at most 512 characters');
        }
        if (isShorterThan(data1, 1)) {
          fail(failures, '/next_cursor', 'must have at least 1 character');
        }
      } else {
        fail(failures, '/next_cursor', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
  var _valid0: any = _errs2 === failures.length;
  if (_valid0) {
    valid0 = true;
  }
  branch(failures);
  const _errs9 = failures.length;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.has_more === undefined) {
      fail(failures, '', 'must have the property "has_more"');
    }
    if (data.has_more !== undefined) {
      let data2 = data.has_more;
      if (typeof data2 !== 'boolean') {
        fail(failures, '/has_more', 'must be boolean');
      }
      if (false !== data2) {
        fail(failures, '/has_more', 'must be the allowed value', [false]);
      }
    }
    if (data.next_cursor !== undefined) {
      fail(failures, '/next_cursor', 'is not allowed here');
    }
  } else {
    fail(failures, '', 'must be object');
  }
  var _valid0: any = _errs9 === failures.length;
  if (_valid0 && valid0) {
    valid0 = false;
  } else {
    if (_valid0) {
      valid0 = true;
    }
  }
  if (!valid0) {
    closest(failures, _errs1, '', 'must be exactly one of 2 alternatives');
  } else {
    failures.length = _errs1;
  }
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.data === undefined) {
      fail(failures, '', 'must have the property "data"');
    }
    if (data.limit === undefined) {
      fail(failures, '', 'must have the property "limit"');
    }
    if (data.data !== undefined) {
      let data4 = data.data;
      if (Array.isArray(data4)) {
        const len0 = data4.length;
        for (let i0 = 0; i0 < len0; i0++) {
          const count0 = failures.length;
          validateRouterModelListEntry(data4[i0], failures);
          if (failures.length > count0) {
            below('/data/' + i0, failures, count0);
          }
        }
      } else {
        fail(failures, '/data', 'must be array');
      }
    }
    if (data.limit !== undefined) {
      let data6 = data.limit;
      if (!((typeof data6 == 'number') && (!(data6 % 1) && !isNaN(data6)))) {
        fail(failures, '/limit', 'must be integer');
      }
      if (typeof data6 == 'number') {
        if (data6 > 100 || isNaN(data6)) {
          fail(failures, '/limit', 'must be at most 100');
        }
        if (data6 < 1 || isNaN(data6)) {
          fail(failures, '/limit', 'must be at least 1');
        }
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateRouterModelInput(data: any, failures: Failures): void {
  if (!(data && typeof data == 'object' && !Array.isArray(data))) {
    fail(failures, '', 'must be object');
  }
}

function validateRouterModelOutput(data: any, failures: Failures): void {
  if (!(data && typeof data == 'object' && !Array.isArray(data))) {
    fail(failures, '', 'must be object');
  }
}

function validateRouterModelInputSchemaDocument(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.openapi === undefined) {
      fail(failures, '', 'must have the property "openapi"');
    }
    if (data['x-service-router-model-id'] === undefined) {
      fail(failures, '', 'must have the property "x-service-router-model-id"');
    }
    if (data['x-service-input-schema-authored'] === undefined) {
      fail(failures, '', 'must have the property "x-service-input-schema-authored"');
    }
    if (data.openapi !== undefined) {
      if (typeof data.openapi !== 'string') {
        fail(failures, '/openapi', 'must be string');
      }
    }
    if (data['x-service-router-model-id'] !== undefined) {
      let data1 = data['x-service-router-model-id'];
      if (typeof data1 === 'string') {
        if (!pattern2.test(data1)) {
          fail(failures, '/x-service-router-model-id', 'must match the pattern ^[a-z0-9]+([._-][a-z0-9]+)*/[a-z0-9]+([._-][a-z0-9]+)*$');
        }
        if (isLongerThan(data1, 193)) {
          fail(failures, '/x-service-router-model-id', 'must have at most 193 characters');
        }
      } else {
        fail(failures, '/x-service-router-model-id', 'must be string');
      }
    }
    if (data['x-service-input-schema-authored'] !== undefined) {
      if (typeof data['x-service-input-schema-authored'] !== 'boolean') {
        fail(failures, '/x-service-input-schema-authored', 'must be boolean');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateRouterErrorResponse(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.error_type === undefined) {
      fail(failures, '', 'must have the property "error_type"');
    }
    if (data.error_type !== undefined) {
      if (typeof data.error_type !== 'string') {
        fail(failures, '/error_type', 'must be string');
      }
    }
    if (data.detail !== undefined) {
      if (typeof data.detail !== 'string') {
        fail(failures, '/detail', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateRouterValidationErrorResponse(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.detail === undefined) {
      fail(failures, '', 'must have the property "detail"');
    }
    if (data.detail !== undefined) {
      let data0 = data.detail;
      if (Array.isArray(data0)) {
        const len0 = data0.length;
        for (let i0 = 0; i0 < len0; i0++) {
          const count0 = failures.length;
          validateRouterValidationErrorDetail(data0[i0], failures);
          if (failures.length > count0) {
            below('/detail/' + i0, failures, count0);
          }
        }
      } else {
        fail(failures, '/detail', 'must be array');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateRouterValidationErrorDetail(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.loc === undefined) {
      fail(failures, '', 'must have the property "loc"');
    }
    if (data.msg === undefined) {
      fail(failures, '', 'must have the property "msg"');
    }
    if (data.type === undefined) {
      fail(failures, '', 'must have the property "type"');
    }
    if (data.loc !== undefined) {
      if (!(Array.isArray(data.loc))) {
        fail(failures, '/loc', 'must be array');
      }
    }
    if (data.msg !== undefined) {
      if (typeof data.msg !== 'string') {
        fail(failures, '/msg', 'must be string');
      }
    }
    if (data.type !== undefined) {
      if (typeof data.type !== 'string') {
        fail(failures, '/type', 'must be string');
      }
    }
    if (data.ctx !== undefined) {
      let data3 = data.ctx;
      if (!(data3 && typeof data3 == 'object' && !Array.isArray(data3))) {
        fail(failures, '/ctx', 'must be object');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}
