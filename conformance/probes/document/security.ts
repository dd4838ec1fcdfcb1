import { placesTogether, policyFor } from '../../../contract/index.ts';
import { check, undecided } from '../../scenarios/check.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Json, Operation, Parameter } from '../../../contract/model.ts';
import { NotExercised, scenario } from '../../scenarios/scenario.ts';
import type {
  Check,
  RequestPlan,
  RequestPlans,
  Scenario,
  SendOptions,
  Session,
} from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, isSecured, pathParameters } from '../own-api.ts';
import { idOfNobody, suppliersOf } from './ids.ts';
import { inputFor, newBody, withNewKey, withVersion } from './input.ts';
import { MadeResources } from './made.ts';
import { call } from './reads.ts';
import type { Reads } from './reads.ts';
import { documentRule } from './rules.ts';
import { serialisedParameters } from './serialised-parameters.ts';
import { valueKey } from './value-key.ts';
import { documentedValues, fixedValue } from './values.ts';
import { isNamedWrite } from '../../writes/withheld.ts';
import { written } from './wire-body.ts';

/**
 * Calls without a credential, and with one that the server has to refuse. Ids are made up unless a fixture
 * names them, so that a server without access control loses nothing.
 */
export function securityScenarios(api: OwnApi, reads: Reads): readonly Scenario[] {
  // What one operation at an address refuses, another can allow.
  const secured = api.operations.filter((each) => api.atAddressOf(each).every(isSecured));
  return secured.flatMap((operation) => {
    const rule = documentRule(operation, 'security');
    // A read of an existing resource is the most conclusive: a server may answer 404 before it checks the
    // credential.
    const found =
      isRead(operation) && pathParameters(operation).length > 0 ? reads.ofIfKnown(operation) : undefined;
    const made = ofMade(api, operation);
    // If several credentials are required together, each is omitted once.
    const places = isRead(operation) ? placesTogether(operation) : [];
    const partial = places.map((lacks): [string, RequestPlan] => [
      `without ${lacks.name}`,
      api.plan(operation, { as: 'none', isInvalid: true, together: { places, lacks } }),
    ]);
    const isOther = isRead(operation) && isByToken(operation);
    const bare = scenario<RequestPlans>({
      id: `document.${operation.id}.security`,
      api: api.name,
      title: `${operation.method.toUpperCase()} ${operation.path} without a credential`,
      judges: [rule],
      uses: found === undefined ? [] : [found],
      permissions: isRead(operation) ? [] : ['negatives'],
      requests: {
        ...Object.fromEntries(partial),
        bare: api.plan(operation, { as: 'none', isInvalid: true }),
        wrong: api.plan(operation, { as: 'refused', isInvalid: true, isOptional: true }),
        ...(policyFor(operation, 'idempotency') === undefined
          ? {}
          : { keyed: api.plan(operation, { as: 'none', isInvalid: true }) }),
        ...(isOther ? { other: api.plan(operation, { as: 'unusable', isInvalid: true }) } : {}),
      },
      async *run(session: Session) {
        const isKnown = found !== undefined && session.knows(api.callerOf(operation));
        const known = isKnown ? (await session.obtain(found)).values : {};
        const values = Object.fromEntries(
          operation.parameters
            .filter((parameter) => parameter.required)
            .map((parameter) => [
              valueKey(operation, parameter),
              known[valueKey(operation, parameter)] ?? unknownValue(api, operation, parameter, session),
            ]),
        );
        const body = newBody(api, operation, session);
        const sent = named(operation, serialisedParameters(operation, values));
        const input = {
          ...sent,
          ...(body === undefined || operation.requestBody === undefined
            ? {}
            : {
                body: written(body.value, body),
                headers: [...sent.headers, ['Content-Type', body.mediaType] as const],
              }),
        };
        const names = [
          'bare',
          ...partial.map(([name]) => name),
          ...(session.knows('refused') ? ['wrong'] : []),
        ];
        for (const name of names) {
          const check = verdict(rule, await call(session, name, operation, input));
          // A resource of the suite makes the result more conclusive.
          if (check.outcome === 'inconclusive' && made.length > 0)
            throw new NotExercised('writes', check.got);
          yield check;
        }
        // What is looked up by its key may be answered before the caller is known.
        const keyed = withNewKey(operation, input, session);
        if (keyed !== undefined) yield verdict(rule, await call(session, 'keyed', operation, keyed));
        if (isOther) yield verdict(rule, await session.send('other', { ...input, credential: OTHER_SCHEME }));
      },
    });
    return [bare, ...made];
  });
}

