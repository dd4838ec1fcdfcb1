import type { JsonObject } from '../model.ts';
import type { ValidatorError } from '../schemas/schema-findings.ts';

/**
 * The errors that swagger-parser finds in a document, which it may change. The validators with every error that the build
 * writes find the same.
 */
export async function errorsBySwaggerParser(document: JsonObject): Promise<readonly ValidatorError[]> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  try {
    await SwaggerParser.validate(document as unknown as Parameters<typeof SwaggerParser.validate>[0], {
      // References are already resolved: the library must neither open a file nor expand the document.
      resolve: { external: false, file: false, http: false },
      dereference: { circular: 'ignore', excludedPathMatcher: () => true },
      validate: { schema: true, spec: false },
    });
    return [];
  } catch (error) {
    return errorsIn(error);
  }
}

// --- internal ---

function errorsIn(error: unknown): readonly ValidatorError[] {
  if (error instanceof Error && 'details' in error && Array.isArray(error.details)) {
    return error.details as ValidatorError[];
  }
  const message = error instanceof Error ? error.message : String(error);
  return [{ instancePath: '', schemaPath: '#', keyword: 'openapi', params: {}, message }];
}
