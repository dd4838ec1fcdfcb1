import type {
  ServedContent,
  ServedEvent,
  ServedHeader,
  ServedMember,
  ServedOperation,
} from '../../engine/served-api.ts';
import { bodyFormatOf, isBodiless, isJson, orderedContents } from '../judge/body-format.ts';
import { answerFormatOf, eventKindsOf, listOfValues, piecesOf } from '../sequential/pieces.ts';
import { findPolicy } from '../sheet/find-policy.ts';
import type { Contract, MediaType, Operation } from '../model.ts';
import { schemaNames } from './served-schemas.ts';
import { allowsAnyText, isText, UNKNOWN_PART, wireType } from '../schemas/wire-type.ts';
import { withoutGaps } from '../sheet/without-gaps.ts';

/** The body of a request. The first content is the default, unless the caller chooses another one. */
export function servedBody(contract: Contract, operation: Operation): ServedOperation['body'] {
  const { requestBody } = operation;
  if (requestBody === undefined || requestBody.content.length === 0) return undefined;
  return {
    required: requestBody.required && !isBodiless(operation.method),
    contents: orderedContents(requestBody.content).map((content) => {
      const served = servedContent(content, schemaNames.body(operation, content));
      if (listOfValues(content, contract.document) !== undefined)
        return { ...served, schema: schemaNames.values(operation, content) };
      const events = servedEvents(contract, operation, content);
      if (events.length > 0) return { ...served, events };
      const isForm = served.bodyFormat === 'form' || served.bodyFormat === 'multipart';
      return isForm ? { ...served, ...servedForm(contract, content, served.bodyFormat) } : served;
    }),
  };
}

/** The content of an answer. */
export function answeredContent(contract: Contract, content: MediaType, name: string): ServedContent {
  const bodyFormat = answerFormatOf(content, contract.document);
  if (bodyFormat !== 'parts') return servedContent(content, name);
  const [kind] = piecesOf(content, contract.document)?.kinds ?? [];
  const partType = kind?.mediaType ?? (kind && PART_TYPES[kind.form]);
  return withoutGaps<ServedContent>({ mediaType: content.mediaType, bodyFormat, partType });
}

/** By status: the declared headers that handlers provide, if their values can be invalid. */
export function servedHeaders(contract: Contract, operation: Operation): ServedOperation['responseHeaders'] {
  const isOwn = isOwnHeader(contract);
  const statuses = operation.responses.flatMap(({ status, headers }) => {
    const served = headers
      .filter(({ name, required, schema }) => !isOwn(name) && (required || !allowsAnyText(schema)))
      .map((header) => {
        const { name, required, explode, mediaType, schema } = header;
        const reads = wireType(schema, contract.document);
        return withoutGaps<ServedHeader>({
          name,
          required: required ? true : undefined,
          style: mediaType !== undefined && isJson(mediaType) ? 'json' : undefined,
          explode: explode ? true : undefined,
          reads: isText(reads) ? undefined : reads,
          schema: allowsAnyText(schema) ? undefined : schemaNames.header(operation, status, header),
        });
      });
    return served.length === 0 ? [] : [[status, served] as const];
  });
  return statuses.length === 0 ? undefined : Object.fromEntries(statuses);
}

/** The headers that the engine sends itself for every operation, so that no handler has to. */
export function isOwnHeader(contract: Contract): (name: string) => boolean {
  const key = findPolicy(contract, 'idempotency');
  const own = [
    findPolicy(contract, 'headers')?.requestId,
    findPolicy(contract, 'error-buckets')?.header,
    key?.mode === 'replay' ? key.replayHeader?.name : undefined,
    ...OF_THE_TRANSPORT,
  ].map((name) => name?.toLowerCase());
  return (name) => own.includes(name.toLowerCase());
}

// --- internal ---

/** The content of a body: its format, and the name of its schema if it is validated. */
function servedContent({ mediaType, schema }: MediaType, name: string): ServedContent {
  const bodyFormat = bodyFormatOf(mediaType, schema);
  const isJudged = ['json', 'form', 'multipart'].includes(bodyFormat) && schema !== undefined;
  return withoutGaps<ServedContent>({
    mediaType,
    bodyFormat,
    schema: isJudged ? name : undefined,
  });
}

/** The kinds of the events of a request. Any value is valid where a schema allows it. */
function servedEvents(contract: Contract, operation: Operation, content: MediaType): readonly ServedEvent[] {
  return eventKindsOf(content, contract.document).map(({ form, names, schema }, index) =>
    withoutGaps<ServedEvent>({
      form: form === 'json' ? 'json' : 'text',
      names,
      schema:
        form !== 'json' || schema === undefined || schema === true
          ? undefined
          : schemaNames.event(operation, content, index),
    }),
  );
}

const PART_TYPES = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  bytes: 'application/octet-stream',
};

const OF_THE_TRANSPORT = ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** How the members of a form are parsed. */
function servedForm(
  { document }: Contract,
  { schema, encoding }: MediaType,
  bodyFormat: ServedContent['bodyFormat'],
): Partial<ServedContent> {
  const unknown = bodyFormat === 'multipart' ? UNKNOWN_PART : undefined;
  const reads = wireType(schema, document, BODY_DEPTH, unknown);
  const members = encoding.flatMap(({ name, style, explode, contentType }): [string, ServedMember][] => {
    if (style !== undefined) return [[name, { style, explode }]];
    // In multipart, each item of a list is a part with the media type; in a urlencoded form the list is one
    // value.
    const isFile = reads.members?.[name]?.kinds.every((kind) => kind === 'bytes') === true;
    const isJsonText = contentType !== undefined && isJson(contentType) && !isFile;
    return isJsonText ? [[name, { style: 'json', explode: bodyFormat === 'multipart' }]] : [];
  });
  return {
    ...((reads.members ?? reads.rest ?? reads.items) === undefined ? {} : { reads }),
    ...(members.length === 0 ? {} : { members: Object.fromEntries(members) }),
  };
}

/** The members of a form, and the members inside them. */
const BODY_DEPTH = 5;
