import { bodiesOf, type Bodies } from '../../contract/judge/bodies.ts';
import { isJson } from '../../contract/judge/body-format.ts';
import { isRecord } from '../../contract/index.ts';
import type { Misfit } from '../../contract/judge/judge.ts';
import type { Contract, Json, JsonObject, MediaType, Operation, Schema } from '../../contract/model.ts';
import { idParameter, type ResourcePolicy, type ResourceRole } from '../../contract/policies/resource.ts';
import { mayLack, partsOf, propertiesOf, propertyAt } from '../../contract/schemas/schema-parts.ts';
import { alternativeOf } from '../samples/alternative.ts';
import { flattened } from '../samples/flat-schema.ts';
import { lifelike } from '../samples/lifelike.ts';
import { jsonOf, memberOf, successOf } from './declared-answers.ts';
import { hexOf } from './hash.ts';
import { judgedThings, type JudgedThings } from './judged-things.ts';
import { ListBodies } from './list-bodies.ts';
import { Parents } from './parents.ts';
import { sendable } from './sendable.ts';
import type { Row, TableView } from './tables.ts';

/** A collection as the document declares it: its operations, and the schemas of its things. */
export class Collection {
  readonly policy: ResourcePolicy;
  readonly operations: Readonly<Partial<Record<ResourceRole, Operation>>>;
  /** The things above the collection. */
  readonly parents: Parents;
  /** The bodies of its lists. */
  readonly lists: ListBodies;
  /** The schema of a thing, combined from all answers. */
  readonly schema: Schema | undefined;
  /** The same, with what requests may contain: then a client can send a generated thing back. */
  readonly #sendable: Schema | undefined;
  /** The document in which references are resolved. */
  readonly root: JsonObject;
  readonly #bodies: Bodies;
  readonly #seed: string;

