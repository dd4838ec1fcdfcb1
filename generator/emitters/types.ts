import type { GeneratedFile } from '../generated-file.ts';
import { code } from '../printing.ts';
import type { Api } from '../views/api.ts';
import { typeDeclarations } from '../views/types.ts';
import { type Output, printed } from './output.ts';

/** `types.ts`: a type for every schema of the document, and for what each operation takes and is answered with. */
export function emitTypes(api: Api, output: Output): GeneratedFile {
  const declarations = typeDeclarations(api).map((declaration) => code(output.types.declare(declaration)));
  return { path: `${api.folder}/types.ts`, text: printed(output, api, 'types', { declarations }) };
}
