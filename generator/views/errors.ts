import { findPolicy, type Json, type PolicyOf, type Schema } from '../../contract/index.ts';
import { type NameTable, typeName } from '../names.ts';
import { prose } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { unionShape } from '../schemas/type-shape.ts';
import type { ApiView } from './api.ts';
import { answeredShape } from './shapes.ts';

/**
 * The error classes of an API: one for each bucket if it names buckets, else one for each declared status.
 */
export interface ErrorsView {
  /** The union of all classes. */
  readonly unionType: string;
  /** The type of an error's body. */
  readonly bodyType: string;
  /** The error bodies that the document describes; `true` if they can be any value. */
  readonly bodyShape: Json;
  readonly buckets: BucketsView | undefined;
  /** If the bodies contain codes, these take the role of buckets. */
  readonly codes: CodesView | undefined;
  readonly statuses: readonly StatusView[];
}

export interface CodesView {
  /** The paths of the code and of its explanation. */
  readonly code: readonly string[];
  readonly message: readonly string[];
  readonly classes: readonly {
    readonly name: string;
    readonly bucket: string;
    readonly comment: readonly string[];
  }[];
}

export interface BucketsView {
  readonly header: string;
  readonly bodyMember: string;
  readonly detailMember: string;
  readonly fallback: string;
  readonly bucketType: string;
  readonly classes: readonly {
    readonly name: string;
    readonly bucket: string;
    readonly comment: readonly string[];
  }[];
}

export interface StatusView {
  readonly name: string;
  /** `404`, or `4` for a class of statuses. */
  readonly status: number;
  readonly isRange: boolean;
  readonly comment: readonly string[];
}

export function errorsView(api: ApiView, names: NameTable, shape: (schema: Schema) => Json): ErrorsView {
  const { errorBuckets, title } = api;
  const common = {
    unionType: names.claim(`${title}Error`),
    bodyType: names.claim(`${title}ErrorBody`),
    bodyShape: errorBodies(api, shape),
  };
  if (errorBuckets !== undefined) {
    return { ...common, buckets: bucketClasses(errorBuckets, title, names), codes: undefined, statuses: [] };
  }
  const policy = findPolicy(api.contract, 'error-codes');
  const codes = policy && codeClasses(policy, names);
  return { ...common, buckets: undefined, codes, statuses: statusClasses(api, names) };
}

// --- internal ---

function bucketClasses(policy: PolicyOf<'error-buckets'>, title: string, names: NameTable): BucketsView {
  return {
    header: policy.header,
    bodyMember: policy.bodyMember,
    detailMember: policy.detailMember,
    fallback: policy.fallback,
    bucketType: names.claim(`${title}ErrorBucket`),
    classes: policy.buckets.map(({ name, level, status, billed }) => {
      const said = [
        level === 'request'
          ? 'The request was accepted but not completed'
          : 'The API itself refused or failed',
        ...(status === undefined ? [] : [`status ${status}`]),
        ...(billed === undefined ? [] : [BILLED[billed]]),
      ];
      const others = name === policy.fallback ? [' Also used for buckets that this code does not know.'] : [];
      return {
        name: names.claim(className(name)),
        bucket: name,
        comment: prose(`\`${name}\`. ${said.join(', ')}.${others.join('')}`),
      };
    }),
  };
}

function codeClasses(policy: PolicyOf<'error-codes'>, names: NameTable): CodesView {
  return {
    code: policy.code.split('.'),
    message: policy.message.split('.'),
    classes: policy.codes.map(({ name, status }) => ({
      name: names.claim(className(name)),
      bucket: name,
      comment: prose(`\`${name}\`${status === undefined ? '' : `, status ${status}`}.`),
    })),
  };
}

const BILLED = {
  yes: 'charged (a key at most once)',
  no: 'not charged',
  'before-model': 'not charged if it did not reach the model (otherwise the contract does not say)',
  'per-model': 'charged or not as the model has it',
} as const;

function className(bucket: string): string {
  const name = typeName(bucket, 'Api');
  return name.endsWith('Error') ? name : `${name}Error`;
}

/** Exact statuses before classes of statuses, because they are tried in this order. */
function statusClasses(api: ApiView, names: NameTable): StatusView[] {
  const declared = new Set(
    api.operations.flatMap(({ responses }) => responses.map(({ status }) => status.toUpperCase())),
  );
  const exact = [...declared].filter((status) => /^[45]\d\d$/.test(status)).sort();
  const ranges = [...declared].filter((status) => /^[45]XX$/.test(status)).sort();
  return [
    ...exact.map((status) => ({
      name: names.claim(`${STATUS_NAMES[status] ?? `Status${status}`}Error`.replace(/ErrorError$/, 'Error')),
      status: Number(status),
      isRange: false,
      comment: [`The server answered ${status}.`],
    })),
    ...ranges.map((status) => ({
      name: names.claim(status === '4XX' ? 'ClientFaultError' : 'ServerFaultError'),
      status: Number(status.charAt(0)),
      isRange: true,
      comment: [`The server answered with a status of ${status.charAt(0)}xx without a class of its own.`],
    })),
  ];
}

function errorBodies(api: ApiView, shape: (schema: Schema) => Json): Json {
  const contents = api.operations.flatMap(({ responses }) =>
    responses
      .filter(({ status }) => /^[45]|^default$/i.test(status))
      .flatMap((response) => response.contents),
  );
  const shapes = contents.map((content) => answeredShape(content, shape));
  const union = shapes.every(isObject) ? unionShape(shapes) : true;
  return isObject(union) && Array.isArray(union['anyOf']) && union['anyOf'].length > MOST_BODIES
    ? true
    : union;
}

/** A union with more members is not useful to readers. */
const MOST_BODIES = 20;

/** The names in RFC 9110 and in the registry of status codes. */
const STATUS_NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  407: 'ProxyAuthenticationRequired',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'LengthRequired',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  417: 'ExpectationFailed',
  421: 'MisdirectedRequest',
  422: 'UnprocessableContent',
  423: 'Locked',
  424: 'FailedDependency',
  425: 'TooEarly',
  426: 'UpgradeRequired',
  428: 'PreconditionRequired',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  451: 'UnavailableForLegalReasons',
  500: 'InternalServerError',
  501: 'NotImplemented',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
  505: 'HttpVersionNotSupported',
  507: 'InsufficientStorage',
  508: 'LoopDetected',
  511: 'NetworkAuthenticationRequired',
};
