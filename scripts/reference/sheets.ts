import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import type { Policy } from '../../contract/policies/policy.ts';
import { policyCases } from '../../contract/sheet/policy-cases.ts';
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
    '[One guide](../guides/behaviour.md) builds a sheet step by step, [another](../guides/write-a-sheet.md) goes through the policies by what you want to say. Editors complete and check a sheet by its JSON Schema: `# yaml-language-server: $schema=node_modules/tallystick/specs/behaviour.schema.json`.',
    section('## The sheet', schema),
    section('## rule', $defs['rule'] ?? {}),
    section('## unspecified', $defs['unspecified'] ?? {}),
    '## policy',
    'Each policy has a `kind`, which decides its other members. A rule is judged by the cases that it names in `case`. Most cases have a rule without one in the sheet, the usual one, whose words are in the tables here. A part of another case is judged with it, unless the sheet has a rule for the part.',
    ...kinds.flatMap(([, definition]) => {
      const kind = kindOf(definition) ?? '';
      return [section(`### ${kind}`, definition), ...casesOf(kind as Policy['kind'])];
    }),
    '## Shared shapes',
    ...shared.map(([name, definition]) => section(`### ${name}`, definition)),
  );
}

// --- internal ---

const FILE = 'specs/behaviour.schema.json';

interface SheetSchema extends JsonSchema {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

/** What is promised in each case of a kind of policy. */
function casesOf(kind: Policy['kind']): readonly string[] {
  const rows = Object.entries(policyCases[kind] ?? {}).map(
    ([name, { says, partOf }]) =>
      `| ${code(name)} | ${prose(says)} | ${partOf === undefined ? '' : code(partOf)} |`,
  );
  return rows.length === 0
    ? []
    : [['| case | is promised | part of |', '| --- | --- | --- |', ...rows].join('\n')];
}

function kindOf({ properties }: JsonSchema): string | undefined {
  const kind = properties?.['kind']?.const;
  return typeof kind === 'string' ? kind : undefined;
}
