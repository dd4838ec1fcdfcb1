import { isJson } from '../judge/body-format.ts';
import type { Contract, Operation, Response, Schema } from '../model.ts';
import { partsOf, propertiesOf, propertyAt } from '../schemas/schema-parts.ts';

export type Declared = Pick<Contract, 'operations' | 'schemas' | 'document'>;

/** Looks up names of a sheet in the document. */
export class DeclaredFacts {
  readonly #declared: Declared;

  constructor(declared: Declared) {
    this.#declared = declared;
  }

  get all(): readonly Operation[] {
    return this.#declared.operations;
  }

  /** The document, in which references are followed. */
  get root(): Declared['document']['root'] {
    return this.#declared.document.root;
  }

  operations(ids: readonly string[]): readonly Operation[] {
    return this.all.filter(({ id }) => ids.includes(id));
  }

  /** The JSON bodies of answers whose status passes the filter. */
  bodies(operation: Operation, isMeant: (status: string) => boolean): readonly Schema[] {
    return operation.responses
      .filter(({ status }) => isMeant(status))
      .flatMap(({ content }) => content)
      .flatMap(({ mediaType, schema }) => (isJson(mediaType) && schema !== undefined ? [schema] : []));
  }

  requestBodies({ requestBody }: Operation): readonly Schema[] {
    return (requestBody?.content ?? []).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  }

  property({ schema, property }: { readonly schema: string; readonly property: string }): readonly Schema[] {
    return this.at(this.#declared.schemas.find(({ name }) => name === schema)?.schema, property);
  }

  at(schema: Schema | undefined, path: string): readonly Schema[] {
    return propertyAt(schema, path, this.#declared.document.root);
  }

  members(schema: Schema | undefined): readonly string[] {
    return propertiesOf(schema, this.#declared.document.root).map(([name]) => name);
  }

  /** The value of a keyword in the parts of a schema that apply to every value. */
  says(schema: Schema | undefined, keyword: string): readonly unknown[] {
    return [...partsOf(schema, this.#declared.document.root, 'all')].flatMap((part) =>
      Object.hasOwn(part, keyword) ? [part[keyword]] : [],
    );
  }

  /** Whether a schema allows null, in the words of OpenAPI 3.0 or 3.1. */
  allowsNull(schema: Schema | undefined): boolean {
    return [...partsOf(schema, this.#declared.document.root, 'any')].some(
      ({ type, nullable }) => [type].flat().includes('null') || nullable === true,
    );
  }

  /** The closed set of values, if the schema has one. */
  values(schema: Schema | undefined): readonly unknown[] {
    return [...this.says(schema, 'enum').flat(), ...this.says(schema, 'const')];
  }

  requires(schema: Schema | undefined, member: string): boolean {
    return this.says(schema, 'required').flat().includes(member);
  }

  schema(name: string): Schema | undefined {
    return this.#declared.schemas.find((schema) => schema.name === name)?.schema;
  }
}

/**
 * The answer that a document declares for a status: by the exact status, by its class such as `4XX`, or by
 * `default`.
 */
export function responseOf({ responses }: Operation, status: number): Response | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return [String(status), range, 'default'].flatMap(
    (wanted) => responses.find((response) => response.status.toUpperCase() === wanted.toUpperCase()) ?? [],
  )[0];
}

/** Whether `default` describes success, because the document declares no success by a status. */
export function isDefaultSuccess({ responses }: Pick<Operation, 'responses'>): boolean {
  return responses.every(({ status }) => !/^[123]/.test(status));
}

export const isSuccess = (status: string): boolean => status.startsWith('2');
