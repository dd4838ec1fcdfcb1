// @ts-check
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom: the table of ARCHITECTURE.md. A folder may import itself and what is listed here.
 * @type {Record<string, string[]>}
 */
const mayImport = {
  contract: ['contract/policies'],
  'contract/policies': [],
  generator: ['contract', 'contract/policies'],
  'generator/runtime': ['contract/policies'],
  mock: ['contract', 'contract/policies'],
  conformance: ['contract'],
  cli: ['contract', 'generator', 'mock', 'conformance'],
  generated: [],
};

const folders = Object.keys(mayImport);

/** Subfolders that are rooms of their own inside the folder `parent`. */
const roomsInside = (parent) => folders.filter((folder) => folder.startsWith(`${parent}/`));

const zones = folders.flatMap((target) =>
  folders
    .filter((from) => from !== target && !mayImport[target].includes(from))
    // A room inside `target` is refused by its own zone; the enclosing folder must not refuse the room's own files.
    .filter((from) => !target.startsWith(`${from}/`) || !mayImport[target].includes(from))
    .map((from) => ({
      target: `./${target}/**/*`,
      from: `./${from}/**/*`,
      except: [],
      message: `${target}/ may import ${mayImport[target].join(', ') || 'nothing of the others'} (ARCHITECTURE.md, "Who may import whom").`,
    })),
);
void roomsInside;

/** Third parties that belong to one place only. @type {{ name: string, only: string[] }[]} */
const onlyIn = [];

export default tseslint.config(
  { ignores: ['dist/**', 'generated/**', 'node_modules/**', 'test/fixtures/**', 'coverage/**'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts'],
    plugins: { 'import-x': importX },
  },
);
void zones;
void onlyIn;
