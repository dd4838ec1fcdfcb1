import { randomUUID } from 'node:crypto';
import { bodiesOf, contentFor, type Bodies, type PlacedSchema } from '../../contract/judge/bodies.ts';
import { isJson } from '../../contract/judge/body-format.ts';
import type { Contract, MediaType, Response } from '../../contract/model.ts';
import { framingOf } from '../../contract/sequential/framing.ts';
import { eventKindsOf } from '../../contract/sequential/pieces.ts';
import { wireType } from '../../contract/schemas/wire-type.ts';
import { eventFault } from '../../engine/event-faults.ts';
import { withMembersOf } from '../../engine/form.ts';
import { valueOf } from '../../engine/wire-values.ts';
import { judgedParameters } from './judged-parameters.ts';
import { lifelike } from '../samples/lifelike.ts';
import { exampleBody, madeBody } from '../samples/piece-samples.ts';
import { schemaSample } from '../samples/schema-sample.ts';
import { structuredHeaders } from '../samples/structured-headers.ts';
import { isXml } from '../samples/xml.ts';
import type { ContractEngine, EngineFinding } from './engine.ts';

/**
 * The same engine, but JSON bodies are validated as JSON Schema 2020-12 by the contract's own judge, as in
 * generated guards. So are forms and parameters. A body whose schema cannot be used results in a warning, so
 * that it never passes silently. Generated answers look realistic, if the document accepts such an answer.
 */
