// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { below, check, fail, passes, token } from '../runtime/checks.js';
import type { Checked, Failures } from '../runtime/checks.js';
import { isDateTime, isUuid } from '../runtime/formats.js';
import type {
  ErrorResponse,
  Node,
  NodeStatus,
  NodeVersion,
  NodeVersionInput,
  NodeVersionStatus,
  PublishNodeVersionRequest,
  PublishNodeVersionResponse,
  Publisher,
  PublisherMember,
  PublisherStatus,
  PublisherUser,
  SkinEnhancementRequest,
  SkinEnhancementResponse,
} from './types.js';

export type { Checked, Failure } from '../runtime/checks.js';

/** Whether a value is a `PublishNodeVersionRequest`. */
export function isPublishNodeVersionRequest(value: unknown): value is PublishNodeVersionRequest {
  return passes(validatePublishNodeVersionRequest, value);
}

/** The value as a `PublishNodeVersionRequest`, or what is wrong with it. */
export function checkPublishNodeVersionRequest(value: unknown): Checked<PublishNodeVersionRequest> {
  return check(validatePublishNodeVersionRequest, value);
}

/** Whether a value is a `PublishNodeVersionResponse`. */
export function isPublishNodeVersionResponse(value: unknown): value is PublishNodeVersionResponse {
  return passes(validatePublishNodeVersionResponse, value);
}

/** The value as a `PublishNodeVersionResponse`, or what is wrong with it. */
export function checkPublishNodeVersionResponse(value: unknown): Checked<PublishNodeVersionResponse> {
  return check(validatePublishNodeVersionResponse, value);
}

/** Whether a value is a `Node`. */
export function isNode(value: unknown): value is Node {
  return passes(validateNode, value);
}

/** The value as a `Node`, or what is wrong with it. */
export function checkNode(value: unknown): Checked<Node> {
  return check(validateNode, value);
}

/** Whether a value is a `NodeVersion`. */
export function isNodeVersion(value: unknown): value is NodeVersion {
  return passes(validateNodeVersion, value);
}

/** The value as a `NodeVersion`, or what is wrong with it. */
export function checkNodeVersion(value: unknown): Checked<NodeVersion> {
  return check(validateNodeVersion, value);
}

/** Whether a value is a `NodeVersionInput`. */
export function isNodeVersionInput(value: unknown): value is NodeVersionInput {
  return passes(validateNodeVersionInput, value);
}

/** The value as a `NodeVersionInput`, or what is wrong with it. */
export function checkNodeVersionInput(value: unknown): Checked<NodeVersionInput> {
  return check(validateNodeVersionInput, value);
}

/** Whether a value is a `Publisher`. */
export function isPublisher(value: unknown): value is Publisher {
  return passes(validatePublisher, value);
}

/** The value as a `Publisher`, or what is wrong with it. */
export function checkPublisher(value: unknown): Checked<Publisher> {
  return check(validatePublisher, value);
}

/** Whether a value is a `PublisherMember`. */
export function isPublisherMember(value: unknown): value is PublisherMember {
  return passes(validatePublisherMember, value);
}

/** The value as a `PublisherMember`, or what is wrong with it. */
export function checkPublisherMember(value: unknown): Checked<PublisherMember> {
  return check(validatePublisherMember, value);
}

/** Whether a value is a `PublisherUser`. */
export function isPublisherUser(value: unknown): value is PublisherUser {
  return passes(validatePublisherUser, value);
}

/** The value as a `PublisherUser`, or what is wrong with it. */
export function checkPublisherUser(value: unknown): Checked<PublisherUser> {
  return check(validatePublisherUser, value);
}

/** Whether a value is a `NodeStatus`. */
export function isNodeStatus(value: unknown): value is NodeStatus {
  return passes(validateNodeStatus, value);
}

/** The value as a `NodeStatus`, or what is wrong with it. */
export function checkNodeStatus(value: unknown): Checked<NodeStatus> {
  return check(validateNodeStatus, value);
}

/** Whether a value is a `NodeVersionStatus`. */
export function isNodeVersionStatus(value: unknown): value is NodeVersionStatus {
  return passes(validateNodeVersionStatus, value);
}

