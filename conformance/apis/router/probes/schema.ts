import { check, undecided } from '../../../check.ts';
import { isObject, member } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { NotExercised, resource, scenario } from '../../../scenario.ts';
import type { Check } from '../../../scenario.ts';
import { cut, sketch } from '../../../sketch.ts';
import { sketchRefusal } from './answers.ts';
import { anyModel, catalogue } from './catalogue.ts';
import { details } from './detail.ts';
import { bodySchemas, danglingReference, isFallback, openApiFault } from '../../../schema-document.ts';

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
    'router.schema.etag-format',
    'router.schema.is-openapi',
    'router.schema.refs-local',
    'router.schema.describes-body',
    'router.schema.model-id-ext',
    'router.schema.authored-bool',
    'router.schema.fallback-permissive',
    'router.detail.schema-url-vs-authored',
    'router.detail.schema-url-when-authored',
  ],
  uses: [catalogue, details, schemaDocuments],
  severalCases: [
    'router.schema.200',
    'router.schema.etag-format',
    'router.schema.is-openapi',
    'router.schema.refs-local',
    'router.schema.describes-body',
    'router.schema.model-id-ext',
    'router.schema.authored-bool',
    'router.schema.fallback-permissive',
    'router.detail.schema-url-vs-authored',
  ],
  requests: {},
  run: async function* (session) {
    await anyModel(session);
    const read = await session.obtain(details);
    const authored: Addressed[] = [];
    for (const { id, answer } of await session.obtain(schemaDocuments)) {
      const detail = read.find((one) => one.id === id)?.answer;
      // A model may have gone meanwhile. One that can be read has a document.
      if (answer.status !== 200 && detail?.status !== 200) {
        yield undecided('router.schema.200', answer, `neither the detail nor the schema of ${id} was served`);
        continue;
      }
      yield* judgeDocument(id, answer);
      if (detail?.status !== 200 || answer.status !== 200) continue;
      yield* judgeAddress(detail, answer);
      if (member(answer.json, 'x-service-input-schema-authored') === true)
        authored.push({ answers: [answer, detail], isThere: hasAddress(detail) });
    }
    yield* judgeAddresses(authored);
    throw new NotExercised('model.noSchema', 'needs model.noSchema: no model of the sample has the stand-in');
  },
});

function* judgeDocument(id: string, answer: Exchange): Generator<Check> {
  const { json: document } = answer;
  // Document 1, GET …/openapi.json, responses: 200 with X-Service-Request-Id, ETag and Cache-Control.
  const missing = ['X-Service-Request-Id', 'ETag', 'Cache-Control'].filter(
    (name) => answer.header(name) === undefined,
  );
  const complete = answer.status === 200 && missing.length === 0;
  const got =
    answer.status === 200 ? `200 without ${missing.join(', ') || 'nothing'}` : sketchRefusal(answer);
  yield check(
    'router.schema.200',
    answer,
    complete,
    '200 with X-Service-Request-Id, ETag and Cache-Control',
    complete ? '200' : got,
  );
  if (answer.status !== 200) return;

  // The same place, header If-None-Match, and RFC 9110, 8.8.3: a quoted tag, perhaps marked weak.
  const tag = answer.header('ETag');
  if (tag !== undefined) {
    const quoted = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag);
    yield check('router.schema.etag-format', answer, quoted, 'a quoted entity tag', `ETag: ${tag}`);
  }
  // Document 1, RouterModelInputSchemaDocument, first sentence: a standalone OpenAPI document.
  const fault = openApiFault(document);
  yield check(
    'router.schema.is-openapi',
    answer,
    fault === undefined,
    'a valid OpenAPI document of the version it states',
    fault ?? '200',
  );
  // The second sentence: what the body refers to is carried along.
  if (fault === undefined) {
    const dangling = danglingReference(document);
    yield check(
      'router.schema.refs-local',
      answer,
      dangling === undefined,
      'references that end in its own components',
      dangling ?? '200',
    );
  }
  if (!isObject(document)) return;
  // The table of extensions.
  const named = document['x-service-router-model-id'];
  yield check(
    'router.schema.model-id-ext',
    answer,
    named === id,
    `x-service-router-model-id ${id}`,
    sketch(named),
  );
  const authored = document['x-service-input-schema-authored'];
  yield check(
    'router.schema.authored-bool',
    answer,
    typeof authored === 'boolean',
    'a boolean x-service-input-schema-authored',
    sketch(authored),
  );
  const schemas = bodySchemas(document);
  if (fault === undefined) {
    // The first sentence: it describes the body that is accepted.
    yield check(
      'router.schema.describes-body',
      answer,
      schemas.length > 0,
      'an operation with a request body that has a schema',
      schemas.length > 0 ? '200' : 'no operation has one',
    );
  }
  if (authored === false && fault === undefined && schemas.length > 0) {
    const permissive = schemas.every((schema) => isFallback(document, schema));
    yield check(
      'router.schema.fallback-permissive',
      answer,
      permissive,
      'a body schema that takes any object',
      cut(sketch(schemas), 200),
    );
  }
}

/** Document 1, RouterModelDetail, row input_schema_url: absent when no schema is authored. Null is a rule of its own. */
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

/** The detail and the document of a model whose schema is authored. */
interface Addressed {
  readonly answers: readonly Exchange[];
  readonly isThere: boolean;
}

/**
 * The converse is an inference, and the member is not required: a server that shows no address of any authored schema is
 * noted, one that leaves out some is not.
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
