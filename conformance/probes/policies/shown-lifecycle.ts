import { lifecycleOf, lifecyclesOf } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
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

/** Whether a success of an operation has a component of the document in its schema. */
export function showsSchema({ responses }: Operation, component: string): boolean {
  return responses.some(
    ({ status, content }) =>
      /^2/.test(status) && JSON.stringify(content).includes(`#/components/schemas/${component}"`),
  );
}
