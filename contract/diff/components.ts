import { joinPointer } from '../pointer.ts';
import type { ChangeCollector } from './change-collector.ts';

/**
 * Compares the schemas of components by name. Each is a type in generated code, even if no operation uses it.
 */
export function compareComponents(ledger: ChangeCollector): void {
  const [before, after] = [ledger.old, ledger.new].map(
    ({ schemas }) => new Map(schemas.map((schema) => [schema.name, schema])),
  );
  const at = '/components/schemas';
  for (const [name, { pointer, schema }] of before ?? []) {
    const found = after?.get(name);
    if (found === undefined)
      ledger.add({
        ...{ kind: 'schema-removed', callers: 'code', servers: 'code' },
        says: `the schema ${name} is gone`,
        ...{ before: pointer, after: at },
      });
    else if (!ledger.hasCompared(name))
      ledger.compare(
        { schema, pointer },
        { schema: found.schema, pointer: found.pointer },
        { direction: 'request', sender: 'callers', isUnused: true },
        name,
        undefined,
      );
  }
  for (const [name] of after ?? [])
    if (before?.has(name) !== true)
      ledger.add({
        kind: 'schema-added',
        says: `the schema ${name} is new`,
        ...{ before: at, after: joinPointer(at, name) },
      });
}
