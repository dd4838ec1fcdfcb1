/**
 * Input schemas that a server gives one by one, each as a document of its own (document 1, "GET …/openapi.json"). What
 * an id names is put into the path of both operations part by part.
 */
export interface ModelSchemasPolicy {
  readonly kind: 'model-schemas';
  /** Reads the document of one id. */
  readonly document: string;
  /** Takes the input that the document describes as its body. */
  readonly run: string;
  /** The path parameters that an id consists of, in order. */
  readonly parameters: readonly string[];
  readonly separator: string;
}

/** The path parameters of an id; `undefined` for text that has not one part for each. */
export function partsOfId(
  policy: Pick<ModelSchemasPolicy, 'parameters' | 'separator'>,
  id: string,
): Readonly<Record<string, string>> | undefined {
  const parts = id.split(policy.separator);
  if (parts.length !== policy.parameters.length || parts.includes('')) return undefined;
  return Object.fromEntries(policy.parameters.map((name, index) => [name, parts[index] ?? '']));
}
