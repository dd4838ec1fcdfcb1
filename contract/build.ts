import { isJson, isUnchanged } from './body-format.ts';
import { schemaFrom30 } from './dialect.ts';
import type {
  BehaviourSheet,
  Contract,
  Document,
  Incoming,
  Json,
  JsonObject,
  MediaType,
  MemberEncoding,
  Operation,
  Parameter,
  RequestBody,
  Response,
  ResponseHeader,
  Schema,
  SecurityRequirement,
  SecurityScheme,
  ServerObject,
} from './model.ts';
import { isRecord } from './record.ts';
import { type ItemOperation, operationsIn } from './item-operations.ts';
import { joinPointer, valueAt } from './pointer.ts';
import type { Policy } from './policies/policy.ts';
import { roleOf } from './policies/resource.ts';
import { partsOf, propertiesOf } from './schema-parts.ts';

/**
 * Combines a document and its sheet into a contract. The document has been validated before; a part that is
 * missing nevertheless is left out, not guessed. Pure.
 */
export function buildContract(name: string, document: Document, sheet: BehaviourSheet | undefined): Contract {
  const reading = new Reading(document, sheet);
  const info = record(document.root['info']);
  return {
    name,
    title: text(info['title']) ?? name,
    version: text(info['version']) ?? '',
    document,
    sheet,
    operations: reading.operations(),
    servers: serversOf(document.root['servers']),
    incoming: reading.incoming(),
    schemas: entries(record(document.root['components'])['schemas']).map(([schemaName, schema]) => ({
      name: schemaName,
      schema: reading.schema(schema),
      pointer: joinPointer('/components/schemas', schemaName),
    })),
  };
}

/** The id for an operation without an `operationId`, such as `get_models_id` for `GET /models/{id}`. */
export function operationIdOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method, ...words].join('_');
}

