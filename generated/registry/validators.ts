// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { check, passes } from '../runtime/checks.js';
import type { Checked, Failures } from '../runtime/checks.js';
import { isDateTime, isUuid } from '../runtime/formats.js';
import { listOf } from '../runtime/lists.js';
import { lacks, member, others } from '../runtime/members.js';
import { among, flag, formatted, highest, integer, lowest, number, object, text } from '../runtime/scalars.js';
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

const values0 = ['NodeVersionStatusActive', 'NodeVersionStatusDeleted', 'NodeVersionStatusBanned', 'NodeVersionStatusPending', 'NodeVersionStatusFlagged'];
const values1 = ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned'];
const values2 = ['PublisherStatusActive', 'PublisherStatusBanned'];

function validatePublishNodeVersionRequest(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.node === undefined || v.node_version === undefined || v.personal_access_token === undefined) lacks(v, e, ['node', 'node_version', 'personal_access_token']);
  member(v.node, e, '/node', validateNode);
  member(v.node_version, e, '/node_version', validateNodeVersionInput);
  text(v.personal_access_token, e, '/personal_access_token');
}

function validateNodeVersionInput(v: any, e: Failures): void {
  if (!object(v, e)) return;
  text(v.id, e, '/id');
  text(v.node_id, e, '/node_id');
  text(v.version, e, '/version');
  text(v.changelog, e, '/changelog');
  text(v.createdAt, e, '/createdAt');
  formatted(v.createdAt, e, '/createdAt', isDateTime, 'date-time');
  listOf(v.dependencies, e, '/dependencies', text);
  flag(v.deprecated, e, '/deprecated');
  member(v.status, e, '/status', validateNodeVersionStatus);
  text(v.status_reason, e, '/status_reason');
  text(v.service_node_extract_status, e, '/service_node_extract_status');
  listOf(v.supported_accelerators, e, '/supported_accelerators', text);
  text(v.supported_app_version, e, '/supported_app_version');
  text(v.supported_app_frontend_version, e, '/supported_app_frontend_version');
  listOf(v.supported_os, e, '/supported_os', text);
  listOf(v.tags, e, '/tags', text);
  listOf(v.tags_admin, e, '/tags_admin', text);
}

function validateNodeVersionStatus(v: any, e: Failures): void {
  text(v, e);
  among(v, e, '', values0);
}

function validateNode(v: any, e: Failures): void {
  if (!object(v, e)) return;
  text(v.id, e, '/id');
  text(v.name, e, '/name');
  text(v.description, e, '/description');
  text(v.author, e, '/author');
  text(v.banner_url, e, '/banner_url');
  text(v.icon, e, '/icon');
  text(v.category, e, '/category');
  listOf(v.tags, e, '/tags', text);
  listOf(v.tags_admin, e, '/tags_admin', text);
  text(v.created_at, e, '/created_at');
  formatted(v.created_at, e, '/created_at', isDateTime, 'date-time');
  integer(v.downloads, e, '/downloads');
  integer(v.code_host_stars, e, '/code_host_stars');
  number(v.rating, e, '/rating');
  integer(v.search_ranking, e, '/search_ranking');
  text(v.license, e, '/license');
  text(v.repository, e, '/repository');
  member(v.latest_version, e, '/latest_version', validateNodeVersionInput);
  member(v.publisher, e, '/publisher', validatePublisher);
  member(v.status, e, '/status', validateNodeStatus);
  text(v.status_detail, e, '/status_detail');
  listOf(v.preempted_service_node_names, e, '/preempted_service_node_names', text);
  listOf(v.supported_accelerators, e, '/supported_accelerators', text);
  text(v.supported_app_version, e, '/supported_app_version');
  text(v.supported_app_frontend_version, e, '/supported_app_frontend_version');
  listOf(v.supported_os, e, '/supported_os', text);
  member(v.translations, e, '/translations', validateNodeTranslations);
}

function validateNodeTranslations(v: any, e: Failures): void {
  if (!object(v, e)) return;
  others(v, e, validateNodeTranslationsMember);
}

