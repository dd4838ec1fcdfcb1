import type { JsonObject } from '../model.ts';
import { isRecord } from '../record.ts';
import { orNull } from '../schemas/dialect.ts';
import { type RepairedSchema, type TellSlip } from './schema-slip.ts';

/** Keywords of earlier drafts that have another name in JSON Schema 2020-12. */
export function repairOldKeywords(value: RepairedSchema, tell: TellSlip): void {
  const { items, dependencies } = value;
  const isTuple = Array.isArray(items) && (items.length > 1 || value['additionalItems'] !== undefined);
  if (isTuple && value['prefixItems'] === undefined) {
    value['prefixItems'] = items;
    delete value['items'];
    if (value['additionalItems'] !== undefined) value['items'] = value['additionalItems'];
    delete value['additionalItems'];
    tell('items as a list', 'items', 'items is a list', 'prefixItems, a schema for each position');
  }
  if (isRecord(dependencies)) {
    const [names, schemas]: [RepairedSchema, RepairedSchema] = [{}, {}];
    for (const [name, needed] of Object.entries(dependencies))
      (Array.isArray(needed) ? names : schemas)[name] = needed;
    delete value['dependencies'];
    for (const [keyword, found] of [
      ['dependentRequired', names],
      ['dependentSchemas', schemas],
    ] as const) {
      if (Object.keys(found).length > 0)
        value[keyword] = { ...found, ...(isRecord(value[keyword]) ? value[keyword] : {}) };
    }
    tell(
      'dependencies',
      'dependencies',
      'dependencies is a keyword of earlier drafts',
      'dependentRequired and dependentSchemas',
      'name',
    );
  }
  if (typeof value['id'] === 'string') {
    delete value['id'];
    tell(
      'id',
      'id',
      'id is a keyword of an earlier draft',
      'absent: references resolve against the file',
      'name',
    );
  }
  if (Object.hasOwn(value, '$recursiveAnchor')) {
    delete value['$recursiveAnchor'];
    tell(
      '$recursiveAnchor',
      '$recursiveAnchor',
      '$recursiveAnchor is a keyword of an earlier draft',
      'absent: what refers to it refers to this schema',
      'name',
    );
  }
}

/** In 3.1: `type: [string, 'null']`. */
export function repairNullable(value: RepairedSchema, tell: TellSlip): void {
  const { nullable } = value;
  if (typeof nullable !== 'boolean') return;
  const { nullable: _gone, ...rest } = value;
  if (nullable) {
    const read = orNull(rest as JsonObject) as JsonObject;
    for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
    Object.assign(value, read);
  } else delete value['nullable'];
  tell(
    'nullable in OpenAPI 3.1',
    'nullable',
    'OpenAPI 3.1 has no nullable',
    nullable ? 'null as one more type' : 'absent',
    'name',
  );
}
