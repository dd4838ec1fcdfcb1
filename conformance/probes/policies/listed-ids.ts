import type { Operation, Schema } from '../../../contract/model.ts';
import { partsOf, propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import type { OwnApi } from '../own-api.ts';
import { responseFor } from '../own-api.ts';

/** Whether the items of a list have the member with the id, as far as the document describes them. */
export function listsIds(
  { root }: OwnApi,
  list: Operation,
  status: number,
  member: string | undefined,
): boolean {
  const schemas = (responseFor(list, status)?.content ?? []).map(({ schema }) => schema);
  const lists = schemas.flatMap((schema): (Schema | undefined)[] => [
    schema,
    ...propertiesOf(schema, root).map(([, inner]) => inner),
  ]);
  const items = lists
    .flatMap((inner) => [...partsOf(inner, root, 'any')])
    .map((part) => part['items'] as Schema | undefined)
    .filter((item) => item !== undefined);
  const described = items.map((item) => propertiesOf(item, root)).filter(({ length }) => length > 0);
  return described.length === 0 || described.some((members) => members.some(([name]) => name === member));
}