/** Like `operationIdOf`, but avoids the ids that are taken, and marks the new one as taken. */
export function freeOperationId(method: string, path: string, taken: Set<unknown>): string {
  const wanted = operationIdOf(method, path);
  let id = wanted;
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}_${String(count)}`;
  taken.add(id);
  return id;
}

// --- internal ---

function sameness({ name, operation: { method, requestBody } }: Incoming): string {
  const content = requestBody?.content.map(({ mediaType, schema }) => [mediaType, schema]);
  return JSON.stringify([name, method, content]);
}

/** An object of the document, and its place after references are followed. */
interface Found {
  readonly value: JsonObject;
  readonly pointer: string;
}

class Reading {
  readonly #document: Document;
  readonly #policies: readonly Policy[];

  constructor(document: Document, sheet: BehaviourSheet | undefined) {
    this.#document = document;
    this.#policies = sheet?.policies ?? [];
  }

  operations(): Operation[] {
    const found = entries(this.#document.root['paths']).flatMap(([path, pathItem]) => {
      const item = this.#follow(pathItem, joinPointer('/paths', path));
      return operationsIn(item.value).map((operation) => ({ path, operation, item }));
    });
    const taken = new Set<unknown>(found.map(({ operation }) => record(operation.operation)['operationId']));
    return found.map(({ path, operation, item }) => this.#operation(path, operation, item, taken));
  }

  incoming(): Incoming[] {
    const webhooks = entries(this.#document.root['webhooks']).flatMap(([name, pathItem]) =>
      this.#requests('webhook', name, name, pathItem, joinPointer('/webhooks', name)),
    );
    const callbacks = entries(this.#document.root['paths']).flatMap(([path, pathItem]) => {
      const item = this.#follow(pathItem, joinPointer('/paths', path));
      return operationsIn(item.value).flatMap(({ operation, tokens }) => {
        const at = joinPointer(item.pointer, ...tokens, 'callbacks');
        return entries(operation['callbacks']).flatMap(([name, raw]) => {
          const callback = this.#follow(raw, joinPointer(at, name));
          return entries(callback.value)
            .filter(([expression]) => !expression.startsWith('x-'))
            .flatMap(([expression, inner]) =>
              this.#requests('callback', name, expression, inner, joinPointer(callback.pointer, expression)),
            );
        });
      });
    });
    // A callback that several operations refer to counts once, even if the bundle has copies of it.
    const distinct = new Map(callbacks.map((callback) => [sameness(callback), callback]));
    return [...webhooks, ...distinct.values()];
  }

  #requests(kind: Incoming['kind'], name: string, path: string, raw: unknown, at: string): Incoming[] {
    const item = this.#follow(raw, at);
    return operationsIn(item.value).map((operation) => ({
      kind,
      name,
      operation: this.#operation(path, operation, item),
    }));
  }

  schema(schema: unknown): Schema {
    if (this.#document.dialect === '3.0') return schemaFrom30(schema);
    return typeof schema === 'boolean' || isRecord(schema) ? (schema as Schema) : {};
  }

  #operation(
    path: string,
    { method, operation: value, tokens }: ItemOperation,
    item: Found,
    taken = new Set<unknown>(),
  ): Operation {
    const operation = value as JsonObject;
    const pointer = joinPointer(item.pointer, ...tokens);
    const id = text(operation['operationId']) ?? freeOperationId(method, path, taken);
    return {
      id,
      method,
      path,
      pointer,
      summary: text(operation['summary']) ?? text(item.value['summary']),
      description: text(operation['description']) ?? text(item.value['description']),
      deprecated: operation['deprecated'] === true,
      tags: list(operation['tags']).filter((tag) => typeof tag === 'string'),
      parameters: this.#parameters(item, { value: operation, pointer }),
      requestBody: this.#requestBody(operation['requestBody'], joinPointer(pointer, 'requestBody')),
      responses: entries(operation['responses'])
        .filter(([status]) => !status.startsWith('x-'))
        .map(([status, response]) =>
          this.#response(status, response, joinPointer(pointer, 'responses', status)),
        ),
      servers: serversOf(operation['servers'] ?? item.value['servers']),
      security: this.#security(operation['security'] ?? this.#document.root['security']),
      policies: this.#policies.filter((policy) => concerns(policy, id)),
    };
  }

  /** A parameter of an operation overrides the path's parameter with the same name and position. */
  #parameters(item: Found, operation: Found): Parameter[] {
    const found = new Map<string, Parameter>();
    for (const { value, pointer } of [item, operation]) {
      list(value['parameters']).forEach((parameter, index) => {
        const read = this.#parameter(parameter, joinPointer(pointer, 'parameters', index));
        if (read === undefined) return;
        // Header names are case-insensitive.
        const name = read.in === 'header' ? read.name.toLowerCase() : read.name;
        found.set(`${read.in} ${name}`, read);
      });
    }
    return [...found.values()];
  }

  #parameter(raw: unknown, at: string): Parameter | undefined {
    const { value, pointer } = this.#follow(raw, at);
    const name = text(value['name']);
    const position = text(value['in']);
    if (name === undefined || !isPosition(position)) return undefined;
    // OpenAPI ignores header parameters with these three names: other parts of the document describe them.
    if (position === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) return undefined;
    const [content] = entries(value['content']);
    const style = text(value['style']) ?? (position === 'query' || position === 'cookie' ? 'form' : 'simple');
    return {
      name,
      in: position,
      required: value['required'] === true,
      deprecated: value['deprecated'] === true,
      description: text(value['description']),
      style,
      explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
      allowReserved: value['allowReserved'] === true,
      mediaType: content?.[0],
      schema: this.schema(content === undefined ? value['schema'] : record(content[1])['schema']),
      pointer,
    };
  }

  #requestBody(raw: unknown, at: string): RequestBody | undefined {
    if (raw === undefined) return undefined;
    const { value, pointer } = this.#follow(raw, at);
    return {
      required: value['required'] === true,
      description: text(value['description']),
      content: this.#content(value['content'], pointer),
    };
  }

  #response(status: string, raw: unknown, at: string): Response {
    const { value, pointer } = this.#follow(raw, at);
    return {
      status,
      description: text(value['description']) ?? '',
      headers: entries(value['headers'])
        .filter(([name]) => name.toLowerCase() !== 'content-type')
        .map(([name, header]) => this.#header(name, header, joinPointer(pointer, 'headers', name))),
      content: this.#content(value['content'], pointer),
      pointer,
    };
  }

  #header(name: string, raw: unknown, at: string): ResponseHeader {
    const { value } = this.#follow(raw, at);
    const [content] = entries(value['content']);
    return {
      name,
      required: value['required'] === true,
      description: text(value['description']),
      explode: value['explode'] === true,
      mediaType: content?.[0],
      schema: this.schema(content === undefined ? value['schema'] : record(content[1])['schema']),
    };
  }

  #content(content: unknown, at: string): MediaType[] {
    return entries(content).map(([mediaType, raw]) => {
      const pointer = joinPointer(at, 'content', mediaType);
      const value = record(raw);
      return {
        mediaType,
        schema: value['schema'] === undefined ? undefined : this.schema(value['schema']),
        encoding: this.#encoding(mediaType, value),
        pointer,
        examples: this.#examples(value, pointer),
      };
    });
  }

  /** OpenAPI 3.0 allows styles only in urlencoded forms, 3.1 also in parts of `multipart/form-data`. */
  #encoding(mediaType: string, { encoding, schema }: JsonObject): MemberEncoding[] {
    const isForm = /^\s*application\/x-www-form-urlencoded/i.test(mediaType);
    const isFormData = /^\s*multipart\/form-data/i.test(mediaType);
    const hasStyles = isForm || (this.#document.dialect !== '3.0' && isFormData);
    // The generated code writes these two from the media type and the name of the part.
    const isOwn = (header: string): boolean =>
      /^content-type$/i.test(header) || (isFormData && /^content-disposition$/i.test(header));
    const typed = /^\s*multipart\//i.test(mediaType)
      ? this.#typedParts(schema as Schema | undefined)
      : new Map<string, string>();
    const named = new Map<string, Json>([...typed.keys()].map((name) => [name, {}]));
    for (const [name, raw] of entries(encoding)) named.set(name, raw);
    return [...named].map(([name, raw]) => {
      const value = record(raw);
      const isStyled =
        hasStyles && ['style', 'explode', 'allowReserved'].some((member) => value[member] !== undefined);
      const style = text(value['style']) ?? 'form';
      return {
        name,
        contentType: text(value['contentType']) ?? (isStyled ? undefined : typed.get(name)),
        style: isStyled ? style : undefined,
        explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
        allowReserved: value['allowReserved'] === true,
        headers: /^\s*multipart\//i.test(mediaType)
          ? entries(value['headers'])
              .filter(([header]) => !isOwn(header))
              .map(([header, described]) => this.#header(header, described, ''))
          : [],
      };
    });
  }

  /**
   * The media types that schemas give to parts: `contentMediaType` without an encoding as text. Text that is JSON is
   * left out, because a part of JSON is a value.
   */
  #typedParts(schema: Schema | undefined): ReadonlyMap<string, string> {
    const { root } = this.#document;
    const typeIn = (part: Schema, depth = 0): string | undefined => {
      for (const { contentMediaType, contentEncoding, items } of partsOf(part, root, 'all')) {
        if (typeof contentMediaType === 'string')
          return isUnchanged(contentEncoding) && !isJson(contentMediaType) ? contentMediaType : undefined;
        if (items !== undefined && depth === 0) return typeIn(items as Schema, 1);
      }
      return undefined;
    };
    return new Map(
      propertiesOf(schema, root).flatMap(([name, part]) => {
        const type = typeIn(part);
        return type === undefined ? [] : [[name, type] as const];
      }),
    );
  }

  #examples(mediaType: JsonObject, pointer: string): { name: string; value: Json }[] {
    const named = entries(mediaType['examples']).flatMap(([name, raw]) => {
      const example = this.#follow(raw, joinPointer(pointer, 'examples', name)).value;
      return example['value'] === undefined ? [] : [{ name, value: example['value'] }];
    });
    return mediaType['example'] === undefined
      ? named
      : [{ name: 'example', value: mediaType['example'] }, ...named];
  }

  #security(requirements: unknown): SecurityRequirement[] {
    const schemes = record(record(this.#document.root['components'])['securitySchemes']);
    return list(requirements).map((requirement) => ({
      schemes: Object.keys(record(requirement)).flatMap((name) => {
        const scheme = this.#follow(schemes[name], joinPointer('/components/securitySchemes', name)).value;
        return isSchemeType(scheme['type']) ? [securityScheme(name, scheme['type'], scheme)] : [];
      }),
    }));
  }

  /** References were checked when the document was loaded: none of them is dangling or circular. */
  #follow(raw: unknown, at: string): Found {
    let value = record(raw);
    let pointer = at;
    for (let reference = value['$ref']; typeof reference === 'string'; reference = value['$ref']) {
      pointer = pointerOf(reference);
      value = record(valueAt(this.#document.root, pointer));
    }
    return { value, pointer };
  }
}

function pointerOf(reference: string): string {
  return decodeURIComponent(reference.replace(/^#/, ''));
}

/** Addresses of WebSockets come last, because the client of an operation uses the first address. */
function serversOf(servers: unknown): ServerObject[] {
  const isSocket = (server: unknown): boolean => /^wss?:/i.test(text(record(server)['url']) ?? '');
  const all = list(servers);
  return [...all.filter((server) => !isSocket(server)), ...all.filter(isSocket)].flatMap((server) => {
    // A server URL without a scheme inherits that of the document, whose own URL is rarely known.
    const url = text(record(server)['url'])?.replace(/^\/\/(?=[^/])/, 'https://');
    if (url === undefined) return [];
    const variables = entries(record(server)['variables']).map(([name, raw]) => {
      const variable = record(raw);
      return {
        name,
        default: String(variable['default'] ?? ''),
        values: list(variable['enum']).filter((value) => typeof value === 'string'),
        description: text(variable['description']),
      };
    });
    return [{ url, variables }];
  });
}

/** A policy that names operations applies to these; a policy without names applies to all. */
function concerns(policy: Policy, operation: string): boolean {
  if (policy.kind === 'resource') return roleOf(policy, operation) !== undefined;
  return !('operations' in policy) || policy.operations.includes(operation);
}

function securityScheme(name: string, type: SecurityScheme['type'], scheme: JsonObject): SecurityScheme {
  const position = scheme['in'];
  return {
    name,
    type,
    in: position === 'header' || position === 'query' || position === 'cookie' ? position : undefined,
    parameterName: type === 'apiKey' ? text(scheme['name']) : undefined,
    scheme: text(scheme['scheme'])?.toLowerCase(),
  };
}

function isPosition(position: string | undefined): position is Parameter['in'] {
  return position === 'path' || position === 'query' || position === 'header' || position === 'cookie';
}

function isSchemeType(type: unknown): type is SecurityScheme['type'] {
  return ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'].includes(String(type));
}

function record(value: unknown): JsonObject {
  return isRecord(value) ? (value as JsonObject) : {};
}

function entries(value: unknown): [string, Json][] {
  return Object.entries(record(value));
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
