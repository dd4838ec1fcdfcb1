import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { headerOf, isObject, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import {
  bodySchemas,
  danglingReference,
  isFallback,
  openApiFault,
} from '../../../schemas/schema-document.ts';
import { validatorOf } from '../../../schemas/schema-validator.ts';
import { cut, sketch } from '../../../exchanges/sketch.ts';
import { operationOf } from '../wire/operation.ts';

const RULES = {
  openapi: 'router.schema.is-openapi',
  references: 'router.schema.refs-local',
  authored: 'router.schema.authored-bool',
  describes: 'router.schema.describes-body',
  fallback: 'router.schema.fallback-permissive',
  matched: 'router.schema.inm-304',
  enforced: 'router.run.schema-is-enforced',
} as const;

/** The latest document of a model that describes its input. */
interface Served {
  readonly id: string;
  readonly endedAt: number;
  readonly text: string;
  readonly isValid: ((input: unknown) => boolean | undefined) | undefined;
}

/**
 * Document 1, RouterModelInputSchemaDocument and GET …/openapi.json: every document, and every input that was
 * accepted meanwhile.
 */
function follow(): Look {
  const served = new Map<string, Served>();
  return function* look(exchange) {
    const asked = operationOf(exchange);
    if (asked === undefined || asked.is === 'list' || exchange.status !== 200) return;
    const model = `${asked.provider}/${asked.model}`;
    if (asked.is === 'schema') {
      yield* unlessUnreadable(exchange, Object.values(RULES), lookAtDocument(exchange));
      const before = served.get(model);
      const now = served.size < MOST_MODELS || before !== undefined ? servedBy(exchange, before) : undefined;
      if (now !== undefined) served.set(model, now);
    }
    if (asked.is === 'run') yield* lookAtInput(exchange, served.get(model));
  };
}

function* lookAtDocument(exchange: Exchange): Generator<Check> {
  const { json: document } = exchange;
  // RFC 9110, 13.1.2: a document with the requested tag is not sent.
  const asked: readonly string[] =
    headerOf(exchange.request.headers, 'If-None-Match')?.match(/"[^"]*"/g) ?? [];
  const tag = exchange.header('ETag');
  if (tag !== undefined && asked.includes(tag.replace(/^W\//, '')))
    yield check(RULES.matched, exchange, false, 'status 304', `200 with the tag that was sent, ${tag}`);
  // The first sentence: a standalone OpenAPI document.
  const fault = openApiFault(document);
  const expected = 'a valid OpenAPI document of the version it states';
  yield check(RULES.openapi, exchange, fault === undefined, expected, fault ?? '200');
  if (!isObject(document)) return;
  // The table of extensions.
  const authored = document['x-service-input-schema-authored'];
  const isFlag = typeof authored === 'boolean';
  yield check(
    RULES.authored,
    exchange,
    isFlag,
    'a boolean x-service-input-schema-authored',
    sketch(authored),
  );
  if (fault !== undefined) return;
  // The second sentence: targets of the body's references are included.
  const dangling = danglingReference(document);
  yield check(
    RULES.references,
    exchange,
    dangling === undefined,
    'references that end in its own components',
    dangling ?? '200',
  );
  // The first sentence: it describes the accepted body.
  const schemas = bodySchemas(document);
  yield check(
    RULES.describes,
    exchange,
    schemas.length > 0,
    'an operation with a request body that has a schema',
    schemas.length > 0 ? '200' : 'no operation has one',
  );
  if (authored !== false || schemas.length === 0) return;
  const permissive = schemas.every((schema) => isFallback(document, schema));
  yield check(
    RULES.fallback,
    exchange,
    permissive,
    'a body schema that accepts any object',
    cut(sketch(schemas), 200),
  );
}

/**
 * The call is validated against the document, so an accepted input matches it. Documents are rebuilt at
 * times, and the later one may differ.
 */
function* lookAtInput(exchange: Exchange, served: Served | undefined): Generator<Check> {
  if (served?.isValid === undefined || served.endedAt > exchange.startedAt) return;
  if (exchange.startedAt - served.endedAt > FRESH_MS || exchange.header('Idempotent-Replayed') !== undefined)
    return;
  const input = parseJson(new TextDecoder().decode(exchange.request.body));
  if (input === undefined || served.isValid(input) !== false) return;
  const made = check(
    RULES.enforced,
    exchange,
    false,
    'a refusal of what the served document does not allow',
    '200',
  );
  yield { ...made, exchanges: [...made.exchanges, served.id] };
}

export const documents: Oracle = { api: 'router', judges: Object.values(RULES), follow };

// --- internal ---

const MOST_MODELS = 200;
const FRESH_MS = 60_000;

/** Compiled once for each text. If a document has several bodies, it is uncertain which one applies. */
function servedBy({ id, endedAt, bytes, json }: Exchange, before: Served | undefined): Served | undefined {
  const text = new TextDecoder('latin1').decode(bytes);
  if (text === before?.text) return { ...before, id, endedAt };
  const schemas = openApiFault(json) === undefined ? bodySchemas(json) : [];
  const [schema] = schemas;
  const isAuthored = member(json, 'x-service-input-schema-authored') === true;
  const isValid = isAuthored && schemas.length === 1 ? validatorOf(json, schema) : undefined;
  return { id, endedAt, text, isValid };
}
