import type { Diagnostic, Document, JsonObject } from './model.ts';
import { problem } from './diagnostic-codes.ts';
import { schemaFrom30 } from './dialect.ts';
import { locateNear } from './locate.ts';
import { memberNamesAt } from './member-names.ts';
import { kindAt, walkObjects } from './object-kinds.ts';
import { type Finding, findingsFrom, type ValidatorError } from './schema-findings.ts';

/**
 * Judges a bundled document by the JSON Schema of its OpenAPI version, and its schemas by that of JSON Schema 2020-12.
 * What 3.0 does not know but 3.1 does, such as `type: 'null'`, is read as 3.1 reads it and only warned of.
 */
export async function validateDocument(
  document: Pick<Document, 'dialect' | 'root' | 'locate'>,
  report: (diagnostic: Diagnostic) => void,
): Promise<void> {
  const { root, dialect } = document;
  const place = (pointer: string) => ({ pointer, location: locateNear(document.locate, pointer) });
  const errors = await openApiErrors(root, dialect);
  const schemaFindings = await schemaErrors(root, dialect);
  const wrongSchemas = new Set(schemaFindings.map(({ within }) => within));
  for (const finding of findingsFrom(errors, root, { known: memberNamesAt })) {
    const within = schemaAround(finding.pointer);
    const details = { ...place(finding.pointer), help: finding.help };
    if (within === undefined) {
      report(problem('document-invalid', finding.message, details));
    } else if (dialect === '3.0' && !wrongSchemas.has(within)) {
      const help = finding.help ?? 'it is read as OpenAPI 3.1 would; say so by `openapi: 3.1.0`';
      report(problem('schema-not-3.0', `not OpenAPI 3.0: ${finding.message}`, { ...details, help }));
    }
  }
  for (const { message, help, pointer } of schemaFindings) {
    report(problem('schema-invalid', message, { ...place(pointer), help }));
  }
}

// --- internal ---

async function openApiErrors(
  root: JsonObject,
  dialect: Document['dialect'],
): Promise<readonly ValidatorError[]> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  // A copy of the outermost object: the library knows fewer patch versions than there are, and none that are to come.
  const api = { ...root, openapi: dialect === '3.0' ? '3.0.3' : '3.1.0' };
  try {
    await SwaggerParser.validate(api as unknown as Parameters<typeof SwaggerParser.validate>[0], {
      // Everything was resolved before: the library must neither open a file nor unfold the document.
      resolve: { external: false, file: false, http: false },
      dereference: { circular: 'ignore', excludedPathMatcher: () => true },
      validate: { schema: true, spec: false },
    });
    return [];
  } catch (error) {
    if (error instanceof Error && 'details' in error && Array.isArray(error.details)) {
      return error.details as ValidatorError[];
    }
    const message = error instanceof Error ? error.message : String(error);
    return [{ instancePath: '', schemaPath: '#', keyword: 'openapi', params: {}, message }];
  }
}

interface SchemaFinding extends Finding {
  /** The outermost schema that it was found in. */
  readonly within: string;
}

/** Every outermost schema, judged as JSON Schema 2020-12. */
async function schemaErrors(root: JsonObject, dialect: Document['dialect']): Promise<SchemaFinding[]> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  // The meta-schema itself and not the one that a schema names by `$schema`: documents do not choose their judge.
  const judge = ajv.getSchema('https://json-schema.org/draft/2020-12/schema');
  const found: SchemaFinding[] = [];
  for (const { kind, value, pointer, within } of walkObjects({
    kind: 'document',
    value: root,
    pointer: '',
  })) {
    if (judge === undefined || kind !== 'schema' || within === 'schema') continue;
    const schema = dialect === '3.0' ? schemaFrom30(value) : value;
    if (judge(schema) === true) continue;
    for (const finding of findingsFrom(judge.errors ?? [], schema, { at: pointer })) {
      found.push({ ...finding, within: pointer });
    }
  }
  return found;
}

/** The outermost schema that a pointer leads into. */
function schemaAround(pointer: string): string | undefined {
  for (let end = pointer.indexOf('/', 1); end !== -1; end = pointer.indexOf('/', end + 1)) {
    if (kindAt(pointer.slice(0, end)) === 'schema') return pointer.slice(0, end);
  }
  return kindAt(pointer) === 'schema' ? pointer : undefined;
}