// --- internal ---

/**
 * A value of a parameter that no resource was found for. A write names nothing that exists, unless the fixtures name it: a server
 * that lets everybody in would change it.
 *
 * @throws {NotExercised} if every id that the document allows may exist
 */
function unknownValue(
  api: OwnApi,
  operation: Operation,
  parameter: Parameter,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
): Json {
  const documented = documentedValues(api, parameter).at(-1)?.value ?? 'tallystick';
  const isNamed = isRead(operation) || isNamedWrite(session.fixtures, operation.id);
  const fixed = isNamed ? fixedValue(session.fixtures, operation, parameter) : undefined;
  if (isRead(operation) || fixed !== undefined) return fixed ?? documented;
  if (parameter.in !== 'path') return documented;
  const id = idOfNobody(api, parameter, session.freshKey);
  if (id === undefined)
    throw new NotExercised(
      `parameters.${operation.id}.${parameter.name}`,
      `every value of ${parameter.name} that the document allows may exist`,
    );
  return id;
}

/** A guarded change names any version: else it is refused for that before its credential is checked. */
function named<Input extends SendOptions>(operation: Operation, input: Input): Input {
  if (policyFor(operation, 'conditional-write') === undefined) return input;
  return { ...input, headers: withVersion(input.headers ?? [], '*') };
}

/** A user and a password, where only tokens are credentials. */
const OTHER_SCHEME = ['Authorization', 'Basic dGFsbHlzdGljazp0YWxseXN0aWNr'] as const;

/**
 * A call of a resource that the suite has created: a server may answer 404 for any other one before it checks the
 * credential. A read that a list leads to needs no other.
 */
function ofMade(api: OwnApi, operation: Operation): readonly Scenario[] {
  const made = new MadeResources(api, operation);
  const isListed = pathParameters(operation).every(
    ({ name }) =>
      suppliersOf(api, operation, name).length > 0 || made.requests()[`make ${name}`] === undefined,
  );
  if ((isRead(operation) && isListed) || Object.keys(made.requests()).length === 0) return [];
  const rule = documentRule(operation, 'security');
  return [
    scenario({
      id: `document.${operation.id}.security.made`,
      api: api.name,
      title: `${operation.method.toUpperCase()} ${operation.path} without a credential, on a resource of the suite`,
      judges: [rule],
      permissions: ['negatives', 'writes'],
      severalCases: [rule],
      requests: {
        ...made.requests(),
        bare: api.plan(operation, { as: 'none', isInvalid: true }),
        ...(isByToken(operation) ? { empty: api.plan(operation, { as: 'unusable', isInvalid: true }) } : {}),
      },
      async *run(session: Session) {
        const input = named(operation, inputFor(api, operation, session, await made.values(session)));
        const seen = [await call(session, 'bare', operation, input)];
        if (isByToken(operation))
          seen.push(await session.send('empty', { ...input, credential: ['Authorization', 'Bearer'] }));
        for (const check of seen.map((one) => verdict(rule, one))) {
          if (check.outcome === 'inconclusive') throw new NotExercised('an opportunity', check.got);
          yield check;
        }
      },
    }),
  ];
}

/**
 * Whether a bearer token is the only credential: then the scheme name without a token is not a credential.
 */
function isByToken({ security }: Operation): boolean {
  return security.every(({ schemes }) =>
    schemes.some(({ type, scheme }) => type === 'http' && scheme?.toLowerCase() === 'bearer'),
  );
}

function verdict(rule: string, seen: Exchange): Check {
  const { status } = seen;
  const isRefused = status === 401 || status === 403 || (status >= 300 && status < 400 && status !== 304);
  if (isRefused || isSuccess(seen) || status === 304)
    return check(
      rule,
      seen,
      isRefused,
      'a refusal such as 401, because the document requires a valid credential',
      undefined,
      `${status} without a valid credential`,
    );
  const why = seen.answer === undefined ? 'nothing was sent' : `answered with ${status}`;
  return undecided(rule, seen, `${why} before the credential was checked`);
}
