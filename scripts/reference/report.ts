import { typeSchemas } from './type-schemas.ts';
import { type JsonSchema, schemaSection } from './json-schema.ts';
import { code, page, writtenFrom } from './markdown.ts';

/** The JSON Schema of `report.json`, from its types. */
export function reportSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'tallystick report',
    $ref: '#/definitions/Report',
    definitions: definitions(),
  };
}

export function reportPage(): string {
  const { Report = {}, ...others } = definitions();
  return page(
    writtenFrom(code(FILE)),
    '# Report format',
    '`tallystick conform` writes `report.json`; `tallystick conform report` prints the other forms from it. The JSON Schema is [report.schema.json](report.schema.json). A reader ignores members that it does not know.',
    schemaSection('## Report', Report, others),
    ...Object.entries(others).map(([name, schema]) => schemaSection(`## ${name}`, schema, others)),
  );
}

// --- internal ---

const FILE = 'conformance/verdicts/report.ts';
let made: Readonly<Record<string, JsonSchema>> | undefined;

function definitions(): Readonly<Record<string, JsonSchema>> {
  made ??= typeSchemas(['Report']);
  return made;
}
