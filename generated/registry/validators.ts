// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { checker, guard } from '../runtime/checks.js';
import type { Check, Failures, Guard } from '../runtime/checks.js';
import { isDateTime, isUuid } from '../runtime/formats.js';
import { listOf } from '../runtime/lists.js';
import { lacks, others } from '../runtime/members.js';
import { below } from '../runtime/recursion.js';
import { among, flag, highest, integer, lowest, number, object, text, textOf } from '../runtime/scalars.js';
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

// Two functions for each type: `is…` returns whether a value is of the type, `check…` returns the typed value or its faults.

export const isPublishNodeVersionRequest: Guard<PublishNodeVersionRequest> = /* @__PURE__ */ guard(validatePublishNodeVersionRequest);
export const checkPublishNodeVersionRequest: Check<PublishNodeVersionRequest> = /* @__PURE__ */ checker(validatePublishNodeVersionRequest);

export const isPublishNodeVersionResponse: Guard<PublishNodeVersionResponse> = /* @__PURE__ */ guard(validatePublishNodeVersionResponse);
export const checkPublishNodeVersionResponse: Check<PublishNodeVersionResponse> = /* @__PURE__ */ checker(validatePublishNodeVersionResponse);

export const isNode: Guard<Node> = /* @__PURE__ */ guard(validateNode);
export const checkNode: Check<Node> = /* @__PURE__ */ checker(validateNode);

export const isNodeVersion: Guard<NodeVersion> = /* @__PURE__ */ guard(validateNodeVersion);
export const checkNodeVersion: Check<NodeVersion> = /* @__PURE__ */ checker(validateNodeVersion);

export const isNodeVersionInput: Guard<NodeVersionInput> = /* @__PURE__ */ guard(validateNodeVersionInput);
export const checkNodeVersionInput: Check<NodeVersionInput> = /* @__PURE__ */ checker(validateNodeVersionInput);

export const isPublisher: Guard<Publisher> = /* @__PURE__ */ guard(validatePublisher);
export const checkPublisher: Check<Publisher> = /* @__PURE__ */ checker(validatePublisher);

export const isPublisherMember: Guard<PublisherMember> = /* @__PURE__ */ guard(validatePublisherMember);
export const checkPublisherMember: Check<PublisherMember> = /* @__PURE__ */ checker(validatePublisherMember);

export const isPublisherUser: Guard<PublisherUser> = /* @__PURE__ */ guard(validatePublisherUser);
export const checkPublisherUser: Check<PublisherUser> = /* @__PURE__ */ checker(validatePublisherUser);

export const isNodeStatus: Guard<NodeStatus> = /* @__PURE__ */ guard(validateNodeStatus);
export const checkNodeStatus: Check<NodeStatus> = /* @__PURE__ */ checker(validateNodeStatus);

export const isNodeVersionStatus: Guard<NodeVersionStatus> = /* @__PURE__ */ guard(validateNodeVersionStatus);
export const checkNodeVersionStatus: Check<NodeVersionStatus> = /* @__PURE__ */ checker(validateNodeVersionStatus);

export const isPublisherStatus: Guard<PublisherStatus> = /* @__PURE__ */ guard(validatePublisherStatus);
export const checkPublisherStatus: Check<PublisherStatus> = /* @__PURE__ */ checker(validatePublisherStatus);

export const isErrorResponse: Guard<ErrorResponse> = /* @__PURE__ */ guard(validateErrorResponse);
export const checkErrorResponse: Check<ErrorResponse> = /* @__PURE__ */ checker(validateErrorResponse);

export const isSkinEnhancementRequest: Guard<SkinEnhancementRequest> = /* @__PURE__ */ guard(validateSkinEnhancementRequest);
export const checkSkinEnhancementRequest: Check<SkinEnhancementRequest> = /* @__PURE__ */ checker(validateSkinEnhancementRequest);

export const isSkinEnhancementResponse: Guard<SkinEnhancementResponse> = /* @__PURE__ */ guard(validateSkinEnhancementResponse);
export const checkSkinEnhancementResponse: Check<SkinEnhancementResponse> = /* @__PURE__ */ checker(validateSkinEnhancementResponse);

// --- internal ---

const values0 = ['NodeVersionStatusActive', 'NodeVersionStatusDeleted', 'NodeVersionStatusBanned', 'NodeVersionStatusPending', 'NodeVersionStatusFlagged'];
const values1 = ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned'];
const values2 = ['PublisherStatusActive', 'PublisherStatusBanned'];

function validatePublishNodeVersionRequest(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.node === undefined || v.node_version === undefined || v.personal_access_token === undefined) lacks(v, e, ['node', 'node_version', 'personal_access_token']);
  validateNode(v.node, e, '/node');
  validateNodeVersionInput(v.node_version, e, '/node_version');
  text(v.personal_access_token, e, '/personal_access_token');
  if (e.length > n) below(p, e, n);
}

function validateNodeVersionInput(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  text(v.id, e, '/id');
  text(v.node_id, e, '/node_id');
  text(v.version, e, '/version');
  text(v.changelog, e, '/changelog');
  textOf(v.createdAt, e, '/createdAt', isDateTime, 'date-time');
  listOf(v.dependencies, e, '/dependencies', text);
  flag(v.deprecated, e, '/deprecated');
  validateNodeVersionStatus(v.status, e, '/status');
  text(v.status_reason, e, '/status_reason');
  text(v.service_node_extract_status, e, '/service_node_extract_status');
  listOf(v.supported_accelerators, e, '/supported_accelerators', text);
  text(v.supported_app_version, e, '/supported_app_version');
  text(v.supported_app_frontend_version, e, '/supported_app_frontend_version');
  listOf(v.supported_os, e, '/supported_os', text);
  listOf(v.tags, e, '/tags', text);
  listOf(v.tags_admin, e, '/tags_admin', text);
  if (e.length > n) below(p, e, n);
}

