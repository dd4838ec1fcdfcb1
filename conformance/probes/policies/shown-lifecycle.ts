import { lifecycleOf, lifecyclesOf } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertyAt } from '../../../contract/schemas/schema-parts.ts';
import type { OwnApi } from '../own-api.ts';

/** The lifecycle of what a read shows; the first one of the sheet if the document does not say. */
export function shownLifecycle(
  { contract }: OwnApi,
  reader: Operation | undefined,
): PolicyOf<'lifecycle'> | undefined {
  const schemas = (reader?.responses ?? [])
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content.map(({ schema }) => schema));
  const [found] = schemas.flatMap((schema) => lifecycleOf(contract, schema) ?? []);
  return found ?? lifecyclesOf(contract)[0];
}

/** The lifecycles of what a read shows, as the document describes it. */
export function lifecyclesShown({ contract }: OwnApi, reader: Operation): readonly PolicyOf<'lifecycle'>[] {
  return lifecyclesOf(contract).filter(({ schema }) => showsSchema(reader, schema));
}

/** Whether a component of the document is what a read shows, or what it has at the path of the thing. */
export function showsAsThing(
  api: OwnApi,
  { responses }: Operation,
  component: string,
  item: string | undefined,
): boolean {
  const wanted = followed(api.root, { $ref: `#/components/schemas/${component}` });
  return responses
    .filter(({ status }) => /^2/.test(status))
    .flatMap(({ content }) => content.map(({ schema }) => schema))
    .flatMap((schema): readonly (Schema | undefined)[] =>
      item === undefined ? [schema] : propertyAt(schema, item, api.root),
    )
    .some((schema) => followed(api.root, schema) === wanted);
}

/** Whether a success of an operation has a component of the document in its schema. */
export function showsSchema({ responses }: Operation, component: string): boolean {
  return responses.some(
    ({ status, content }) =>
      /^2/.test(status) && JSON.stringify(content).includes(`#/components/schemas/${component}"`),
  );
}
