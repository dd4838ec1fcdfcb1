import type { Json, Schema } from '../../contract/index.ts';
import { prose } from '../printing.ts';
import { commentOf } from '../schemas/comments.ts';
import { namedShape } from '../schemas/type-shape.ts';
import type { ApiView, ApiIncoming, ApiOperation, ApiResponse } from './api.ts';
import { headersOf } from './headers.ts';
import { inputShape, parameterMember, sentShape } from './input-shape.ts';
import { shaper } from './schema-shapes.ts';
import { answeredShape, anyOrUnion, commented, contentShape, objectOf } from './shapes.ts';

/** A type to declare: its name, its shape, and its comment. */
export interface Declaration {
  readonly name: string;
  readonly shape: Json;
  readonly comment: readonly string[];
  /**
   * Declared as an alias even if it is a plain object, because only an alias is assignable to a record type.
   */
  readonly isAlias?: true;
}

/** All types of an API, in the order in which they are printed. */
export function typeDeclarations(api: ApiView): Declaration[] {
  const shape = shaper(api);
  return [
    ...api.table.entries.map(({ name, schema }) => ({
      name,
      shape: shape(schema),
      comment: commentOf(schema),
    })),
    ...api.operations.flatMap((operation) => [
      ...ofOperation(api, operation, shape),
      ...headersDeclaration(api, operation),
    ]),
    ...api.incoming.map((incoming) => ofIncoming(incoming, shape)),
  ];
}

// --- internal ---

function ofOperation(api: ApiView, operation: ApiOperation, shape: (schema: Schema) => Json): Declaration[] {
  const { member: name, parameters, body, responses } = operation;
  const members = parameters.map((parameter) => parameterMember(parameter, shape));
  const required = parameters.filter(({ parameter }) => parameter.required).map(({ member }) => member);
  return [
    ...(body === undefined
      ? []
      : [
          {
            name: operation.bodyType,
            shape: sentShape(body.content, shape),
            comment: [`What \`${name}\` sends.`],
          },
        ]),
    ...(members.length === 0 && body === undefined
      ? []
      : [
          {
            name: operation.parametersType,
            shape: inputShape(operation, members, required, shape, api.table),
            comment: [`What \`${name}\` takes.`],
            isAlias: true as const,
          },
        ]),
    {
      name: operation.responsesType,
      shape: objectOf(
        responses.map((response): [string, Json] => [response.status, responseMember(response, shape)]),
        responses.map(({ status }) => status),
      ),
      comment: [`What \`${name}\` is answered with, by status.`],
    },
  ];
}

function ofIncoming(
  { incoming, bodyType, content }: ApiIncoming,
  shape: (schema: Schema) => Json,
): Declaration {
  const { kind, name, operation } = incoming;
  const words = prose(operation.description ?? operation.summary);
  return {
    name: bodyType,
    shape: contentShape(content, shape),
    comment: [
      ...(words.length === 0 ? [] : [...words, '']),
      `What the ${kind} \`${prose(name).join('')}\` sends by ${operation.method.toUpperCase()}.`,
      ...(operation.deprecated ? ['@deprecated'] : []),
    ],
  };
}

function headersDeclaration(api: ApiView, operation: ApiOperation): Declaration[] {
  const known = headersOf(api, operation);
  if (known.length === 0) return [];
  const members = known.map(({ status, headers }): [string, Json] => [
    status,
    objectOf(
      headers.map(({ name, shape, comment }) => [name, commented(shape, comment)]),
      headers.map(({ name }) => name),
    ),
  ]);
  return [
    {
      name: operation.headersType,
      shape: objectOf(
        members,
        members.map(([status]) => status),
      ),
      comment: [`The headers that answers to \`${operation.member}\` are known to have, by status.`],
    },
  ];
}

function responseMember(response: ApiResponse, shape: (schema: Schema) => Json): Json {
  const bodies = response.contents.map((content) => answeredShape(content, shape));
  return commented(
    bodies.length === 0 ? namedShape('undefined') : anyOrUnion(bodies),
    prose(response.description),
  );
}