function validateNodeVersionStatus(v: any, e: Failures, p = ''): void {
  text(v, e, p);
  among(v, e, p, values0);
}

function validateNode(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  text(v.id, e, '/id');
  text(v.name, e, '/name');
  text(v.description, e, '/description');
  text(v.author, e, '/author');
  text(v.banner_url, e, '/banner_url');
  text(v.icon, e, '/icon');
  text(v.category, e, '/category');
  listOf(v.tags, e, '/tags', text);
  listOf(v.tags_admin, e, '/tags_admin', text);
  textOf(v.created_at, e, '/created_at', isDateTime, 'date-time');
  integer(v.downloads, e, '/downloads');
  integer(v.code_host_stars, e, '/code_host_stars');
  number(v.rating, e, '/rating');
  integer(v.search_ranking, e, '/search_ranking');
  text(v.license, e, '/license');
  text(v.repository, e, '/repository');
  validateNodeVersionInput(v.latest_version, e, '/latest_version');
  validatePublisher(v.publisher, e, '/publisher');
  validateNodeStatus(v.status, e, '/status');
  text(v.status_detail, e, '/status_detail');
  listOf(v.preempted_service_node_names, e, '/preempted_service_node_names', text);
  listOf(v.supported_accelerators, e, '/supported_accelerators', text);
  text(v.supported_app_version, e, '/supported_app_version');
  text(v.supported_app_frontend_version, e, '/supported_app_frontend_version');
  listOf(v.supported_os, e, '/supported_os', text);
  validateNodeTranslations(v.translations, e, '/translations');
  if (e.length > n) below(p, e, n);
}

function validateNodeTranslations(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  others(v, e, validateNodeTranslationsMember);
  if (e.length > n) below(p, e, n);
}

function validateNodeTranslationsMember(v: any, e: Failures, p = ''): void {
  object(v, e, p);
}

function validateNodeStatus(v: any, e: Failures, p = ''): void {
  text(v, e, p);
  among(v, e, p, values1);
}

function validatePublisher(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  text(v.id, e, '/id');
  text(v.name, e, '/name');
  text(v.description, e, '/description');
  text(v.logo, e, '/logo');
  text(v.website, e, '/website');
  text(v.support, e, '/support');
  text(v.source_code_repo, e, '/source_code_repo');
  textOf(v.createdAt, e, '/createdAt', isDateTime, 'date-time');
  validatePublisherStatus(v.status, e, '/status');
  listOf(v.members, e, '/members', validatePublisherMember);
  if (e.length > n) below(p, e, n);
}

function validatePublisherMember(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  text(v.id, e, '/id');
  text(v.role, e, '/role');
  validatePublisherUser(v.user, e, '/user');
  if (e.length > n) below(p, e, n);
}

function validatePublisherUser(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  text(v.id, e, '/id');
  text(v.name, e, '/name');
  text(v.email, e, '/email');
  if (e.length > n) below(p, e, n);
}

function validatePublisherStatus(v: any, e: Failures, p = ''): void {
  text(v, e, p);
  among(v, e, p, values2);
}

function validatePublishNodeVersionResponse(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.node_version === undefined || v.signedUrl === undefined) lacks(v, e, ['node_version', 'signedUrl']);
  validateNodeVersion(v.node_version, e, '/node_version');
  text(v.signedUrl, e, '/signedUrl');
  if (e.length > n) below(p, e, n);
}

function validateNodeVersion(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  text(v.id, e, '/id');
  text(v.node_id, e, '/node_id');
  text(v.version, e, '/version');
  text(v.changelog, e, '/changelog');
  textOf(v.createdAt, e, '/createdAt', isDateTime, 'date-time');
  listOf(v.dependencies, e, '/dependencies', text);
  flag(v.deprecated, e, '/deprecated');
  text(v.downloadUrl, e, '/downloadUrl');
  validateNodeVersionStatus(v.status, e, '/status');
  text(v.status_reason, e, '/status_reason');
  text(v.service_node_extract_status, e, '/service_node_extract_status');
  listOf(v.supported_accelerators, e, '/supported_accelerators', text);
  text(v.supported_app_version, e, '/supported_app_version');
  text(v.supported_app_frontend_version, e, '/supported_app_frontend_version');
  listOf(v.supported_os, e, '/supported_os', text);
  listOf(v.tags, e, '/tags', text);
  listOf(v.tags_admin, e, '/tags_admin', text);
  if (e.length > n) below(p, e, n);
}

function validateErrorResponse(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.error === undefined || v.message === undefined) lacks(v, e, ['error', 'message']);
  text(v.error, e, '/error');
  text(v.message, e, '/message');
  if (e.length > n) below(p, e, n);
}

function validateSkinEnhancementRequest(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  text(v.image, e, '/image');
  number(v.sharpen, e, '/sharpen');
  highest(v.sharpen, e, '/sharpen', 100);
  lowest(v.sharpen, e, '/sharpen', 0);
  number(v.smart_grain, e, '/smart_grain');
  highest(v.smart_grain, e, '/smart_grain', 100);
  lowest(v.smart_grain, e, '/smart_grain', 0);
  text(v.webhook_url, e, '/webhook_url');
  if (e.length > n) below(p, e, n);
}

function validateSkinEnhancementResponse(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  validateSkinEnhancementResponseData(v.data, e, '/data');
  if (e.length > n) below(p, e, n);
}

function validateSkinEnhancementResponseData(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  listOf(v.generated, e, '/generated', text);
  text(v.status, e, '/status');
  textOf(v.task_id, e, '/task_id', isUuid, 'uuid');
  if (e.length > n) below(p, e, n);
}
