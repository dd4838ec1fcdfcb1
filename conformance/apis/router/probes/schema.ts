import { check, undecided } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { NotExercised, resource, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { bodySchemas, isFallback } from '../../../schemas/schema-document.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { sketchRefusal } from './answers.ts';
import { anyModel, catalogue } from './catalogue.ts';
import { details } from './detail.ts';

export interface SchemaDocument {
  readonly id: string;
  readonly answer: Exchange;
}

/** The schema documents of the models whose details are read. */
export const schemaDocuments = resource<readonly SchemaDocument[]>({
  id: 'router.schema-documents',
  api: 'router',
  uses: [details],
  requests: { document: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 20 } },
  obtain: async (session) => {
    const documents: SchemaDocument[] = [];
    for (const { id } of await session.obtain(details))
      documents.push({ id, answer: await session.send('document', { fill: { id } }) });
    return documents;
  },
});

export const sampledDocuments = scenario({
  id: 'router.schema.sample',
  api: 'router',
  title: 'schema documents of models of the catalogue',
  judges: [
    'router.schema.200',
    'router.detail.schema-url-vs-authored',
    'router.detail.schema-url-when-authored',
    'router.schema.authored-bool',
  ],
  uses: [catalogue, details, schemaDocuments],
  severalCases: ['router.schema.200', 'router.detail.schema-url-vs-authored'],
  // An oracle judges the member of each document.
  searches: ['router.schema.authored-bool'],
  requests: { again: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: 1 } },
  run: async function* (session) {
    await anyModel(session);
    const read = await session.obtain(details);
    const authored: Addressed[] = [];
    for (const { id, answer } of await session.obtain(schemaDocuments)) {
      const detail = read.find((one) => one.id === id)?.answer;
      // A model may have been removed meanwhile. A readable model has a document.
      if (answer.status !== 200 && detail?.status !== 200) {
        yield undecided('router.schema.200', answer, `neither the detail nor the schema of ${id} was served`);
        continue;
      }
      yield judgeServed(answer);
      if (detail?.status !== 200 || answer.status !== 200) continue;
      yield* judgeAddress(detail, answer);
      if (id === session.fixtures.model?.noSchema?.id) {
        yield* judgePlaceholder(detail, answer);
        // Reading the document changes nothing.
        const again = await session.send('again', { fill: { id } });
        if (again.status === 200) yield* judgeAddress(again, answer);
      }
      if (member(answer.json, 'x-service-input-schema-authored') === true)
        authored.push({ answers: [answer, detail], isThere: hasAddress(detail) });
    }
    yield* judgeAddresses(authored);
    throw new NotExercised(
      'model.noSchema',
      'needs model.noSchema: no model of the sample has the placeholder document',
    );
  },
});

/** Oracles judge the content of the document, in every answer. */
function judgeServed(answer: Exchange): Check {
  // Document 1, GET …/openapi.json, responses: 200 with X-Service-Request-Id, ETag and Cache-Control.
  const missing = ['X-Service-Request-Id', 'ETag', 'Cache-Control'].filter(
    (name) => answer.header(name) === undefined,
  );
  const complete = answer.status === 200 && missing.length === 0;
  const got =
    answer.status === 200 ? `200 without ${missing.join(', ') || 'nothing'}` : sketchRefusal(answer);
  return check(
    'router.schema.200',
    answer,
    complete,
    '200 with X-Service-Request-Id, ETag and Cache-Control',
    complete ? '200' : got,
  );
}

/**
 * Document 1, RouterModelDetail, row input_schema_url: absent when no schema is authored. A separate rule
 * covers null.
 */
function* judgeAddress(detail: Exchange, document: Exchange): Generator<Check> {
  const authored = member(document.json, 'x-service-input-schema-authored');
  if (authored === false) {
    const there = hasAddress(detail);
    yield check(
      'router.detail.schema-url-vs-authored',
      [document, detail],
      !there,
      'no input_schema_url',
      `authored false, input_schema_url ${there ? sketch(member(detail.json, 'input_schema_url')) : 'absent'}`,
    );
  }
}

/**
 * Document 1, RouterModelInputSchemaDocument, row x-service-input-schema-authored: false for the placeholder. The
 * fixtures name a model without a schema. If it has one by now, its document or its detail shows that.
 */
function* judgePlaceholder(detail: Exchange, document: Exchange): Generator<Check> {
  const { json } = document;
  const schemas = bodySchemas(json);
  if (schemas.length === 0 || !schemas.every((schema) => isFallback(json, schema)) || hasAddress(detail))
    return;
  const authored = member(json, 'x-service-input-schema-authored');
  yield check(
    'router.schema.authored-bool',
    [detail, document],
    authored === false,
    'x-service-input-schema-authored false, for a schema that accepts any object and has no address',
    sketch(authored),
  );
}

/** The detail and the document of a model with an authored schema. */
interface Addressed {
  readonly answers: readonly Exchange[];
  readonly isThere: boolean;
}

/**
 * The converse is an inference, and the member is optional: a server that shows no address of any authored
 * schema is noted; one that omits some is not.
 */
function* judgeAddresses(authored: readonly Addressed[]): Generator<Check> {
  const [first] = authored;
  if (first === undefined) return;
  const some = authored.find(({ isThere }) => isThere) ?? first;
  yield check(
    'router.detail.schema-url-when-authored',
    some.answers,
    some.isThere,
    'an input_schema_url',
    some.isThere ? 'there' : `absent from ${authored.length} details whose schema is authored`,
  );
}

function hasAddress(detail: Exchange): boolean {
  const url = member(detail.json, 'input_schema_url');
  return url !== undefined && url !== null && url !== '';
}
