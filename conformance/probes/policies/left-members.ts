import { canonical } from '../../../contract/canonical-json.ts';
import type { Json, Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { isObject, member } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { optionalMembers } from './differing-members.ts';

/**
 * The members of an earlier body that a thing still shows, although the body that has taken its place lacks them and
 * nothing else can have set them.
 *
 * @param operation the one that took the later body; without it, members with a default are left out, which a server may
 * have set to the same value
 */
export function leftMembers(
  api: OwnApi,
  operation: Operation | undefined,
  {
    full,
    small,
    shown,
    schema,
  }: {
    readonly full: Json;
    readonly small: Json;
    readonly shown: unknown;
    readonly schema: Schema | undefined;
  },
): readonly string[] {
  const mayLack = [
    ...optionalMembers(api, schema),
    ...(operation === undefined ? [] : withDefaults(api, operation, full)),
    ...filledLists(full),
  ];
  return [...new Set(mayLack)].filter((name) => keeps(name, full, small, shown));
}

// --- internal ---

/** The lists of a body that have items: no server fills in the same ones by itself. */
function filledLists(body: Json): readonly string[] {
  const members = isObject(body) ? Object.entries(body) : [];
  return members.flatMap(([name, value]) => (Array.isArray(value) && value.length > 0 ? [name] : []));
}

/** The members with a default, if the body has another value for them. */
function withDefaults(api: OwnApi, operation: Operation, full: Json): readonly string[] {
  return propertiesOf(sentContent(operation)?.schema, api.root).flatMap(([name, schema]) => {
    const described = followed(api.root, schema);
    const hasDefault = isObject(described) && Object.hasOwn(described, 'default');
    return hasDefault && canonical(described['default']) !== canonical(member(full, name)) ? [name] : [];
  });
}

/** Whether a thing still shows a member of the earlier body that the latest body lacks. */
function keeps(name: string, full: Json, small: Json | undefined, shown: unknown): boolean {
  const before = member(full, name);
  return (
    before !== undefined &&
    member(small, name) === undefined &&
    JSON.stringify(member(shown, name)) === JSON.stringify(before)
  );
}