  constructor(contract: Contract, policy: ResourcePolicy, seed: string) {
    this.policy = policy;
    this.root = contract.document.root;
    this.#bodies = bodiesOf(contract);
    this.#seed = `${seed} ${contract.name} ${policy.collection}`;
    this.operations = Object.fromEntries(
      Object.entries(policy.operations).flatMap(([role, id]: [string, string]) => {
        const operation = contract.operations.find((each) => each.id === id);
        return operation === undefined ? [] : [[role, operation]];
      }),
    );
    this.lists = new ListBodies(this);
    const { read, create, replace, patch, list } = this.operations;
    const single = [read, create, replace, patch].flatMap((each) => (each === undefined ? [] : [each]));
    this.schema =
      single.map((operation) => this.#thingIn(operation)).find((schema) => schema !== undefined) ??
      (list === undefined ? undefined : this.lists.itemSchema(list));
    this.#sendable = sendable(this.schema, create ?? replace, this.root);
    this.parents = new Parents(policy, this.operations, this.members);
  }

  /** The path of a thing; `undefined` if no operation has one. */
  get path(): string | undefined {
    const { read, replace, patch, delete: remove } = this.operations;
    return (read ?? replace ?? patch ?? remove)?.path;
  }

  /** The thing that the path of a call names. */
  find(table: Pick<TableView, 'get' | 'rows'>, input: Readonly<Record<string, unknown>>): Row | undefined {
    const id = String(input[idParameter(this.policy)]);
    const within = this.parents.within(input);
    if (this.parents.areAllIn(within)) return table.get(within, id);
    const place = table.rows(within).find((row) => row.id === id)?.within;
    return table.get(place ?? within, id);
  }

  /** The deleted thing that the path of a call names, where deleted things are kept. */
  findGone(table: Pick<TableView, 'gone'>, input: Readonly<Record<string, unknown>>): Row | undefined {
    return table.gone(this.parents.within(input), String(input[idParameter(this.policy)]));
  }

  /** Whether deleted things are kept: they come back, or are told from those that never existed. */
  get keepsGone(): boolean {
    return this.policy.gone !== undefined || this.policy.operations.restore !== undefined;
  }

  /**
   * A complete thing: the given members, and the others that its schema requires. The `n`th of its
   * collection.
   */
  completed(given: JsonObject, n: number, { sparse }: { readonly sparse: boolean }): JsonObject {
    const { required } = flattened(this.schema, this.root);
    const names = Array.isArray(required) ? (required as readonly string[]) : [];
    // The value of a member that can be null is not known.
    const unsaid = sparse ? names.filter((name) => !Object.hasOwn(given, name) && this.mayBeNull(name)) : [];
    const nulls = Object.fromEntries(unsaid.map((name) => [name, null]));
    const schema = sparse ? this.schema : this.#sendable;
    const made = this.made(schema, { ...given, ...nulls }, `${String(n)}`, sparse, n);
    if (!isRecord(made)) return given;
    // Some schemas cannot be filled member by member, such as a choice with conditions: optional members can
    // be left out then.
    const needed = new Set([...names, ...Object.keys(given)]);
    const wrong = new Set(this.#misfits(made as JsonObject).map(({ pointer }) => pointer.split('/')[1]));
    const kept = Object.entries(made).filter(([name]) => needed.has(name) || !wrong.has(name));
    return Object.fromEntries(kept) as JsonObject;
  }

  /** The body of an answer with one thing; `undefined` if the document has none, or one of another form. */
  body(operation: Operation, status: number, item: JsonObject, seed: string): Json | undefined {
    const content = jsonOf(operation, status);
    if (content === undefined) return undefined;
    const { item: member } = this.policy;
    const inner = member === undefined ? content.schema : memberOf(content.schema, member, this.root);
    const thing = this.shown(inner, item, seed);
    const body = member === undefined ? thing : this.made(content.schema, { [member]: thing }, seed, true);
    return this.#fits(content, body) ? body : undefined;
  }

  /** What is wrong with the list of a request that creates several things: with each thing, and apart from them. */
  judgedThings(operation: Operation, body: unknown): JudgedThings {
    const content = operation.requestBody?.content.find(({ mediaType }) => isJson(mediaType));
    const found = content === undefined ? [] : this.#bodies.judge('request', content, body);
    return judgedThings('reason' in found ? [] : found, this.policy.many?.send);
  }

  /** A thing as one schema shows it: without unknown members, and without write-only members. */
  shown(schema: Schema | undefined, item: JsonObject, seed: string): JsonObject {
    const flat = flattened(schema, this.root);
    const properties = isRecord(flat['properties']) ? (flat['properties'] as Record<string, Schema>) : {};
    const others = flat['additionalProperties'];
    const isOpen = Object.keys(properties).length === 0 || others === true || isRecord(others);
    // A branch of a choice can have members that the others lack.
    const known = new Set(propertiesOf(schema, this.root).map(([name]) => name));
    const kept = Object.entries(item).filter(([name]) => {
      if (!Object.hasOwn(properties, name)) return isOpen || known.has(name);
      return flattened(properties[name], this.root)['writeOnly'] !== true;
    });
    const made = this.made(schema, Object.fromEntries(kept), seed, true);
    return isRecord(made) ? (made as JsonObject) : Object.fromEntries(kept);
  }

  /** The schema of a member of things. */
  member(name: string): JsonObject {
    return flattened(memberOf(this.schema, name, this.root), this.root);
  }

  /** Whether a member can be null. */
  mayBeNull(name: string): boolean {
    return propertyAt(this.schema, name, this.root).some((schema) =>
      [...partsOf(schema, this.root, 'any')].some(
        ({ type, nullable, enum: values, const: only }) =>
          nullable === true ||
          [type].flat().includes('null') ||
          only === null ||
          (Array.isArray(values) && values.includes(null)),
      ),
    );
  }

  /** Whether a thing may be without a value of a member. */
  mayBeUnset(name: string): boolean {
    return this.mayBeNull(name) || mayLack(this.schema, name, this.root);
  }

  /** Whether a member is a time. */
  isTime(name: string): boolean {
    const { type, format } = this.member(name);
    return format === 'date-time' || format === 'date' || [type].flat().includes('integer');
  }

  /** A value of a member that is not null. */
  valueOf(name: string): Json {
    const { type, ...others } = this.member(name);
    const types = [type].flat().filter((one) => one !== 'null');
    return lifelike({ ...others, ...(types[0] === undefined ? {} : { type: types[0] }) }, this.root, {
      seed: `${this.#seed} ${name}`,
    });
  }

  /** The schema of the id, from the path parameter. */
  idInPath(): JsonObject {
    const name = idParameter(this.policy);
    const parameter = Object.values(this.operations)
      .flatMap(({ parameters }) => parameters)
      .find((each) => each.in === 'path' && each.name === name);
    return flattened(parameter?.schema, this.root);
  }

  /** An id for the `n`th thing, by the pattern of the member, else by that of the path parameter. */
  idByPattern(n: number): Json {
    return this.made({ ...this.idInPath(), ...this.member(this.policy.id.member) }, {}, `id ${n}`, true);
  }

  /** The values that members of a thing have if a request leaves them out. */
  defaults(operation: Operation): JsonObject {
    return Object.fromEntries(
      propertiesOf(this.#sentThing(operation), this.root).flatMap(([name, schema]): [string, Json][] => {
        const { default: value, readOnly } = flattened(schema, this.root);
        return value === undefined || readOnly === true ? [] : [[name, value]];
      }),
    );
  }

  /** The members of a thing that the body of a request cannot contain. */
  unsent({ requestBody }: Operation, item: JsonObject): JsonObject {
    const content = requestBody?.content.find(({ mediaType }) => isJson(mediaType));
    const flat = flattened(content?.schema, this.root);
    if (flat['additionalProperties'] !== false) return {};
    const sent = new Set(propertiesOf(content?.schema, this.root).map(([name]) => name));
    return Object.fromEntries(Object.entries(item).filter(([name]) => !sent.has(name))) as JsonObject;
  }

  get members(): readonly string[] {
    const { properties } = flattened(this.schema, this.root);
    return isRecord(properties) ? Object.keys(properties) : [];
  }

  /** The fault of a changed thing, in words; `undefined` if it is valid. */
  misfit(item: JsonObject): string | undefined {
    const [first] = this.#misfits(item);
    return first === undefined
      ? undefined
      : `${first.pointer === '' ? 'the thing' : first.pointer} ${first.message}`;
  }

  /** Equal texts and seeds result in equal digits. */
  hash(text: string): string {
    return hexOf(`${this.#seed} ${text}`);
  }

  /** The schema of a thing in a request. */
  #sentThing(operation: Operation): Schema | undefined {
    const { schema } = operation.requestBody?.content.find(({ mediaType }) => isJson(mediaType)) ?? {};
    if (operation !== this.operations.createMany) return schema;
    const { send } = this.policy.many ?? {};
    const list = send === undefined ? schema : propertyAt(schema, send, this.root)[0];
    return flattened(list, this.root)['items'] as Schema | undefined;
  }