export function withJudgedBodies(engine: ContractEngine, contract: Contract): ContractEngine {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const bodies = bodiesOf(contract);
  const withParameters = judgedParameters(contract);
  const { root } = contract.document;
  // Such a document configures the generation of values itself.
  let own: boolean | undefined;
  const isOwnGenerator = (): boolean =>
    (own ??= root['x-json-schema-faker'] !== undefined || JSON.stringify(root).includes('"x-faker"'));
  return {
    ...engine,
    checkRequest(operationId, request) {
      const inParameters = withParameters(operationId, request);
      const { bodyText: _text, body, form, headers, ...rest } = request;
      const type = headers['content-type'];
      const contents = operations.get(operationId)?.requestBody?.content ?? [];
      const isMarkup = body !== undefined && type !== undefined && isXml(type);
      const isRead = form !== undefined || isMarkup || (body !== undefined && mayBeJson(type));
      const content = isRead || typeof body === 'string' ? contentFor(contents, type) : undefined;
      const events =
        typeof body === 'string' && content !== undefined ? eventKindsOf(content, contract.document) : [];
      const value = isRead || events.length > 0 ? body : unreadText(body, content, contract);
      if (content === undefined || (!isRead && value === undefined))
        return [...engine.checkRequest(operationId, request, 'parameters'), ...inParameters];
      // Without the body, Prism would not validate the rest in the same way.
      const { 'content-length': _length, ...others } = headers;
      const bodiless = { ...rest, headers: others, body: undefined };
      const found = [...engine.checkRequest(operationId, bodiless, 'input'), ...inParameters];
      if (isMarkup) return [...found, UNJUDGED_XML];
      if (events.length > 0) return [...found, ...eventFindings(bodies, content, String(body))];
      if (value === UNREAD) return [...found, unjudged(`the body is ${String(type)}, and`)];
      if (form === undefined) return [...found, ...findingsIn(bodies, 'request', content, value)];
      if ('fault' in form) return [...found, { at: 'body', keyword: 'syntax', message: form.fault }];
      if ('items' in form) return [...found, ...itemFindings(bodies, content, form.items)];
      // Prism refuses signs in a form that the specification of HTML and the styles of OpenAPI write as they are.
      const inForm = findingsIn(bodies, 'request', content, form.value);
      if (form.otherwise === undefined || inForm.length === 0) return [...found, ...inForm];
      const names = new Set(inForm.map(({ at }) => at.split('.')[1] ?? ''));
      const other = withMembersOf(form.otherwise, form.value, names);
      const isOther = findingsIn(bodies, 'request', content, other).length === 0;
      return isOther ? found : [...found, ...inForm];
    },
    checkResponse(operationId, response) {
      const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
      const declared = responseFor(operations.get(operationId)?.responses ?? [], response.status);
      // Prism takes the text of pieces for one value.
      const isInPieces = type !== undefined && framingOf(type) !== undefined;
      if (isInPieces) return engine.checkResponse(operationId, response, 'body');
      const isJudged = type !== undefined && isJson(type) && response.body !== undefined;
      const content = isJudged ? contentFor(declared?.content ?? [], type) : undefined;
      // XML is text at this point: a schema cannot validate its value.
      const isMarkup = type !== undefined && isXml(type) && declared !== undefined;
      if (content === undefined)
        return engine.checkResponse(operationId, response, isMarkup ? 'body' : undefined);
      const inHeaders = engine.checkResponse(operationId, response, 'body');
      const found = findingsIn(bodies, 'response', content, response.body);
      return found.length === 0 ? inHeaders : [...found, ...inHeaders];
    },
    example(operationId, request, choice = {}) {
      const answer = engine.example(operationId, request, choice);
      const { headers: sought = [] } =
        responseFor(operations.get(operationId)?.responses ?? [], answer.status) ?? {};
      const made =
        answer.isRefusal === true
          ? answer
          : { ...answer, headers: [...answer.headers, ...structuredHeaders(sought, answer.headers, root)] };
      if (made.isRefusal === true) return made;
      const isWanted = choice.dynamic === true || choice.seed !== undefined;
      const type = made.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
      const declared = responseFor(operations.get(operationId)?.responses ?? [], made.status);
      const streamed = type === undefined ? undefined : contentFor(declared?.content ?? [], type);
      const pieces = streamed && bodies.piecesOf(streamed);
      if (pieces !== undefined && type !== undefined) {
        const seed = isWanted ? `${choice.seed ?? randomUUID()} ${operationId}` : operationId;
        const { text, mediaType } = made.generated
          ? madeBody(pieces, type, { root, bodies, seed })
          : exampleBody(made.body, pieces, type);
        const isType = (name: string): boolean => name.toLowerCase() === 'content-type';
        const headers = made.headers.map(
          ([name, value]) => [name, isType(name) ? mediaType : value] as const,
        );
        return { ...made, headers, body: text };
      }
      if (!made.generated) return made;
      const isJudged = type !== undefined && (isJson(type) || isPlainText(type));
      const content = isJudged ? contentFor(declared?.content ?? [], type) : undefined;
      if (content?.schema === undefined || type === undefined) return made;
      const { schema } = content;
      const fits = (body: unknown): boolean => findingsIn(bodies, 'response', content, body).length === 0;
      const real = (): unknown =>
        lifelike(schema, root, { seed: `${choice.seed ?? randomUUID()} ${operationId} ${request.path}` });
      const small = (): unknown => schemaSample(schema, root);
      // Prism checks less of a schema than the judge does. Its generated value is used if nothing else
      // matches better.
      const makers = isWanted
        ? isOwnGenerator()
          ? []
          : [real]
        : fits(made.body)
          ? []
          : [
              () => lifelike(schema, root, { seed: operationId, asStated: true }),
              () => lifelike(schema, root, { seed: operationId }),
              small,
              () => lifelike(schema, root, { seed: operationId, sparse: true }),
              // Conditions hold for some values and alternatives, not for others.
              ...BRANCHES.map(
                (branch) => () =>
                  lifelike(schema, root, {
                    seed: `${operationId} ${String(branch)}`,
                    sparse: true,
                    branch,
                  }),
              ),
            ];
      for (const make of makers) {
        const body = make();
        if (fits(body) && (typeof body === 'string' || isJson(type))) return { ...made, body };
      }
      return made;
    },
    unjudgeable: () => bodies.unjudgeable(),
  };
}

