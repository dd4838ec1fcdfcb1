import type { Json, Schema } from '../../contract/index.ts';
import { isObject } from '../schemas/read-schema.ts';
import { genericShape, literalShape, namedShape, saysSomething, unionShape } from '../schemas/type-shape.ts';
import type { ApiContent, ApiEvent } from './api.ts';

/** The type of the content of an answer, as a shape: forms are not split into their members. */
export function answeredShape(content: ApiContent, shape: (schema: Schema) => Json): Json {
  if (content.bodyFormat === 'form') return { type: 'string' };
  return content.bodyFormat === 'multipart' ? namedShape('Blob') : contentShape(content, shape);
}

/** The type of a content, as a shape. */
export function contentShape(content: ApiContent, shape: (schema: Schema) => Json): Json {
  switch (content.bodyFormat) {
    case 'text':
    case 'events':
      return { type: 'string' };
    case 'binary':
      return namedShape('Blob');
    case 'lines':
    case 'sequence':
    case 'parts':
      return { type: 'x-array', 'x-item': itemShape(content, shape) };
    default:
      return content.schema === undefined ? true : shape(content.schema);
  }
}

/** The type of an item of a body whose items follow one another. */
export function itemShape(
  { schema, part }: Pick<ApiContent, 'schema' | 'part'>,
  shape: (schema: Schema) => Json,
): Json {
  if (part === 'bytes') return namedShape('Blob');
  if (schema === undefined) return part === 'text' ? { type: 'string' } : true;
  return shape(schema);
}

/**
 * The events of a stream; those that the document does not describe have data that is text.
 *
 * @param type the generic type of one event
 */
export function eventShape(
  events: readonly ApiEvent[],
  shape: (schema: Schema) => Json,
  type = 'TypedEvent',
): Json {
  const any: ApiEvent = { names: undefined, data: undefined };
  return unionShape(
    (events.length === 0 ? [any] : events).map(({ names, data }) =>
      genericShape(
        type,
        data === undefined ? { type: 'string' } : shape(data),
        ...(names === undefined ? [] : [literalShape(names)]),
      ),
    ),
  );
}

/** The shape of an object with these members. */
export function objectOf(members: readonly [string, Json][], required: readonly string[]): Json {
  return members.length === 0
    ? { type: 'object' }
    : { type: 'object', properties: Object.fromEntries(members), required };
}

/** An optional member may also be `undefined`, regardless of the compiler's options. */
export function optionalIf(optional: boolean, shape: Json, comment: readonly string[]): Json {
  return commented(optional ? anyOrUnion([shape, namedShape('undefined')]) : shape, comment);
}

/** Only an object can carry a comment. */
export function commented(shape: Json, comment: readonly string[]): Json {
  const object = isObject(shape) ? shape : namedShape(shape === false ? 'never' : 'unknown');
  return { ...(Object.keys(object).length === 0 ? namedShape('unknown') : object), 'x-comment': comment };
}

/** A union; any value if one of the shapes allows any. */
export function anyOrUnion(shapes: readonly Json[]): Json {
  return shapes.every((shape) => saysSomething(shape)) ? unionShape(shapes) : true;
}
