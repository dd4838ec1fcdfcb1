/**
 * A document and its behaviour sheet as data, for generator, mock and suite. Types only, no runtime code.
 * Deliberately not here: names of generated identifiers (generator), state (mock), expectations
 * (conformance).
 */
import type { Policy } from './policies/policy.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };
/** A JSON object. */
export type JsonObject = { readonly [member: string]: Json };

/** A JSON Schema 2020-12 with its `$ref`s. The loader converts those of 3.0 documents to this dialect. */
export type Schema = JsonObject | boolean;

/** A place in a file. */
export interface SourceLocation {
  /** The file name that the user gave, never an absolute path of this machine. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The JSON pointer to it in this file, if it is far within a long line, such as that of a document on one line. */
  readonly pointer?: string;
}

/** One finding about a user's document, sheet or configuration. */
export interface Diagnostic {
  /** Stable, kebab-case; each code is explained in docs/diagnostics.md. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The problem, in one sentence. */
  readonly message: string;
  /** The next step, as an action. */
  readonly help?: string;
  readonly location?: SourceLocation;
  /** JSON pointer into the document. */
  readonly pointer?: string;
}

/** An OpenAPI 3.0 or 3.1 document with only local `$ref`s left in it. */
export interface Document {
  readonly file: string;
  readonly dialect: '3.0' | '3.1';
  readonly root: JsonObject;
  /** `sha256:…` of the bytes of all files that the document was read from. */
  readonly hash: string;
  /** The place of a JSON pointer in the source. */
  readonly locate: (pointer: string) => SourceLocation | undefined;
}

/** An API as the tools see it: its OpenAPI document and behaviour sheet, read and checked. */
export interface Contract {
  /** Short name in lower case, such as `router`; output folders have the same name. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly document: Document;
  readonly sheet: BehaviourSheet | undefined;
  readonly operations: readonly Operation[];
  /** The servers of the document; empty if it names none. */
  readonly servers: readonly ServerObject[];
  /** Requests that the server sends and others answer: webhooks and callbacks. */
  readonly incoming: readonly Incoming[];
  /** `components.schemas` in the order of the document. */
  readonly schemas: readonly NamedSchema[];
}

/** A request from the server to the caller that asked for it: a webhook, or a callback of an operation. */
export interface Incoming {
  readonly kind: 'webhook' | 'callback';
  /** Its name in the document. */
  readonly name: string;
  /** `path` is the name of a webhook, or the expression for the address of a callback. */
  readonly operation: Operation;
}

/** A schema below `components/schemas`, with its JSON pointer. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly pointer: string;
}

/** The method of an operation, in the case that the document uses. */
export type HttpMethod =
  | 'get'
  | 'put'
  | 'post'
  | 'delete'
  | 'options'
  | 'head'
  | 'patch'
  | 'trace'
  // OpenAPI 3.2: the method `query`, and any other method exactly as it is sent.
  | 'query'
  | Uppercase<string>;

/** One method on one path, with references resolved and `servers` and `security` inherited. */
export interface Operation {
  /** `operationId`, or an id made of method and path if the document has none. */
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly pointer: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  /** Path-level and operation-level parameters together, references resolved. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly Response[];
  /**
   * Servers of the operation or of its path, which override those of the document; empty if there are none.
   */
  readonly servers: readonly ServerObject[];
  /** Alternatives; an empty list means that no credentials are required. */
  readonly security: readonly SecurityRequirement[];
  /** The policies of the sheet that apply to this operation. */
  readonly policies: readonly Policy[];
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string | undefined;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** The media type, if the parameter is described by `content` instead of `schema`. */
  readonly mediaType: string | undefined;
  readonly schema: Schema;
  readonly pointer: string;
}

/** The request body of an operation. */
export interface RequestBody {
  readonly required: boolean;
  readonly description: string | undefined;
  readonly content: readonly MediaType[];
}

/** One media type of a body, with its schema. */
export interface MediaType {
  readonly mediaType: string;
  readonly schema: Schema | undefined;
  /** The serialisation of single members of a form, if the document declares it. */
  readonly encoding: readonly MemberEncoding[];
  readonly pointer: string;
  readonly examples: readonly { readonly name: string; readonly value: Json }[];
}