/** The value as a `NodeVersionStatus`, or what is wrong with it. */
export function checkNodeVersionStatus(value: unknown): Checked<NodeVersionStatus> {
  return check(validateNodeVersionStatus, value);
}

/** Whether a value is a `PublisherStatus`. */
export function isPublisherStatus(value: unknown): value is PublisherStatus {
  return passes(validatePublisherStatus, value);
}

/** The value as a `PublisherStatus`, or what is wrong with it. */
export function checkPublisherStatus(value: unknown): Checked<PublisherStatus> {
  return check(validatePublisherStatus, value);
}

/** Whether a value is a `ErrorResponse`. */
export function isErrorResponse(value: unknown): value is ErrorResponse {
  return passes(validateErrorResponse, value);
}

/** The value as a `ErrorResponse`, or what is wrong with it. */
export function checkErrorResponse(value: unknown): Checked<ErrorResponse> {
  return check(validateErrorResponse, value);
}

/** Whether a value is a `SkinEnhancementRequest`. */
export function isSkinEnhancementRequest(value: unknown): value is SkinEnhancementRequest {
  return passes(validateSkinEnhancementRequest, value);
}

/** The value as a `SkinEnhancementRequest`, or what is wrong with it. */
export function checkSkinEnhancementRequest(value: unknown): Checked<SkinEnhancementRequest> {
  return check(validateSkinEnhancementRequest, value);
}

/** Whether a value is a `SkinEnhancementResponse`. */
export function isSkinEnhancementResponse(value: unknown): value is SkinEnhancementResponse {
  return passes(validateSkinEnhancementResponse, value);
}

/** The value as a `SkinEnhancementResponse`, or what is wrong with it. */
export function checkSkinEnhancementResponse(value: unknown): Checked<SkinEnhancementResponse> {
  return check(validateSkinEnhancementResponse, value);
}

// --- internal ---


