import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import { type JsonSchema, schemaSection } from './json-schema.ts';
import { code, page, prose, writtenFrom } from './markdown.ts';

/** Behaviour sheets: the three lists, a section for each kind of policy, and their common shapes. */
export function sheetsPage(): string {
  const schema = JSON.parse(readFileSync(join(packageRoot(), FILE), 'utf8')) as SheetSchema;
  const { $defs } = schema;
  const kinds = Object.entries($defs).filter(([, definition]) => kindOf(definition) !== undefined);
  const shared = Object.entries($defs).filter(
    ([name, definition]) =>
      kindOf(definition) === undefined && !['rule', 'unspecified', 'policy'].includes(name),
  );
  const section = (heading: string, definition: JsonSchema): string =>
    schemaSection(heading, definition, $defs);
  return page(
    writtenFrom(code(FILE)),
    '# Behaviour sheets',
    prose(schema.description ?? ''),
    'The [guide](../guides/behaviour.md) shows how to write one. Editors complete and check a sheet by its JSON Schema: `# yaml-language-server: $schema=node_modules/tallystick/specs/behaviour.schema.json`.',
    section('## The sheet', schema),
    section('## rule', $defs['rule'] ?? {}),
    section('## unspecified', $defs['unspecified'] ?? {}),
    '## policy',
    'Each policy has a `kind`, which decides its other members.',
    ...kinds.map(([, definition]) => section(`### ${kindOf(definition) ?? ''}`, definition)),
    '## Shared shapes',
    ...shared.map(([name, definition]) => section(`### ${name}`, definition)),
  );
}

// --- internal ---

const FILE = 'specs/behaviour.schema.json';

interface SheetSchema extends JsonSchema {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

function kindOf({ properties }: JsonSchema): string | undefined {
  const kind = properties?.['kind']?.const;
  return typeof kind === 'string' ? kind : undefined;
}