// --- internal ---

/** The alternatives that are tried, and with them that many seeds. */
const BRANCHES = [1, 2, 3, 4, 5, 6, 7];

function unjudged(what: string): EngineFinding {
  const message = `${what} is not judged by its schema`;
  return { at: 'body', keyword: 'unjudgeable', message, severity: 'warning' };
}

const UNJUDGED_XML = unjudged('the body is XML, and');

/** The value of a text that is an object or a list in a language that is not read, such as YAML. */
const UNREAD = Symbol('unread');

/**
 * The value of a text whose schema does not describe a text, such as a number as `text/plain`; `undefined` if the text
 * itself is the value.
 */
function unreadText(body: unknown, content: MediaType | undefined, { document }: Contract): unknown {
  if (typeof body !== 'string' || content?.schema === undefined) return undefined;
  const reads = wireType(content.schema, document);
  if (reads.kinds.includes('string') || reads.kinds.includes('bytes')) return undefined;
  const value = valueOf(body, reads);
  const isStructured = reads.kinds.includes('object') || reads.kinds.includes('array');
  return isStructured && typeof value === 'string' ? UNREAD : value;
}

function isPlainText(type: string): boolean {
  return /^text\/plain\b/i.test(type);
}

function mayBeJson(type: string | undefined): boolean {
  return type === undefined || isJson(type);
}

/** The response for a status: its own, that of its range, or the default. */
function responseFor(responses: readonly Response[], status: number): Response | undefined {
  const range = `${String(Math.floor(status / 100))}XX`;
  for (const wanted of [String(status), range, 'default']) {
    const found = responses.find((response) => response.status.toUpperCase() === wanted.toUpperCase());
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The faults of the first wrong event of a request. */
function eventFindings(bodies: Bodies, content: MediaType, text: string): readonly EngineFinding[] {
  const kinds = (bodies.piecesOf(content)?.kinds ?? []).map((kind) => ({
    ...kind,
    form: kind.form === 'json' ? ('json' as const) : ('text' as const),
  }));
  const judged = eventFault(text, kinds, {
    jsonDepth: JSON_DEPTH,
    judge: (kind, data) => {
      const found = kind.form === 'text' ? [] : bodies.judge('request', kind, data);
      return 'reason' in found || found.length === 0 ? { ok: true } : { ok: false, errors: found };
    },
  });
  return judged.ok
    ? []
    : judged.errors.map(({ pointer, message }) => ({
        at: `body${pointer.replaceAll('/', '.')}`,
        keyword: 'event',
        message,
      }));
}

const JSON_DEPTH = 100;

/** The schema of JSON values that follow one another describes each, or also all of them as a list. */
function itemFindings(
  bodies: Bodies,
  content: MediaType,
  items: readonly unknown[],
): readonly EngineFinding[] {
  const kind = bodies.piecesOf(content)?.kinds[0];
  if (kind === undefined) return [];
  const inItems = items.flatMap((item, index) =>
    findingsIn(bodies, 'request', kind, item).map((finding) => ({
      ...finding,
      at: finding.at.replace('body', `body.${String(index)}`),
    })),
  );
  const isOfEach = inItems.length > 0 || kind.schema === undefined || kind.schema === content.schema;
  return isOfEach ? inItems : findingsIn(bodies, 'request', content, items);
}

function findingsIn(
  bodies: Bodies,
  side: 'request' | 'response',
  content: PlacedSchema,
  value: unknown,
): readonly EngineFinding[] {
  const judged = bodies.judge(side, content, value);
  if ('reason' in judged) {
    const message = `the body cannot be judged by the schema at ${judged.pointer}: ${judged.reason}`;
    return [{ at: 'body', keyword: 'unjudgeable', message, severity: 'warning' }];
  }
  return judged.map(({ pointer, message, keyword }) => ({
    at: `body${pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}`,
    keyword,
    message,
  }));
}
