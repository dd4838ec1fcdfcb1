import { isRecord, pagesPolicyOf } from '../../contract/index.ts';
import type { Json, JsonObject, MediaType, Operation, Schema } from '../../contract/model.ts';
import { memberAt } from '../../contract/policies/member-at.ts';
import type { ResourcePolicy } from '../../contract/policies/resource.ts';
import { mayLack, propertyAt } from '../../contract/schemas/schema-parts.ts';
import { flattened } from '../samples/flat-schema.ts';
import { put } from '../samples/put.ts';
import { jsonOf, memberOf } from './declared-answers.ts';

/** The collection whose things are listed. */
interface Listed {
  readonly policy: ResourcePolicy;
  readonly root: JsonObject;
  shown(schema: Schema | undefined, item: JsonObject, seed: string): JsonObject;
  made(schema: Schema | undefined, given: JsonObject, seed: string, sparse: boolean): Json;
}

/** The bodies of lists of a collection, as the document declares them. */
export class ListBodies {
  readonly #collection: Listed;

  constructor(collection: Listed) {
    this.#collection = collection;
  }

  /** The body of an answer with some things; `undefined` if the document has none. */
  body(operation: Operation, items: readonly JsonObject[], members: JsonObject): Json | undefined {
    const content = jsonOf(operation, 200);
    if (content === undefined) return undefined;
    const inner = this.itemSchema(operation);
    const shown = items.map((item, index) => this.#collection.shown(inner, item, String(index)));
    const member = this.#itemsMember(operation, content);
    if (member === undefined) return shown;
    const given = { ...this.#lastCursor(operation, content), ...members, [member]: shown };
    const plain = Object.entries(given).filter(([path]) => !this.#isNested(content, path));
    const made = this.#collection.made(content.schema, Object.fromEntries(plain), 'list', true);
    return Object.entries(given)
      .filter(([path]) => this.#isNested(content, path))
      .reduce<unknown>((body, [path, value]) => put(body, path.split('.'), value), made) as Json;
  }

  /** The things in the body of a list. */
  itemsOf(operation: Operation, body: Json | undefined): Json | undefined {
    const content = jsonOf(operation, 200);
    const member = content === undefined ? undefined : this.#itemsMember(operation, content);
    return memberAt(body, member) as Json | undefined;
  }

  /** The members of the body of a list. */
  members(operation: Operation): readonly string[] {
    const { properties } = flattened(jsonOf(operation, 200)?.schema, this.#collection.root);
    return isRecord(properties) ? Object.keys(properties) : [];
  }

  /** The schema of a thing in a list. */
  itemSchema(operation: Operation): Schema | undefined {
    const content = jsonOf(operation, 200);
    if (content === undefined) return undefined;
    const member = this.#itemsMember(operation, content);
    const list =
      member === undefined ? content.schema : propertyAt(content.schema, member, this.#collection.root)[0];
    return flattened(list, this.#collection.root)['items'] as Schema | undefined;
  }

  /** Whether a path with dots leads into a member of a body. */
  #isNested({ schema }: MediaType, path: string): boolean {
    return path.includes('.') && memberOf(schema, path, this.#collection.root) === undefined;
  }

  /** The cursor of the last page: `null` if the document requires one. */
  #lastCursor(operation: Operation, { schema }: MediaType): JsonObject {
    const policy = pagesPolicyOf(operation);
    const next = policy?.kind === 'pagination' ? policy.page.next : undefined;
    const isNeeded =
      next !== undefined &&
      propertyAt(schema, next, this.#collection.root).length > 0 &&
      !mayLack(schema, next, this.#collection.root);
    return isNeeded ? { [next]: null } : {};
  }

  /** The member of a list that contains the things; `undefined` if the body is the list. */
  #itemsMember(operation: Operation, { schema }: MediaType): string | undefined {
    const flat = flattened(schema, this.#collection.root);
    if (flat['type'] === 'array' || flat['items'] !== undefined) return undefined;
    const named = this.#collection.policy.items ?? pagesPolicyOf(operation)?.page?.items;
    if (named !== undefined) return named;
    const properties = isRecord(flat['properties']) ? Object.entries(flat['properties']) : [];
    return properties.find(
      ([, each]) => flattened(each as Schema, this.#collection.root)['type'] === 'array',
    )?.[0];
  }
}