function validatePublishNodeVersionRequest(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.node === undefined) {
      fail(failures, '', 'must have the property "node"');
    }
    if (data.node_version === undefined) {
      fail(failures, '', 'must have the property "node_version"');
    }
    if (data.personal_access_token === undefined) {
      fail(failures, '', 'must have the property "personal_access_token"');
    }
    if (data.node !== undefined) {
      const count0 = failures.length;
      validateNode(data.node, failures);
      if (failures.length > count0) {
        below('/node', failures, count0);
      }
    }
    if (data.node_version !== undefined) {
      const count1 = failures.length;
      validateNodeVersionInput(data.node_version, failures);
      if (failures.length > count1) {
        below('/node_version', failures, count1);
      }
    }
    if (data.personal_access_token !== undefined) {
      if (!(typeof data.personal_access_token === 'string')) {
        fail(failures, '/personal_access_token', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validatePublishNodeVersionResponse(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.node_version === undefined) {
      fail(failures, '', 'must have the property "node_version"');
    }
    if (data.signedUrl === undefined) {
      fail(failures, '', 'must have the property "signedUrl"');
    }
    if (data.node_version !== undefined) {
      const count0 = failures.length;
      validateNodeVersion(data.node_version, failures);
      if (failures.length > count0) {
        below('/node_version', failures, count0);
      }
    }
    if (data.signedUrl !== undefined) {
      if (typeof data.signedUrl !== 'string') {
        fail(failures, '/signedUrl', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateNode(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.name !== undefined) {
      if (typeof data.name !== 'string') {
        fail(failures, '/name', 'must be string');
      }
    }
    if (data.description !== undefined) {
      if (typeof data.description !== 'string') {
        fail(failures, '/description', 'must be string');
      }
    }
    if (data.author !== undefined) {
      if (typeof data.author !== 'string') {
        fail(failures, '/author', 'must be string');
      }
    }
    if (data.banner_url !== undefined) {
      if (typeof data.banner_url !== 'string') {
        fail(failures, '/banner_url', 'must be string');
      }
    }
    if (data.icon !== undefined) {
      if (typeof data.icon !== 'string') {
        fail(failures, '/icon', 'must be string');
      }
    }
    if (data.category !== undefined) {
      if (typeof data.category !== 'string') {
        fail(failures, '/category', 'must be string');
      }
    }
    if (data.tags !== undefined) {
      let data7 = data.tags;
      if (Array.isArray(data7)) {
        const len0 = data7.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (typeof data7[i0] !== 'string') {
            fail(failures, '/tags/' + i0, 'must be string');
          }
        }
      } else {
        fail(failures, '/tags', 'must be array');
      }
    }
    if (data.tags_admin !== undefined) {
      let data9 = data.tags_admin;
      if (Array.isArray(data9)) {
        const len1 = data9.length;
        for (let i1 = 0; i1 < len1; i1++) {
          if (typeof data9[i1] !== 'string') {
            fail(failures, '/tags_admin/' + i1, 'must be string');
          }
        }
      } else {
        fail(failures, '/tags_admin', 'must be array');
      }
    }
    if (data.created_at !== undefined) {
      let data11 = data.created_at;
      if (typeof data11 === 'string') {
        if (!isDateTime(data11)) {
          fail(failures, '/created_at', 'must be in the format date-time');
        }
      } else {
        fail(failures, '/created_at', 'must be string');
      }
    }
    if (data.downloads !== undefined) {
      let data12 = data.downloads;
      if (!((typeof data12 == 'number') && (!(data12 % 1) && !isNaN(data12)))) {
        fail(failures, '/downloads', 'must be integer');
      }
    }
    if (data.code_host_stars !== undefined) {
      let data13 = data.code_host_stars;
      if (!((typeof data13 == 'number') && (!(data13 % 1) && !isNaN(data13)))) {
        fail(failures, '/code_host_stars', 'must be integer');
      }
    }
    if (data.rating !== undefined) {
      if (!(typeof data.rating == 'number')) {
        fail(failures, '/rating', 'must be number');
      }
    }
    if (data.search_ranking !== undefined) {
      let data15 = data.search_ranking;
      if (!((typeof data15 == 'number') && (!(data15 % 1) && !isNaN(data15)))) {
        fail(failures, '/search_ranking', 'must be integer');
      }
    }
    if (data.license !== undefined) {
      if (typeof data.license !== 'string') {
        fail(failures, '/license', 'must be string');
      }
    }
    if (data.repository !== undefined) {
      if (typeof data.repository !== 'string') {
        fail(failures, '/repository', 'must be string');
      }
    }
    if (data.latest_version !== undefined) {
      const count0 = failures.length;
      validateNodeVersionInput(data.latest_version, failures);
      if (failures.length > count0) {
        below('/latest_version', failures, count0);
      }
    }
    if (data.publisher !== undefined) {
      const count1 = failures.length;
      validatePublisher(data.publisher, failures);
      if (failures.length > count1) {
        below('/publisher', failures, count1);
      }
    }
    if (data.status !== undefined) {
      let data20 = data.status;
      if (typeof data20 !== 'string') {
        fail(failures, '/status', 'must be string');
      }
      if (!(((data20 === 'NodeStatusActive') || (data20 === 'NodeStatusDeleted')) || (data20 === 'NodeStatusBanned'))) {
        fail(failures, '/status', 'must be one of the allowed values', ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned']);
      }
    }
    if (data.status_detail !== undefined) {
      if (typeof data.status_detail !== 'string') {
        fail(failures, '/status_detail', 'must be string');
      }
    }
    if (data.preempted_service_node_names !== undefined) {
      let data22 = data.preempted_service_node_names;
      if (Array.isArray(data22)) {
        const len2 = data22.length;
        for (let i2 = 0; i2 < len2; i2++) {
          if (typeof data22[i2] !== 'string') {
            fail(failures, '/preempted_service_node_names/' + i2, 'must be string');
          }
        }
      } else {
        fail(failures, '/preempted_service_node_names', 'must be array');
      }
    }
    if (data.supported_accelerators !== undefined) {
      let data24 = data.supported_accelerators;
      if (Array.isArray(data24)) {
        const len3 = data24.length;
        for (let i3 = 0; i3 < len3; i3++) {
          if (typeof data24[i3] !== 'string') {
            fail(failures, '/supported_accelerators/' + i3, 'must be string');
          }
        }
      } else {
        fail(failures, '/supported_accelerators', 'must be array');
      }
    }
    if (data.supported_app_version !== undefined) {
      if (typeof data.supported_app_version !== 'string') {
        fail(failures, '/supported_app_version', 'must be string');
      }
    }
    if (data.supported_app_frontend_version !== undefined) {
      if (typeof data.supported_app_frontend_version !== 'string') {
        fail(failures, '/supported_app_frontend_version', 'must be string');
      }
    }
    if (data.supported_os !== undefined) {
      let data28 = data.supported_os;
      if (Array.isArray(data28)) {
        const len4 = data28.length;
        for (let i4 = 0; i4 < len4; i4++) {
          if (typeof data28[i4] !== 'string') {
            fail(failures, '/supported_os/' + i4, 'must be string');
          }
        }
      } else {
        fail(failures, '/supported_os', 'must be array');
      }
    }
    if (data.translations !== undefined) {
      let data30 = data.translations;
      if (data30 && typeof data30 == 'object' && !Array.isArray(data30)) {
        for (const key0 in data30) {
          let data31 = data30[key0];
          if (!(data31 && typeof data31 == 'object' && !Array.isArray(data31))) {
            fail(failures, '/translations/' + token(key0), 'must be object');
          }
        }
      } else {
        fail(failures, '/translations', 'must be object');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateNodeVersion(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.node_id !== undefined) {
      if (typeof data.node_id !== 'string') {
        fail(failures, '/node_id', 'must be string');
      }
    }
    if (data.version !== undefined) {
      if (typeof data.version !== 'string') {
        fail(failures, '/version', 'must be string');
      }
    }
    if (data.changelog !== undefined) {
      if (typeof data.changelog !== 'string') {
        fail(failures, '/changelog', 'must be string');
      }
    }
    if (data.createdAt !== undefined) {
      let data4 = data.createdAt;
      if (typeof data4 === 'string') {
        if (!isDateTime(data4)) {
          fail(failures, '/createdAt', 'must be in the format date-time');
        }
      } else {
        fail(failures, '/createdAt', 'must be string');
      }
    }
    if (data.dependencies !== undefined) {
      let data5 = data.dependencies;
      if (Array.isArray(data5)) {
        const len0 = data5.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (typeof data5[i0] !== 'string') {
            fail(failures, '/dependencies/' + i0, 'must be string');
          }
        }
      } else {
        fail(failures, '/dependencies', 'must be array');
      }
    }
    if (data.deprecated !== undefined) {
      if (typeof data.deprecated !== 'boolean') {
        fail(failures, '/deprecated', 'must be boolean');
      }
    }
    if (data.downloadUrl !== undefined) {
      if (typeof data.downloadUrl !== 'string') {
        fail(failures, '/downloadUrl', 'must be string');
      }
    }
    if (data.status !== undefined) {
      let data9 = data.status;
      if (typeof data9 !== 'string') {
        fail(failures, '/status', 'must be string');
      }
      if (!(((((data9 === 'NodeVersionStatusActive') || (data9 === 'NodeVersionStatusDeleted')) || (data9 === 'NodeVersionStatusBanned')) || (data9 === 'NodeVersionStatusPending')) || (data9 === 'NodeVersionStatusFlagged'))) {
        fail(failures, '/status', 'must be one of the allowed values', ['NodeVersionStatusActive', 'NodeVersionStatusDeleted', 'NodeVersionStatusBanned', 'NodeVersionStatusPending', 'NodeVersionStatusFlagged']);
      }
    }
    if (data.status_reason !== undefined) {
      if (typeof data.status_reason !== 'string') {
        fail(failures, '/status_reason', 'must be string');
      }
    }
    if (data.service_node_extract_status !== undefined) {
      if (typeof data.service_node_extract_status !== 'string') {
        fail(failures, '/service_node_extract_status', 'must be string');
      }
    }
    if (data.supported_accelerators !== undefined) {
      let data12 = data.supported_accelerators;
      if (Array.isArray(data12)) {
        const len1 = data12.length;
        for (let i1 = 0; i1 < len1; i1++) {
          if (typeof data12[i1] !== 'string') {
            fail(failures, '/supported_accelerators/' + i1, 'must be string');
          }
        }
      } else {
        fail(failures, '/supported_accelerators', 'must be array');
      }
    }
    if (data.supported_app_version !== undefined) {
      if (typeof data.supported_app_version !== 'string') {
        fail(failures, '/supported_app_version', 'must be string');
      }
    }
    if (data.supported_app_frontend_version !== undefined) {
      if (typeof data.supported_app_frontend_version !== 'string') {
        fail(failures, '/supported_app_frontend_version', 'must be string');
      }
    }
    if (data.supported_os !== undefined) {
      let data16 = data.supported_os;
      if (Array.isArray(data16)) {
        const len2 = data16.length;
        for (let i2 = 0; i2 < len2; i2++) {
          if (typeof data16[i2] !== 'string') {
            fail(failures, '/supported_os/' + i2, 'must be string');
          }
        }
      } else {
        fail(failures, '/supported_os', 'must be array');
      }
    }
    if (data.tags !== undefined) {
      let data18 = data.tags;
      if (Array.isArray(data18)) {
        const len3 = data18.length;
        for (let i3 = 0; i3 < len3; i3++) {
          if (typeof data18[i3] !== 'string') {
            fail(failures, '/tags/' + i3, 'must be string');
          }
        }
      } else {
        fail(failures, '/tags', 'must be array');
      }
    }
    if (data.tags_admin !== undefined) {
      let data20 = data.tags_admin;
      if (Array.isArray(data20)) {
        const len4 = data20.length;
        for (let i4 = 0; i4 < len4; i4++) {
          if (typeof data20[i4] !== 'string') {
            fail(failures, '/tags_admin/' + i4, 'must be string');
          }
        }
      } else {
        fail(failures, '/tags_admin', 'must be array');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateNodeVersionInput(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.node_id !== undefined) {
      if (typeof data.node_id !== 'string') {
        fail(failures, '/node_id', 'must be string');
      }
    }
    if (data.version !== undefined) {
      if (typeof data.version !== 'string') {
        fail(failures, '/version', 'must be string');
      }
    }
    if (data.changelog !== undefined) {
      if (typeof data.changelog !== 'string') {
        fail(failures, '/changelog', 'must be string');
      }
    }
    if (data.createdAt !== undefined) {
      let data4 = data.createdAt;
      if (typeof data4 === 'string') {
        if (!isDateTime(data4)) {
          fail(failures, '/createdAt', 'must be in the format date-time');
        }
      } else {
        fail(failures, '/createdAt', 'must be string');
      }
    }
    if (data.dependencies !== undefined) {
      let data5 = data.dependencies;
      if (Array.isArray(data5)) {
        const len0 = data5.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (typeof data5[i0] !== 'string') {
            fail(failures, '/dependencies/' + i0, 'must be string');
          }
        }
      } else {
        fail(failures, '/dependencies', 'must be array');
      }
    }
    if (data.deprecated !== undefined) {
      if (typeof data.deprecated !== 'boolean') {
        fail(failures, '/deprecated', 'must be boolean');
      }
    }
    if (data.status !== undefined) {
      let data8 = data.status;
      if (typeof data8 !== 'string') {
        fail(failures, '/status', 'must be string');
      }
      if (!(((((data8 === 'NodeVersionStatusActive') || (data8 === 'NodeVersionStatusDeleted')) || (data8 === 'NodeVersionStatusBanned')) || (data8 === 'NodeVersionStatusPending')) || (data8 === 'NodeVersionStatusFlagged'))) {
        fail(failures, '/status', 'must be one of the allowed values', ['NodeVersionStatusActive', 'NodeVersionStatusDeleted', 'NodeVersionStatusBanned', 'NodeVersionStatusPending', 'NodeVersionStatusFlagged']);
      }
    }
    if (data.status_reason !== undefined) {
      if (typeof data.status_reason !== 'string') {
        fail(failures, '/status_reason', 'must be string');
      }
    }
    if (data.service_node_extract_status !== undefined) {
      if (typeof data.service_node_extract_status !== 'string') {
        fail(failures, '/service_node_extract_status', 'must be string');
      }
    }
    if (data.supported_accelerators !== undefined) {
      let data11 = data.supported_accelerators;
      if (Array.isArray(data11)) {
        const len1 = data11.length;
        for (let i1 = 0; i1 < len1; i1++) {
          if (typeof data11[i1] !== 'string') {
            fail(failures, '/supported_accelerators/' + i1, 'must be string');
          }
        }
      } else {
        fail(failures, '/supported_accelerators', 'must be array');
      }
    }
    if (data.supported_app_version !== undefined) {
      if (typeof data.supported_app_version !== 'string') {
        fail(failures, '/supported_app_version', 'must be string');
      }
    }
    if (data.supported_app_frontend_version !== undefined) {
      if (typeof data.supported_app_frontend_version !== 'string') {
        fail(failures, '/supported_app_frontend_version', 'must be string');
      }
    }
    if (data.supported_os !== undefined) {
      let data15 = data.supported_os;
      if (Array.isArray(data15)) {
        const len2 = data15.length;
        for (let i2 = 0; i2 < len2; i2++) {
          if (typeof data15[i2] !== 'string') {
            fail(failures, '/supported_os/' + i2, 'must be string');
          }
        }
      } else {
        fail(failures, '/supported_os', 'must be array');
      }
    }
    if (data.tags !== undefined) {
      let data17 = data.tags;
      if (Array.isArray(data17)) {
        const len3 = data17.length;
        for (let i3 = 0; i3 < len3; i3++) {
          if (typeof data17[i3] !== 'string') {
            fail(failures, '/tags/' + i3, 'must be string');
          }
        }
      } else {
        fail(failures, '/tags', 'must be array');
      }
    }
    if (data.tags_admin !== undefined) {
      let data19 = data.tags_admin;
      if (Array.isArray(data19)) {
        const len4 = data19.length;
        for (let i4 = 0; i4 < len4; i4++) {
          if (typeof data19[i4] !== 'string') {
            fail(failures, '/tags_admin/' + i4, 'must be string');
          }
        }
      } else {
        fail(failures, '/tags_admin', 'must be array');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validatePublisher(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.name !== undefined) {
      if (typeof data.name !== 'string') {
        fail(failures, '/name', 'must be string');
      }
    }
    if (data.description !== undefined) {
      if (typeof data.description !== 'string') {
        fail(failures, '/description', 'must be string');
      }
    }
    if (data.logo !== undefined) {
      if (typeof data.logo !== 'string') {
        fail(failures, '/logo', 'must be string');
      }
    }
    if (data.website !== undefined) {
      if (typeof data.website !== 'string') {
        fail(failures, '/website', 'must be string');
      }
    }
    if (data.support !== undefined) {
      if (typeof data.support !== 'string') {
        fail(failures, '/support', 'must be string');
      }
    }
    if (data.source_code_repo !== undefined) {
      if (typeof data.source_code_repo !== 'string') {
        fail(failures, '/source_code_repo', 'must be string');
      }
    }
    if (data.createdAt !== undefined) {
      let data7 = data.createdAt;
      if (typeof data7 === 'string') {
        if (!isDateTime(data7)) {
          fail(failures, '/createdAt', 'must be in the format date-time');
        }
      } else {
        fail(failures, '/createdAt', 'must be string');
      }
    }
    if (data.status !== undefined) {
      let data8 = data.status;
      if (typeof data8 !== 'string') {
        fail(failures, '/status', 'must be string');
      }
      if (!((data8 === 'PublisherStatusActive') || (data8 === 'PublisherStatusBanned'))) {
        fail(failures, '/status', 'must be one of the allowed values', ['PublisherStatusActive', 'PublisherStatusBanned']);
      }
    }
    if (data.members !== undefined) {
      let data9 = data.members;
      if (Array.isArray(data9)) {
        const len0 = data9.length;
        for (let i0 = 0; i0 < len0; i0++) {
          const count0 = failures.length;
          validatePublisherMember(data9[i0], failures);
          if (failures.length > count0) {
            below('/members/' + i0, failures, count0);
          }
        }
      } else {
        fail(failures, '/members', 'must be array');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validatePublisherMember(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.role !== undefined) {
      if (typeof data.role !== 'string') {
        fail(failures, '/role', 'must be string');
      }
    }
    if (data.user !== undefined) {
      const count0 = failures.length;
      validatePublisherUser(data.user, failures);
      if (failures.length > count0) {
        below('/user', failures, count0);
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validatePublisherUser(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.name !== undefined) {
      if (typeof data.name !== 'string') {
        fail(failures, '/name', 'must be string');
      }
    }
    if (data.email !== undefined) {
      if (typeof data.email !== 'string') {
        fail(failures, '/email', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateNodeStatus(data: any, failures: Failures): void {
  if (typeof data !== 'string') {
    fail(failures, '', 'must be string');
  }
  if (!(((data === 'NodeStatusActive') || (data === 'NodeStatusDeleted')) || (data === 'NodeStatusBanned'))) {
    fail(failures, '', 'must be one of the allowed values', ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned']);
  }
}

function validateNodeVersionStatus(data: any, failures: Failures): void {
  if (typeof data !== 'string') {
    fail(failures, '', 'must be string');
  }
  if (!(((((data === 'NodeVersionStatusActive') || (data === 'NodeVersionStatusDeleted')) || (data === 'NodeVersionStatusBanned')) || (data === 'NodeVersionStatusPending')) || (data === 'NodeVersionStatusFlagged'))) {
    fail(failures, '', 'must be one of the allowed values', ['NodeVersionStatusActive', 'NodeVersionStatusDeleted', 'NodeVersionStatusBanned', 'NodeVersionStatusPending', 'NodeVersionStatusFlagged']);
  }
}

function validatePublisherStatus(data: any, failures: Failures): void {
  if (typeof data !== 'string') {
    fail(failures, '', 'must be string');
  }
  if (!((data === 'PublisherStatusActive') || (data === 'PublisherStatusBanned'))) {
    fail(failures, '', 'must be one of the allowed values', ['PublisherStatusActive', 'PublisherStatusBanned']);
  }
}

function validateErrorResponse(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.error === undefined) {
      fail(failures, '', 'must have the property "error"');
    }
    if (data.message === undefined) {
      fail(failures, '', 'must have the property "message"');
    }
    if (data.error !== undefined) {
      if (typeof data.error !== 'string') {
        fail(failures, '/error', 'must be string');
      }
    }
    if (data.message !== undefined) {
      if (typeof data.message !== 'string') {
        fail(failures, '/message', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateSkinEnhancementRequest(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.image !== undefined) {
      if (typeof data.image !== 'string') {
        fail(failures, '/image', 'must be string');
      }
    }
    if (data.sharpen !== undefined) {
      let data1 = data.sharpen;
      if (typeof data1 == 'number') {
        if (data1 > 100 || isNaN(data1)) {
          fail(failures, '/sharpen', 'must be at most 100');
        }
        if (data1 < 0 || isNaN(data1)) {
          fail(failures, '/sharpen', 'must be at least 0');
        }
      } else {
        fail(failures, '/sharpen', 'must be number');
      }
    }
    if (data.smart_grain !== undefined) {
      let data2 = data.smart_grain;
      if (typeof data2 == 'number') {
        if (data2 > 100 || isNaN(data2)) {
          fail(failures, '/smart_grain', 'must be at most 100');
        }
        if (data2 < 0 || isNaN(data2)) {
          fail(failures, '/smart_grain', 'must be at least 0');
        }
      } else {
        fail(failures, '/smart_grain', 'must be number');
      }
    }
    if (data.webhook_url !== undefined) {
      if (typeof data.webhook_url !== 'string') {
        fail(failures, '/webhook_url', 'must be string');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateSkinEnhancementResponse(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.data !== undefined) {
      let data0 = data.data;
      if (data0 && typeof data0 == 'object' && !Array.isArray(data0)) {
        if (data0.generated !== undefined) {
          let data1 = data0.generated;
          if (Array.isArray(data1)) {
            const len0 = data1.length;
            for (let i0 = 0; i0 < len0; i0++) {
              if (typeof data1[i0] !== 'string') {
                fail(failures, '/data/generated/' + i0, 'must be string');
              }
            }
          } else {
            fail(failures, '/data/generated', 'must be array');
          }
        }
        if (data0.status !== undefined) {
          if (typeof data0.status !== 'string') {
            fail(failures, '/data/status', 'must be string');
          }
        }
        if (data0.task_id !== undefined) {
          let data4 = data0.task_id;
          if (typeof data4 === 'string') {
            if (!isUuid(data4)) {
              fail(failures, '/data/task_id', 'must be in the format uuid');
            }
          } else {
            fail(failures, '/data/task_id', 'must be string');
          }
        }
      } else {
        fail(failures, '/data', 'must be object');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}