  #misfits(item: JsonObject): readonly Misfit[] {
    const { read, create } = this.operations;
    const operation = read ?? create;
    const status = operation === undefined ? undefined : successOf(operation, [200, 201]);
    const content = operation === undefined || status === undefined ? undefined : jsonOf(operation, status);
    if (content === undefined || this.policy.item !== undefined) return [];
    const found = this.#bodies.judge('response', content, this.#without(content.schema, item));
    return 'reason' in found ? [] : found;
  }

  #without(schema: Schema | undefined, item: JsonObject): JsonObject {
    const flat = flattened(schema, this.root);
    const properties = isRecord(flat['properties']) ? (flat['properties'] as Record<string, Schema>) : {};
    return Object.fromEntries(
      Object.entries(item).filter(
        ([name]) =>
          !Object.hasOwn(properties, name) || flattened(properties[name], this.root)['writeOnly'] !== true,
      ),
    );
  }

  #thingIn(operation: Operation): Schema | undefined {
    const status = successOf(operation, [200, 201]);
    const schema = status === undefined ? undefined : jsonOf(operation, status)?.schema;
    const { item } = this.policy;
    return item === undefined || schema === undefined ? schema : memberOf(schema, item, this.root);
  }

  /** A value of a schema that contains the given members. */
  made(schema: Schema | undefined, given: JsonObject, seed: string, sparse: boolean, n = 0): Json {
    const owner = this.policy.collection.replace(/s$/, '');
    const branch = alternativeOf(schema, this.root, given, sparse ? 0 : n);
    return lifelike(schema, this.root, { seed: `${this.#seed} ${seed}`, owner, given, sparse, branch });
  }

  #fits(content: MediaType, body: Json): boolean {
    const found = this.#bodies.judge('response', content, body);
    return 'reason' in found || found.length === 0;
  }
}
