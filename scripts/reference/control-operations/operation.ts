import type { JsonSchema } from '../json-schema.ts';

/** An operation of the control API. Bodies and answers are names of types, or schemas. */
export interface ControlOperation {
  readonly id: string;
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly body?: string | JsonSchema;
  /** Whether the body is optional. */
  readonly bodyIsOptional?: true;
  readonly answer: string | JsonSchema;
  /** Default: `application/json`. */
  readonly mediaType?: string;
}

export const anything: JsonSchema = { type: 'object' };
export const text: JsonSchema = { type: 'string' };
export const whole: JsonSchema = { type: 'integer', minimum: 0 };
export const members = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const of = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
