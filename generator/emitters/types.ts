import type { GeneratedFile } from '../generated-file.ts';
import { code } from '../printing.ts';
import { isPlatform, renamedShape } from '../schemas/type-shape.ts';
import type { ApiView } from '../views/api.ts';
import { withSharedForms } from '../views/shared-forms.ts';
import { typeDeclarations } from '../views/types.ts';
import { type Output, printed } from './output.ts';

/**
 * `types.ts`: a type for every schema of the document, and for the input and the answers of each operation.
 */
export function emitTypes(api: ApiView, output: Output): GeneratedFile {
  const { claimType, publicName, taken } = api.names;
  const shared = withSharedForms(typeDeclarations(api), (wish) => claimType(wish));
  const own = taken();
  // In this module, types of the document have their public names, and a type of the platform with the same
  // name is referred to through `globalThis`.
  const named = (name: string): string => (isPlatform(name) ? platformName(name, own) : publicName(name));
  const declarations = shared.map((declaration) => {
    const shape = own.size === 0 ? declaration.shape : renamedShape(declaration.shape, named);
    return code(output.types.declare({ ...declaration, name: publicName(declaration.name), shape }));
  });
  return { path: `${api.folder}/types.ts`, text: printed(output, api, 'types', { declarations }) };
}

// --- internal ---

/** `Blob` as `globalThis.Blob`, if the document has a type with that name. */
function platformName(text: string, taken: ReadonlySet<string>): string {
  return text.replace(/(?<![\w'"])[A-Z]\w*/g, (name) => (taken.has(name) ? `globalThis.${name}` : name));
}
