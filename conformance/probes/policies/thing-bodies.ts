import { canonical } from '../../../contract/canonical-json.ts';
import type { Json, JsonObject, Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { isObject, member } from '../../exchanges/exchange.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { thingPlace } from '../document/thing-places.ts';
import { bodyFor, isValid } from '../document/values.ts';
import { richBodies } from '../document/rich-bodies.ts';
import { fullerBody, isOfAnotherThing, otherBody, otherValues, variedBody } from '../document/variants.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { withoutDefaults } from './declared-defaults.ts';
import type { MakeOptions, Role, Roles } from './thing.ts';

/** Numbers for a letter, the largest first: beyond 32 bits, near them, and small. */
function numbersFor(begin: string): readonly number[] {
  const share = begin === 'a' ? 0 : begin === 'm' ? 0.6 : 0.95;
  return LARGE_NUMBERS.map((most) => Math.round(share * most));
}

const LARGE_NUMBERS = [4e9, 3e9, 2e9, 5e7, 1e6, 1e4, 100];

type Operations = Readonly<Partial<Record<Role, Operation>>>;

/** Values of one member that are tried. */
const MOST_VALUES = 2;

/** The bodies that create and change things. */
export class ThingBodies {
  readonly #api: OwnApi;
  readonly #roles: Roles;
  readonly #operations: Operations;

  constructor(api: OwnApi, roles: Roles, operations: Operations) {
    this.#api = api;
    this.#roles = roles;
    this.#operations = operations;
  }

  /** The bodies to try for a creation, the best one first: a server may refuse more than the document does. */
  creations(
    session: Session,
    create: Operation,
    { isVaried = false, isSmall = false, isRich = false, lacksDefaults = false }: MakeOptions,
  ): readonly (Json | undefined)[] {
    const small = bodyFor(this.#api, create, session.fixtures)?.value;
    if (isSmall) return [this.small('create', small) ?? small];
    const isGiven = Object.hasOwn(session.fixtures.bodies ?? {}, create.id);
    const [full, plain] = [true, false].map((hasLists) =>
      small === undefined || isGiven ? small : fullerBody(this.#api, create, small, { hasLists }),
    );
    if (isRich) return [...this.rich(create, full), plain, small];
    if (lacksDefaults) return [withoutDefaults(this.#api, create, full), small];
    const varied =
      isVaried && !isGiven && full !== undefined
        ? [true, false].map((isLong) => variedBody(this.#api, create, full, { takes: this.#mayVary, isLong }))
        : [];
    return [...new Map([...varied, full, plain, small].map((one) => [JSON.stringify(one), one])).values()];
  }

  /**
   * A body for a change that differs from the body of the thing: from the fixtures file, or derived from that
   * body. A patch contains only the differences.
   */
  change(session: Session, role: Role, sent: Json | undefined): Json | undefined {
    const operation = this.#operations[role];
    if (operation?.requestBody === undefined) return undefined;
    const { bodies = {} } = session.fixtures;
    // Another id would be another thing.
    const takes = (name: string): boolean => name !== this.#roles.member && name !== this.#roles.parameter;
    const given = Object.hasOwn(bodies, operation.id) ? bodies[operation.id] : undefined;
    // Where a replacement creates as well, its body is what the thing has.
    if (given !== undefined && role === 'replace' && canonical(given) === canonical(sent ?? null))
      return otherBody(this.#api, operation, given, takes) ?? given;
    if (given !== undefined) return given;
    if (role === 'patch')
      return this.#patch(operation, sent) ?? bodyFor(this.#api, operation, session.fixtures)?.value;
    const named = this.#namedBy(operation, sent);
    const own = [named, sent, bodyFor(this.#api, operation, session.fixtures)?.value].find(
      (value) => value !== undefined && this.takes(role, value),
    );
    return own === undefined ? undefined : (otherBody(this.#api, operation, own, takes) ?? own);
  }

  /**
   * Bodies that differ in one member from what a thing has, by member: a server may refuse more than the document does, so that
   * there are several. Texts and numbers come first: what else is valid with a named value, or with a list, is open.
   */
  otherMembers(
    role: 'patch' | 'replace',
    known: Json | undefined,
  ): readonly { readonly name: string; readonly bodies: readonly JsonObject[] }[] {
    const operation = this.#operations[role];
    if (operation === undefined || !isObject(known)) return [];
    const members = propertiesOf(sentContent(operation)?.schema, this.#api.root);
    const isOpen = ([name, schema]: (typeof members)[number]): boolean =>
      ['string', 'number'].includes(typeof known[name]) &&
      !Object.hasOwn(Object(followed(this.#api.root, schema)), 'enum');
    const ordered = [...members.filter(isOpen), ...members.filter((one) => !isOpen(one))];
    return ordered.flatMap(([name, schema]) => {
      const isThere = Object.hasOwn(known, name) || role === 'patch';
      if (!isThere || !this.#mayVary(name) || name === this.#roles.parameter) return [];
      const bodies = otherValues(this.#api, name, schema, known[name])
        .map((value) => (role === 'patch' ? { [name]: value } : { ...known, [name]: value }) as JsonObject)
        .filter((body) => body[name] !== undefined && this.takes(role, body));
      return bodies.length === 0 ? [] : [{ name, bodies: bodies.slice(0, MOST_VALUES) }];
    });
  }

  /** Whether a body with an empty text for a member is valid, where that member may have any value. */
  mayBeEmpty(role: 'patch' | 'replace', name: string, body: Json): boolean {
    const isNamed = role === 'replace' || this.takesPatch(name, '');
    return isNamed && this.#mayVary(name) && !isOfAnotherThing(name) && this.takes(role, body);
  }

  /** What the schema of a replacement names of the body of a creation: a server may refuse, or ignore, any other member. */
  #namedBy(operation: Operation, sent: Json | undefined): Json | undefined {
    if (!isObject(sent)) return undefined;
    const names = propertiesOf(sentContent(operation)?.schema, this.#api.root).map(([name]) => name);
    const kept = Object.entries(sent).filter(([name]) => names.includes(name)) as [string, Json][];
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  }

  /** The body with the id of its path, if it has one: with another id, it asks for a renaming. */
  withId(body: Json | undefined, values: Values): Json | undefined {
    const { member = '', parameter } = this.#roles;
    const id = values[parameter];
    return isObject(body) && Object.hasOwn(body, member) && id !== undefined
      ? ({ ...body, [member]: id } as Json)
      : body;
  }

  /** Creations with values that are easily spoilt. */
  rich(create: Operation, value: Json | undefined): readonly Json[] {
    const { item: path } = this.#roles;
    return value === undefined ? [] : richBodies(this.#api, create, value, { path, takes: this.#mayVary });
  }

  /**
   * A creation whose texts begin with a letter, where the document allows it; if wanted, first with numbers that are among the
   * largest, or the smallest for the first letter: a server may refuse them.
   */
  begun(
    sent: Json | undefined,
    { begin, beginsIn = [], isLarge = false }: MakeOptions,
  ): readonly (Json | undefined)[] {
    if (begin === undefined || !isObject(sent)) return [sent];
    const changed = (values: (value: Json | undefined) => readonly Json[]): Json =>
      beginsIn.reduce((body: Json, name) => {
        const others = values((body as Readonly<Record<string, Json>>)[name])
          .map((one) => ({ ...(body as object), [name]: one }) as Json)
          .filter((one) => this.takes('create', one));
        return others[0] ?? body;
      }, sent as Json);
    const inTexts = (value: Json | undefined): readonly Json[] =>
      typeof value === 'string' ? [`${begin}${value.slice(1)}`] : [];
    const large = isLarge ? [changed((value) => [...inTexts(value), ...numbersFor(begin)])] : [];
    return [...large, changed(inTexts)];
  }

  /** A valid body of an operation; `undefined` if it has none. */
  valid(session: Session, role: Role): Json | undefined {
    const operation = this.#operations[role];
    return operation && bodyFor(this.#api, operation, session.fixtures)?.value;
  }

  /** A body without its optional members; `undefined` if it has none. */
  small(role: Role, value: Json | undefined): Json | undefined {
    if (!isObject(value)) return undefined;
    let small = value as Record<string, Json>;
    for (const name of Object.keys(value)) {
      const { [name]: _, ...others } = small;
      if (Object.keys(others).length > 0 && this.takes(role, others)) small = others;
    }
    return Object.keys(small).length < Object.keys(value).length ? small : undefined;
  }

  /** Whether a body is valid by the document for an operation, which may also need the id of the thing in it. */
  takes(role: Role, value: Json): boolean {
    const operation = this.#operations[role];
    const content = operation && sentContent(operation);
    if (operation === undefined || content === undefined) return false;
    const place = thingPlace(this.#api, operation);
    const id =
      place?.in === 'body' ? member(bodyFor(this.#api, operation, {})?.value, place.name) : undefined;
    const whole =
      place !== undefined && id !== undefined && isObject(value) ? { [place.name]: id, ...value } : value;
    return isValid(this.#api, content, whole as Json);
  }

  /** Whether a patch of one member is valid and named by its schema: a server may ignore any other member. */
  takesPatch(name: string, value: Json): boolean {
    const { patch } = this.#operations;
    const named = propertiesOf(patch && sentContent(patch)?.schema, this.#api.root).map(([each]) => each);
    return (named.length === 0 || named.includes(name)) && this.takes('patch', { [name]: value });
  }

  /**
   * The patch that undoes another one; `undefined` if none does: a member that the thing did not have is set to null, if it
   * may be.
   */
  patchBack(patch: Json, sent: Json | undefined): Json | undefined {
    if (!isObject(patch) || !isObject(sent)) return undefined;
    const names = Object.keys(patch);
    const values = names.flatMap((name): readonly (readonly [string, Json])[] => {
      if (Object.hasOwn(sent, name)) return [[name, sent[name] as Json]];
      return this.takesPatch(name, null) ? [[name, null]] : [];
    });
    return values.length === 0 || values.length < names.length ? undefined : Object.fromEntries(values);
  }

  /** A patch of one member. */
  #patch(operation: Operation, sent: Json | undefined): Json | undefined {
    const { create } = this.#operations;
    const { mediaType = '' } = sentContent(operation) ?? {};
    if (create === undefined || !isObject(sent) || /json-patch/i.test(mediaType)) return undefined;
    const takes = (name: string, value: Json): boolean => this.takesPatch(name, value);
    const other = otherBody(this.#api, create, sent, takes);
    const changed = Object.entries(other ?? {}).filter(([name, value]) => value !== sent[name]);
    return changed.length === 0 ? undefined : Object.fromEntries(changed);
  }

  /** Whether a member may have any valid value: not an id and not the state of a lifecycle, which have side effects. */
  readonly #mayVary = (name: string): boolean =>
    name !== this.#roles.member &&
    !(this.#api.contract.sheet?.policies ?? []).some(
      (policy) =>
        (policy.kind === 'lifecycle' && policy.property === name) ||
        (policy.kind === 'uniqueness' && policy.member.split('.').at(-1) === name),
    );
}
