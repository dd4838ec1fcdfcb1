/**
 * Input schemas that a server offers as one document per id (document 1, "GET …/openapi.json"). The parts of
 * an id fill the path parameters of both operations.
 */
export interface ModelSchemasPolicy {
  readonly kind: 'model-schemas';
  /** The operation that reads the document of one id. */
  readonly document: string;
  /** The operation whose body is the input that the document describes. */
  readonly run: string;
  /** The path parameters that make up an id, in order. */
  readonly parameters: readonly string[];
  readonly separator: string;
}

/** The path parameters of an id; `undefined` if the number of parts differs. */
export function partsOfId(
  policy: Pick<ModelSchemasPolicy, 'parameters' | 'separator'>,
  id: string,
): Readonly<Record<string, string>> | undefined {
  const parts = id.split(policy.separator);
  if (parts.length !== policy.parameters.length || parts.includes('')) return undefined;
  return Object.fromEntries(policy.parameters.map((name, index) => [name, parts[index] ?? '']));
}
