const row = { $ref: '#/components/schemas/Row' };
const answered = (mediaType: string, described: object): object => ({
  responses: { 200: { description: 'ok', content: { [mediaType]: described } } },
});
const event = (properties: object, required: readonly string[] = ['data']): object => ({
  type: 'object',
  required,
  properties,
});
const EVENTS = 'text/event-stream';

/** A stream in each form in which a document can describe one, as OpenAPI 3.2 and as frameworks print them. */
export const streamsDocument = {
  openapi: '3.2.0',
  info: { title: 'Streams', version: '1' },
  paths: Object.fromEntries(
    Object.entries({
      lines: answered('application/jsonl', { itemSchema: row }),
      sequence: answered('application/json-seq', { itemSchema: row }),
      listed: answered(EVENTS, { schema: { type: 'array', items: row } }),
      printed: answered(EVENTS, {
        schema: event({ event: { const: 'message' }, data: row }, ['event', 'data']),
      }),
      referred: answered(EVENTS, { itemSchema: { $ref: '#/components/schemas/Told' } }),
      either: answered(EVENTS, {
        itemSchema: {
          ...event({ event: { type: 'string' }, data: { type: 'string' } }, ['event', 'data']),
          oneOf: [
            {
              properties: {
                event: { const: 'add' },
                data: { contentMediaType: 'application/json', contentSchema: row },
              },
            },
            { properties: { event: { const: 'say' } } },
          ],
        },
      }),
      texts: answered(EVENTS, { itemSchema: event({ data: { type: 'string' } }) }),
      parts: answered('multipart/mixed', { itemSchema: row }),
      notes: answered('multipart/mixed', { schema: { type: 'array', items: { type: 'string' } } }),
      images: answered('multipart/mixed', { itemSchema: {}, itemEncoding: { contentType: 'image/png' } }),
      opaque: answered(EVENTS, { schema: { type: 'string' } }),
    }).map(([operationId, operation]) => [`/${operationId}`, { get: { operationId, ...operation } }]),
  ),
  components: {
    schemas: {
      Row: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
      Told: event({
        event: { type: 'string' },
        data: { type: 'string', contentMediaType: 'application/json', contentSchema: row },
      }),
    },
  },
};