/** The serialisation of one member of a form or multipart body. */
export interface MemberEncoding {
  readonly name: string;
  /** One media type, or several separated by commas. */
  readonly contentType: string | undefined;
  /**
   * Set if the document declares `style`, `explode` or `allowReserved`: such a member is serialised like a
   * parameter.
   */
  readonly style: string | undefined;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Additional headers of a part of a multipart body. */
  readonly headers: readonly ResponseHeader[];
}

/** The address of a server of an API. */
export interface ServerObject {
  /** May contain variables in braces; may be relative to the address of the document. */
  readonly url: string;
  readonly variables: readonly ServerVariable[];
}

/** A variable in the URL of a server. */
export interface ServerVariable {
  readonly name: string;
  readonly default: string;
  /** The allowed values; empty if any value is allowed. */
  readonly values: readonly string[];
  readonly description: string | undefined;
}

/** An answer that the document declares. */
export interface Response {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly ResponseHeader[];
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

/** A header of an answer. */
export interface ResponseHeader {
  readonly name: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly explode: boolean;
  /** Set if the value is serialised in a media type of its own. */
  readonly mediaType: string | undefined;
  readonly schema: Schema;
}

/** Schemes that a caller must satisfy together. */
export interface SecurityRequirement {
  readonly schemes: readonly SecurityScheme[];
}

/** How callers present a credential. */
export interface SecurityScheme {
  /** The name of the scheme in the document. */
  readonly name: string;
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  /** For `apiKey`: the position and the name of the key. */
  readonly in: 'header' | 'query' | 'cookie' | undefined;
  readonly parameterName: string | undefined;
  /** For `http`: `bearer`, `basic`, … */
  readonly scheme: string | undefined;
}

/**
 * The part of an API that OpenAPI cannot express: its policies, its testable rules, and the points that its
 * contract leaves open.
 */
export interface BehaviourSheet {
  readonly file: string;
  readonly api: string;
  /** The version of the rule set, such as `2026.1`. */
  readonly contract: string;
  /** The document of the contract that the rules cite. */
  readonly document: number;
  readonly policies: readonly Policy[];
  readonly rules: readonly Rule[];
  readonly unspecified: readonly Unspecified[];
  readonly hash: string;
  readonly locate: (pointer: string) => SourceLocation | undefined;
}

/** How binding a rule is. */
export type RuleLevel = 'must' | 'must-not' | 'should' | 'client' | 'info';

/** One statement of the contract that can be tested, with its citation. */
export interface Rule {
  readonly id: string;
  readonly level: RuleLevel;
  /** The statement, in our own words. */
  readonly says: string;
  readonly source: { readonly document: number; readonly section: string; readonly item: string };
  readonly operation?: string;
  /** The kind of the policy that the rule belongs to. */
  readonly policy?: string;
  /** The decisions of that policy that the rule is about, such as `replayed`. */
  readonly case?: string | readonly string[];
  /**
   * What has to bring the case about for the rule to be about it: a status such as `425`, a class such as `5xx`, an occasion, or
   * a role of the policy. Rules of the case without it are about the rest.
   */
  readonly when?: string | number | readonly (string | number)[];
  /** The required behaviour, if it differs from the usual meaning of the policy. */
  readonly expect?: { readonly status: number };
  /** Names of fixtures. */
  readonly needs: readonly string[];
  readonly audience: 'server' | 'client' | 'both' | 'document';
  /** Why a verdict on a live server is impossible, if it is. */
  readonly unobservable?: string;
}

/** A point that the contract leaves open, with the mock's choice. It is never asserted and never declared. */
export interface Unspecified {
  readonly id: string;
  readonly about: string;
  /** The kind of the policy whose decisions depend on the point. */
  readonly policy?: string;
  /** The decisions of the policy that depend on the point, such as `in-flight`. */
  readonly case?: string | readonly string[];
  /** The mock's choice; its shape depends on the id. */
  readonly mockUses: Json;
  /**
   * The values that settings may choose: a JSON Schema for each member. A member without a schema is fixed.
   */
  readonly canBe?: JsonObject;
  /** No member of this point can be changed. */
  readonly fixed?: true;
}
