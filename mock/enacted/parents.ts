import { isRecord } from '../../contract/index.ts';
import type { Operation } from '../../contract/model.ts';
import { idParameter, type ResourcePolicy, type ResourceRole } from '../../contract/policies/resource.ts';
import { wordsOf } from '../samples/lifelike-text.ts';
import type { Row } from './tables.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * The things above a collection, by the path parameters of its operations. One of them can have the name that is the id
 * of a thing elsewhere: `/teams/{id}/members` creates `/members/{id}`.
 */
export class Parents {
  /** Names of path parameters; the one that is called like the id of a thing has a name of its own. */
  readonly names: readonly string[];
  readonly #id: ResourcePolicy['id'];
  readonly #parameter: string;
  readonly #operations: Readonly<Partial<Record<ResourceRole, Operation>>>;
  readonly #renamed: string | undefined;

  /** @param members those of a thing, which may name its parent */
  constructor(
    policy: Pick<ResourcePolicy, 'id'>,
    operations: Readonly<Partial<Record<ResourceRole, Operation>>>,
    members: readonly string[],
  ) {
    this.#id = policy.id;
    this.#parameter = idParameter(policy);
    this.#operations = operations;
    const shown = operations.create ?? operations.createMany ?? operations.list ?? operations.read;
    this.#renamed =
      shown !== undefined && this.#isAbove(shown)
        ? nameOfParent(shown.path, this.#parameter, members)
        : undefined;
    const names = (shown?.parameters ?? []).flatMap(({ in: place, name }) =>
      place === 'path' ? [name] : [],
    );
    this.names = names.flatMap((name) => (name === this.#parameter ? (this.#renamed ?? []) : [name]));
  }

  /** The input of a call about a thing whose id may be in the body. */
  ofThing({ id, parameters }: Operation, input: Input): Input {
    const { create, createMany, list } = this.#operations;
    const isOfNone = [create, createMany, list].some((one) => one?.id === id);
    if (isOfNone || parameters.some(({ name }) => name === this.#parameter)) return input;
    return { ...idIn(input, this.#id), ...input };
  }

  /** The input of a call, in which a parent is not mistaken for the thing. */
  inputOf(operation: Operation, given: Input): Input {
    const input = this.ofThing(operation, given);
    if (this.#renamed === undefined || !this.#isAbove(operation)) return input;
    const { [this.#parameter]: parent, ...others } = input;
    return { ...others, [this.#renamed]: parent };
  }

  /**
   * The values for the names, from the input of a call. The path of a thing may have none of them, as `/invoices/{id}`
   * where customers create invoices.
   */
  within(input: Input): Readonly<Record<string, string>> {
    const given = this.names.filter((name) => input[name] !== undefined);
    return Object.fromEntries(given.map((name) => [name, String(input[name])]));
  }

  areAllIn(within: Row['within']): boolean {
    return Object.keys(within).length === this.names.length;
  }

  /** The path of the thing with this name; `undefined` if it is not known. */
  pathOf(name: string): string | undefined {
    const parameter = name === this.#renamed ? this.#parameter : name;
    const { create, createMany, list } = this.#operations;
    const path = (create ?? createMany ?? list)?.path ?? '';
    const end = path.indexOf(`{${parameter}}`);
    return end < 0 ? undefined : path.slice(0, end + parameter.length + 2);
  }

  /** The path parameters of an operation for a thing. */
  pathValues(
    operationId: string,
    { within, id }: Pick<Row, 'within' | 'id'>,
  ): Readonly<Record<string, string>> {
    const operation = Object.values(this.#operations).find((each) => each.id === operationId);
    const isAbove = operation !== undefined && this.#isAbove(operation);
    const own = isAbove ? within[this.#renamed ?? ''] : id;
    return { ...within, ...(own === undefined ? {} : { [this.#parameter]: own }) };
  }

  /** Whether the parameter with the name of the id is a parent in the path of an operation. */
  #isAbove({ path }: Operation): boolean {
    const name = `{${this.#parameter}}`;
    const { read, replace, patch, delete: remove } = this.#operations;
    const isOfThing = [read, replace, patch, remove].some((each) => each?.path === path);
    return !isOfThing && path.includes(name) && !path.endsWith(name);
  }
}

// --- internal ---

function idIn({ body }: Input, { member, parameter = member }: ResourcePolicy['id']): Input {
  const id = isRecord(body) ? (body[parameter] ?? body[member]) : undefined;
  return id === undefined ? {} : { [parameter]: id };
}

/** The member of a thing that names its parent, such as `teamId`; else a name that no parameter has. */
function nameOfParent(path: string, parameter: string, members: readonly string[]): string {
  const before = path.slice(0, path.indexOf(`/{${parameter}}`));
  const singular = wordsOf(before.slice(before.lastIndexOf('/') + 1)).replace(/s$/, '');
  return members.find((name) => wordsOf(name) === `${singular}_id`) ?? `${before}/`;
}