function validateNodeTranslationsMember(v: any, e: Failures): void {
  object(v, e);
}

function validateNodeStatus(v: any, e: Failures): void {
  text(v, e);
  among(v, e, '', values1);
}

function validatePublisher(v: any, e: Failures): void {
  if (!object(v, e)) return;
  text(v.id, e, '/id');
  text(v.name, e, '/name');
  text(v.description, e, '/description');
  text(v.logo, e, '/logo');
  text(v.website, e, '/website');
  text(v.support, e, '/support');
  text(v.source_code_repo, e, '/source_code_repo');
  text(v.createdAt, e, '/createdAt');
  formatted(v.createdAt, e, '/createdAt', isDateTime, 'date-time');
  member(v.status, e, '/status', validatePublisherStatus);
  listOf(v.members, e, '/members', validatePublisherMember);
}

function validatePublisherMember(v: any, e: Failures): void {
  if (!object(v, e)) return;
  text(v.id, e, '/id');
  text(v.role, e, '/role');
  member(v.user, e, '/user', validatePublisherUser);
}

function validatePublisherUser(v: any, e: Failures): void {
  if (!object(v, e)) return;
  text(v.id, e, '/id');
  text(v.name, e, '/name');
  text(v.email, e, '/email');
}

function validatePublisherStatus(v: any, e: Failures): void {
  text(v, e);
  among(v, e, '', values2);
}

function validatePublishNodeVersionResponse(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.node_version === undefined || v.signedUrl === undefined) lacks(v, e, ['node_version', 'signedUrl']);
  member(v.node_version, e, '/node_version', validateNodeVersion);
  text(v.signedUrl, e, '/signedUrl');
}

function validateNodeVersion(v: any, e: Failures): void {
  if (!object(v, e)) return;
  text(v.id, e, '/id');
  text(v.node_id, e, '/node_id');
  text(v.version, e, '/version');
  text(v.changelog, e, '/changelog');
  text(v.createdAt, e, '/createdAt');
  formatted(v.createdAt, e, '/createdAt', isDateTime, 'date-time');
  listOf(v.dependencies, e, '/dependencies', text);
  flag(v.deprecated, e, '/deprecated');
  text(v.downloadUrl, e, '/downloadUrl');
  member(v.status, e, '/status', validateNodeVersionStatus);
  text(v.status_reason, e, '/status_reason');
  text(v.service_node_extract_status, e, '/service_node_extract_status');
  listOf(v.supported_accelerators, e, '/supported_accelerators', text);
  text(v.supported_app_version, e, '/supported_app_version');
  text(v.supported_app_frontend_version, e, '/supported_app_frontend_version');
  listOf(v.supported_os, e, '/supported_os', text);
  listOf(v.tags, e, '/tags', text);
  listOf(v.tags_admin, e, '/tags_admin', text);
}

function validateErrorResponse(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.error === undefined || v.message === undefined) lacks(v, e, ['error', 'message']);
  text(v.error, e, '/error');
  text(v.message, e, '/message');
}

function validateSkinEnhancementRequest(v: any, e: Failures): void {
  if (!object(v, e)) return;
  text(v.image, e, '/image');
  number(v.sharpen, e, '/sharpen');
  highest(v.sharpen, e, '/sharpen', 100);
  lowest(v.sharpen, e, '/sharpen', 0);
  number(v.smart_grain, e, '/smart_grain');
  highest(v.smart_grain, e, '/smart_grain', 100);
  lowest(v.smart_grain, e, '/smart_grain', 0);
  text(v.webhook_url, e, '/webhook_url');
}

function validateSkinEnhancementResponse(v: any, e: Failures): void {
  if (!object(v, e)) return;
  member(v.data, e, '/data', validateSkinEnhancementResponseData);
}

function validateSkinEnhancementResponseData(v: any, e: Failures): void {
  if (!object(v, e)) return;
  listOf(v.generated, e, '/generated', text);
  text(v.status, e, '/status');
  text(v.task_id, e, '/task_id');
  formatted(v.task_id, e, '/task_id', isUuid, 'uuid');
}
