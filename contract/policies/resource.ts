/** A collection of things that requests create, list, read, change and delete. */
export interface ResourcePolicy {
  readonly kind: 'resource';
  /** The name of the collection, such as `notes`. */
  readonly collection: string;
  readonly id: {
    /** The member of a thing that is its id. */
    readonly member: string;
    /** The path parameter that carries it; the name of the member when left out. */
    readonly parameter?: string;
    /** How the server makes ids; as the schema of the member says when left out. `caller`: a request gives the id. */
    readonly form?: 'uuid' | 'integer' | 'text' | 'caller';
    /** What each made id begins with, such as `note_`. */
    readonly prefix?: string;
  };
  readonly operations: ResourceOperations;
  /** The member of an answer that holds the thing; the whole body when left out. */
  readonly item?: string;
  /** The member of a list that holds the things; that of the pagination, or the whole body, when left out. */
  readonly items?: string;
  /** Whether `replace` creates a thing that is not there. */
  readonly upsert?: boolean;
  /** The refusal for a thing that is not there; 404 when left out. */
  readonly missing?: ResourceRefusal;
  /** The refusal for an id that is taken; 409 when left out. */
  readonly taken?: ResourceRefusal;
}

/** Which operation plays which part. */
export interface ResourceOperations {
  readonly create?: string;
  readonly list?: string;
  readonly read?: string;
  readonly replace?: string;
  /** A JSON Merge Patch (RFC 7396). */
  readonly patch?: string;
  readonly delete?: string;
}

export interface ResourceRefusal {
  readonly status: number;
  /** The error bucket or code, where errors of the API have one. */
  readonly bucket?: string;
}

export type ResourceRole = keyof ResourceOperations;

/** The part that an operation plays in a collection; `undefined` for none. */
export function roleOf(
  { operations }: Pick<ResourcePolicy, 'operations'>,
  operation: string,
): ResourceRole | undefined {
  return (Object.keys(operations) as ResourceRole[]).find((role) => operations[role] === operation);
}

/** The path parameter that carries the id of a thing. */
export function idParameter({ id }: Pick<ResourcePolicy, 'id'>): string {
  return id.parameter ?? id.member;
}

/** What a JSON Merge Patch makes of a value (RFC 7396, section 2). The value itself stays as it is. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = {};
  const put = (name: string, value: unknown): void => {
    // A member named __proto__ is a member.
    Object.defineProperty(merged, name, { value, enumerable: true, writable: true, configurable: true });
  };
  const before = isObject(target) ? target : {};
  for (const [name, value] of Object.entries(before)) {
    if (!Object.hasOwn(patch, name)) put(name, value);
    else if (patch[name] !== null) put(name, mergePatch(value, patch[name]));
  }
  for (const [name, value] of Object.entries(patch)) {
    if (!Object.hasOwn(before, name) && value !== null) put(name, mergePatch(undefined, value));
  }
  return merged;
}

// --- internal ---

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
