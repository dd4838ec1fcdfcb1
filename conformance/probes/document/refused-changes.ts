import { canonical } from '../../../contract/canonical-json.ts';
import { isRecord, policyFor } from '../../../contract/index.ts';
import { essenceOf, isJson } from '../../../contract/judge/body-format.ts';
import type { Json, JsonObject, MediaType, Operation } from '../../../contract/model.ts';
import { plainName } from '../../../contract/text/plain-name.ts';
import { at, isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { check } from '../../scenarios/check.ts';
import { NotExercised, scenario } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { isRead, pathParameters, sentContent } from '../own-api.ts';
import { idMemberOf } from './ids.ts';
import { inputFor, newBody, requiredValues, withBody, withNewKey, withVersion } from './input.ts';
import { MadeResources } from './made.ts';
import { misfitsOf } from './misfits.ts';
import { namesOthers } from './references.ts';
import { documentRule, documentRules } from './rules.ts';
import { serialisedParameters } from './serialised-parameters.ts';
import { isValid } from './values.ts';
import { fullerBody, isOfAnotherThing, variedBody } from './variants.ts';
import { written } from './wire-body.ts';

/**
 * Changes with several valid members and one invalid one: after they were refused, the thing shows none of the valid ones.
 * A server that stores member by member keeps those before the invalid one.
 */
export function refusedChangeScenarios(api: OwnApi): readonly Scenario[] {
  return api.operations.flatMap((operation) => {
    const content = sentContent(operation);
    const shown = isRead(operation) ? undefined : shownBy(api, operation);
    if (content === undefined || shown === undefined || !isJson(content.mediaType)) return [];
    const rule = documentRule(operation, 'bad-body');
    return documentRules(api, operation).some(({ id }) => id === rule)
      ? [refusedChange(api, { operation, content, shown, rule })]
      : [];
  });
}

// --- internal ---

const MOST_REFUSED = 4;

/** The read of what an operation changes. */
interface Shown {
  readonly reader: Operation;
  /** The member of a body that names the thing, where the path does not. */
  readonly named?: { readonly member: string; readonly parameter: string };
}

interface Parts {
  readonly operation: Operation;
  readonly content: MediaType;
  readonly shown: Shown;
  readonly rule: string;
}

/** The read at the same path, or that of the resource of the sheet whose id is a member of the body. */
function shownBy(api: OwnApi, operation: Operation): Shown | undefined {
  const inPath = operation.path.endsWith('}') ? api.at('get', operation.path) : undefined;
  if (inPath !== undefined) return { reader: inPath };
  for (const policy of api.contract.sheet?.policies ?? []) {
    if (policy.kind !== 'resource') continue;
    const { id, operations } = policy;
    const reader = api.operation(operations.read ?? '');
    const [parameter, ...others] = reader === undefined ? [] : pathParameters(reader);
    const isOwn = [operations.create, operations.createMany].includes(operation.id);
    if (reader === undefined || parameter === undefined || others.length > 0 || isOwn) continue;
    const isId = (name: string): boolean => plainName(name) === plainName(parameter.name);
    const schema = sentContent(operation)?.schema;
    const names = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
    const name = names.find(isId);
    if (name !== undefined && (id.parameter ?? id.member) === parameter.name)
      return { reader, named: { member: name, parameter: parameter.name } };
  }
  return undefined;
}

function refusedChange(api: OwnApi, { operation, content, shown, rule }: Parts): Scenario {
  const { reader, named } = shown;
  const made = new MadeResources(api, operation);
  return scenario({
    id: `${rule}.kept`,
    api: api.name,
    title: `${operation.method.toUpperCase()} ${operation.path} with one wrong member, and then ${reader.path}`,
    permissions: ['negatives', 'writes'],
    // Another call could bring about the same values.
    isUndisturbed: true,
    severalCases: [rule],
    judges: [rule],
    requests: {
      ...made.requests(),
      read: api.plan(reader, { times: 2 }),
      refused: api.plan(operation, { isInvalid: true, times: MOST_REFUSED }),
    },
    async *run(session: Session) {
      const known = await made.values(session);
      const form = newBody(api, operation, session);
      const own = form?.value;
      const id = named === undefined ? undefined : member(own, named.member);
      if (form === undefined || !isRecord(own) || (named !== undefined && id === undefined))
        throw new NotExercised(`bodies.${operation.id}`, `needs a body for ${operation.id}`);
      const values = named === undefined ? known : { ...known, [named.parameter]: id as Json };
      const look = (): Promise<Exchange> => session.send('read', inputFor(api, reader, session, values));
      const before = await look();
      const changes = changesOf(api, { operation, content, own: own as JsonObject, thing: thingIn(before) });
      if (!isSuccess(before) || changes.length === 0)
        throw new NotExercised('an opportunity', 'no read shows a member that a change could have');
      const refused: { readonly seen: Exchange; readonly sent: JsonObject }[] = [];
      for (const sent of changes) {
        const text = written(sent, form);
        const seen = await session.send('refused', inputOf(session, known, before, text, form.mediaType));
        // Whether it is refused at all is judged elsewhere.
        if (seen.status < 400 || seen.status > 499) return;
        refused.push({ seen, sent });
      }
      yield* judgeKept({ before, after: await look(), refused });
    },
  });

  function thingIn(seen: Exchange): unknown {
    const item = idMemberOf(api, reader)?.item;
    return isSuccess(seen) ? (item === undefined ? seen.json : at(seen.json, item)) : undefined;
  }

  function inputOf(
    session: Session,
    known: Values,
    before: Exchange,
    text: string,
    mediaType: string,
  ): ReturnType<typeof withBody> {
    const sent = serialisedParameters(operation, requiredValues(api, operation, session, known));
    const tag = before.header('etag');
    const isGuarded = policyFor(operation, 'conditional-write') !== undefined;
    const guarded =
      tag === undefined || !isGuarded ? sent : { ...sent, headers: withVersion(sent.headers, tag) };
    const whole = withBody(guarded, text, essenceOf(mediaType) === '' ? content.mediaType : mediaType);
    return withNewKey(operation, whole, session) ?? whole;
  }

  function* judgeKept({
    before,
    after,
    refused,
  }: {
    readonly before: Exchange;
    readonly after: Exchange;
    readonly refused: readonly { readonly seen: Exchange; readonly sent: JsonObject }[];
  }): Generator<Check> {
    const [was, is] = [thingIn(before), thingIn(after)];
    if (!isRecord(was) || !isRecord(is)) return;
    for (const { seen, sent } of refused) {
      const stored = Object.keys(sent).find(
        (name) => isOther(was, sent, name) && canonical(is[name]) === canonical(sent[name]),
      );
      const expected = `no change by a call that was refused${stored === undefined ? '' : `: ${stored} as before`}`;
      const got = stored === undefined ? undefined : `${stored} of the refused body`;
      yield check(rule, [before, seen, after], stored === undefined, expected, got);
    }
  }
}

/** Bodies with one invalid member each, and others that are valid and not what the thing has. */
function changesOf(
  api: OwnApi,
  {
    operation,
    content,
    own,
    thing,
  }: {
    readonly operation: Operation;
    readonly content: MediaType;
    readonly own: JsonObject;
    readonly thing: unknown;
  },
): readonly JsonObject[] {
  if (!isRecord(thing)) return [];
  const full = fullerBody(api, operation, own, { hasLists: true });
  const takes = (name: string): boolean => !isOfAnotherThing(name);
  const bases = [true, false].map((isLong) => variedBody(api, operation, full, { takes, isLong }));
  const others = (sent: Json): readonly string[] =>
    isRecord(sent) ? Object.keys(sent).filter((name) => isOther(thing, sent, name)) : [];
  const base = [...bases, full].find((sent) => others(sent).length > 0 && isValid(api, content, sent));
  if (base === undefined || !isRecord(base)) return [];
  const names = Object.keys(base);
  const spoilt = misfitsOf(api, content, base as Json, () => true).flatMap(({ body }) => {
    if (!isRecord(body)) return [];
    const wrong = [...new Set([...names, ...Object.keys(body)])].filter(
      (name) => canonical(body[name]) !== canonical(base[name]),
    );
    const [name] = wrong;
    const isPlain = wrong.length === 1 && name !== undefined && !isOfAnotherThing(name);
    const isTelling = isPlain && others(body as Json).some((one) => one !== name);
    return isTelling && !namesOthers(api, operation, body, namedIn(own, body)) ? [{ name, body }] : [];
  });
  // A server stops at the first wrong member, or at the last.
  return [...new Map(spoilt.map((one) => [one.name, one.body as JsonObject])).values()]
    .toSorted((one, another) => lastWrong(another, base, names) - lastWrong(one, base, names))
    .slice(0, MOST_REFUSED);
}

function lastWrong(
  body: JsonObject,
  base: Readonly<Record<string, unknown>>,
  names: readonly string[],
): number {
  return names.findLastIndex((name) => canonical(body[name]) !== canonical(base[name]));
}

/** What a valid body names may be named by the others. */
function namedIn(
  own: JsonObject,
  body: Readonly<Record<string, unknown>>,
): readonly { path: string[]; id: string | number }[] {
  return Object.entries(own).flatMap(([name, value]) =>
    (typeof value === 'string' || typeof value === 'number') && body[name] === value
      ? [{ path: [name], id: value }]
      : [],
  );
}

/** Whether a thing shows a member with another value than a body has. */
function isOther(
  thing: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
  name: string,
): boolean {
  return (
    Object.hasOwn(thing, name) &&
    Object.hasOwn(sent, name) &&
    canonical(thing[name]) !== canonical(sent[name])
  );
}
