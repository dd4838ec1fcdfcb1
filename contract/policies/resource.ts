import type { SortingFact } from './sorting.ts';

/** A collection of resources that requests create, list, read, change and delete. */
export interface ResourcePolicy {
  readonly kind: 'resource';
  /** The name of the collection, such as `notes`. */
  readonly collection: string;
  readonly id: {
    /** The member of a resource that contains its id. */
    readonly member: string;
    /** The path parameter with the id, or that of the query or body where the path has none; default: the name of the member. */
    readonly parameter?: string;
    /**
     * How the server makes ids; if left out, as the schema of the member suggests. `caller`: the request
     * provides the id.
     */
    readonly form?: 'uuid' | 'integer' | 'text' | 'caller';
    /** The prefix of generated ids, such as `note_`. */
    readonly prefix?: string;
  };
  readonly operations: ResourceOperations;
  /** The bodies of `createMany`, and what one invalid resource does to the others. */
  readonly many?: ManyFact;
  /** The member of an answer that contains the resource; default: the whole body. */
  readonly item?: string;
  /**
   * The member of a list that contains the resources; default: that of the pagination policy, or the whole
   * body.
   */
  readonly items?: string;
  /** The query parameters of the list that select resources, each with the member that it compares. */
  readonly filters?: Readonly<Record<string, string>>;
  /** The query parameter of the list that names the member by which it is sorted. */
  readonly sort?: SortingFact;
  /** Whether `replace` creates a resource that does not exist. */
  readonly upsert?: boolean;
  /** Whether the deletion of a resource that does not exist succeeds like any other; default: it is refused. */
  readonly idempotentDelete?: boolean;
  /** The status for a resource that does not exist; default: 404. */
  readonly missing?: ResourceRefusal;
  /**
   * The refusal for a resource that was deleted, such as 410; if left out, it is refused like one that never
   * existed.
   */
  readonly gone?: ResourceRefusal;
  /** The status for an id that already exists; default: 409. */
  readonly taken?: ResourceRefusal;
  /**
   * A resource belongs to the caller that created it: the status for any other caller, and lists contain only
   * the caller's own. If left out, the contract does not say who may see a resource.
   */
  readonly otherCaller?: ResourceRefusal;
  /**
   * The header or query parameter whose value names the owner of a resource, such as `X-Tenant`. If left out,
   * the caller is known by its credential.
   */
  readonly owner?: string;
}

/** The operations of the collection, by role. */
export interface ResourceOperations {
  readonly create?: string;
  /** Creates the resources of a list. */
  readonly createMany?: string;
  readonly list?: string;
  readonly read?: string;
  readonly replace?: string;
  /** A JSON Merge Patch (RFC 7396). */
  readonly patch?: string;
  readonly delete?: string;
  /** Takes back a deletion. */
  readonly restore?: string;
}

/** How one request creates several resources. */
export interface ManyFact {
  /** The member of the request that contains the list; default: the whole body. */
  readonly send?: string;
  /** The member of the answer with one result per resource, in the order of the request; default: the whole body. */
  readonly results?: string;
  /** The member of a result that contains the resource; default: the result is the resource. */
  readonly item?: string;
  /**
   * The member of a result with a status of its own: each resource is created or refused by itself. It excludes
   * `whole`.
   */
  readonly status?: string;
  /** Either all resources are created, or none. If left out, the contract does not say what becomes of the others. */
  readonly whole?: true;
}

export interface ResourceRefusal {
  readonly status: number;
  /** The error bucket or code, if errors of the API have one. */
  readonly bucket?: string;
}

export type ResourceRole = keyof ResourceOperations;

/** The role of an operation in a collection; `undefined` if it has none. */
export function roleOf(
  { operations }: Pick<ResourcePolicy, 'operations'>,
  operation: string,
): ResourceRole | undefined {
  return (Object.keys(operations) as ResourceRole[]).find((role) => operations[role] === operation);
}

/** The parameter with the id of a resource. */
export function idParameter({ id }: Pick<ResourcePolicy, 'id'>): string {
  return id.parameter ?? id.member;
}

/** Applies a JSON Merge Patch to a value (RFC 7396, section 2). Does not change the value itself. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = {};
  const put = (name: string, value: unknown): void => {
    // A member named `__proto__` is treated like any other.
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
