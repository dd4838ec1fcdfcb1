import { contentOf, headerOf } from './build-content.ts';
import { entries, follow, type Found, list, record, schemaOf, text } from './document/document-objects.ts';
import { type ItemOperation, NEWER_STYLE, operationsIn } from './document/item-operations.ts';
import type {
  BehaviourSheet,
  Contract,
  Document,
  Incoming,
  JsonObject,
  Operation,
  Parameter,
  RequestBody,
  Response,
  SecurityRequirement,
  SecurityScheme,
  ServerObject,
} from './model.ts';
import { freeOperationId } from './document/operation-id.ts';
import { joinPointer } from './pointer.ts';
import type { Policy } from './policies/policy.ts';
import { roleOf } from './policies/resource.ts';

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
      schema: schemaOf(document, schema),
      pointer: joinPointer('/components/schemas', schemaName),
    })),
  };
}

// --- internal ---

function sameness({ name, operation: { method, requestBody } }: Incoming): string {
  const content = requestBody?.content.map(({ mediaType, schema }) => [mediaType, schema]);
  return JSON.stringify([name, method, content]);
}

class Reading {
  readonly #document: Document;
  readonly #policies: readonly Policy[];

  constructor(document: Document, sheet: BehaviourSheet | undefined) {
    this.#document = document;
    this.#policies = sheet?.policies ?? [];
  }

  operations(): Operation[] {
    const found = this.#paths().flatMap(([path, pathItem]) => {
      const item = follow(this.#document, pathItem, joinPointer('/paths', path));
      return operationsIn(item.value).map((operation) => ({ path, operation, item }));
    });
    const taken = new Set<unknown>(found.map(({ operation }) => record(operation.operation)['operationId']));
    return found.map(({ path, operation, item }) => this.#operation(path, operation, item, taken));
  }

  incoming(): Incoming[] {
    const webhooks = entries(this.#document.root['webhooks']).flatMap(([name, pathItem]) =>
      this.#requests('webhook', name, name, pathItem, joinPointer('/webhooks', name)),
    );
    const callbacks = this.#paths().flatMap(([path, pathItem]) => {
      const item = follow(this.#document, pathItem, joinPointer('/paths', path));
      return operationsIn(item.value).flatMap(({ operation, tokens }) => {
        const at = joinPointer(item.pointer, ...tokens, 'callbacks');
        return entries(operation['callbacks']).flatMap(([name, raw]) => {
          const callback = follow(this.#document, raw, joinPointer(at, name));
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

  /** The path items, without the extensions beside them. */
  #paths(): ReturnType<typeof entries> {
    return entries(this.#document.root['paths']).filter(([path]) => !path.startsWith('x-'));
  }

  #requests(kind: Incoming['kind'], name: string, path: string, raw: unknown, at: string): Incoming[] {
    const item = follow(this.#document, raw, at);
    return operationsIn(item.value).map((operation) => ({
      kind,
      name,
      operation: this.#operation(path, operation, item),
    }));
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
    const { value, pointer } = follow(this.#document, raw, at);
    const name = text(value['name']);
    const position = text(value['in']);
    if (name === undefined || !isPosition(position)) return undefined;
    // OpenAPI ignores header parameters with these three names: other parts of the document describe them.
    if (position === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) return undefined;
    const [content] = entries(value['content']);
    const written = text(value[NEWER_STYLE]) ?? text(value['style']);
    const style = written ?? (position === 'query' || position === 'cookie' ? 'form' : 'simple');
    return {
      name,
      in: position,
      required: value['required'] === true,
      deprecated: value['deprecated'] === true,
      description: text(value['description']),
      style,
      explode:
        typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form' || style === 'cookie',
      allowReserved: value['allowReserved'] === true,
      mediaType: content?.[0],
      schema: schemaOf(
        this.#document,
        content === undefined ? value['schema'] : record(content[1])['schema'],
      ),
      pointer,
    };
  }

  #requestBody(raw: unknown, at: string): RequestBody | undefined {
    if (raw === undefined) return undefined;
    const { value, pointer } = follow(this.#document, raw, at);
    return {
      required: value['required'] === true,
      description: text(value['description']),
      content: contentOf(this.#document, value['content'], pointer),
    };
  }

  #response(status: string, raw: unknown, at: string): Response {
    const { value, pointer } = follow(this.#document, raw, at);
    return {
      status,
      description: text(value['description']) ?? '',
      headers: entries(value['headers'])
        .filter(([name]) => name.toLowerCase() !== 'content-type')
        .map(([name, header]) =>
          headerOf(this.#document, name, header, joinPointer(pointer, 'headers', name)),
        ),
      content: contentOf(this.#document, value['content'], pointer),
      pointer,
    };
  }

  #security(requirements: unknown): SecurityRequirement[] {
    const schemes = record(record(this.#document.root['components'])['securitySchemes']);
    return list(requirements).map((requirement) => ({
      schemes: Object.keys(record(requirement)).flatMap((name) => {
        const scheme = follow(
          this.#document,
          schemes[name],
          joinPointer('/components/securitySchemes', name),
        ).value;
        return isSchemeType(scheme['type']) ? [securityScheme(name, scheme['type'], scheme)] : [];
      }),
    }));
  }
}

/** Addresses of WebSockets come last, because the client of an operation uses the first address. */
function serversOf(servers: unknown): ServerObject[] {
  const isSocket = (server: unknown): boolean => /^wss?:/i.test(text(record(server)['url']) ?? '');
  const all = list(servers);
  return [...all.filter((server) => !isSocket(server)), ...all.filter(isSocket)].flatMap((server) => {
    // A server URL is relative to that of the document, which is rarely known: it has https and is at the root.
    const url = text(record(server)['url'])
      ?.replace(/^\/\/(?=[^/])/, 'https://')
      .replace(/^(?![a-z][a-z\d+.-]*:|[/{])(?:\.{1,2}(?:\/|$))*/i, '/');
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
