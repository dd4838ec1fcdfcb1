import { InvalidArgumentError } from 'commander';
import { ownContractNames } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { loadCarried, loadForeign } from './own-contracts.ts';
import { sheetBeside } from './sheet-beside.ts';

/** A user's own document, with its sheet if that is in another folder. */
export interface OwnDocument {
  readonly document: string;
  readonly sheet: string | undefined;
  /** OpenAPI Overlays that correct it. */
  readonly overlays?: readonly string[];
}

/** Option parser: `document` or `document,sheet`. */
export function ownDocument(text: string): OwnDocument {
  const [, document, sheet] = /^([^,]+)(?:,([^,]+))?$/.exec(text) ?? [];
  if (document === undefined) throw new InvalidArgumentError('Expected DOCUMENT or DOCUMENT,SHEET.');
  return { document, sheet };
}

/** What a command line or a configuration says about the contracts of a command. */
export interface JudgedFlags {
  readonly api?: readonly string[];
  readonly contract?: OwnDocument;
  readonly overlay?: readonly string[];
}

/**
 * A user's own document with the overlays of the command line, which replace those of the configuration.
 *
 * @throws {CommandFailure} for an overlay without a document
 */
export function ownOf({ contract, overlay }: JudgedFlags): OwnDocument | undefined {
  if (overlay === undefined) return contract;
  if (contract !== undefined) return { ...contract, overlays: overlay };
  throw new CommandFailure(2, '--overlay needs an OpenAPI document of your own', [
    'name it with --contract, such as --contract my.yaml',
  ]);
}

/** The same, as a user types it. */
export function asTyped({ document, sheet }: OwnDocument): string {
  return sheet === undefined ? document : `${document},${sheet}`;
}

/**
 * The contracts of a run: the user's own, or the built-in ones with these names, or all built-in ones.
 *
 * @throws {Failure} when a document is not valid; its diagnostics have been printed by then
 */
export async function loadJudged(flags: JudgedFlags, context: Context): Promise<readonly Contract[]> {
  const { api: names } = flags;
  const own = ownOf(flags);
  if (own !== undefined) return [await loadOwn(own, context)];
  const contracts = await loadCarried(names);
  if (names !== undefined) return contracts;
  const { planConformance } = await import('../../conformance/index.ts');
  const { scenarios } = planConformance({ contracts, baseUrl: 'http://localhost' });
  const judged = new Set(scenarios.map(({ api }) => api));
  return contracts.filter(({ name }) => judged.has(name));
}

// --- internal ---

async function loadOwn({ document, sheet, overlays }: OwnDocument, context: Context): Promise<Contract> {
  const { nameOf } = await import('../../contract/load.ts');
  const used = sheet ?? sheetBeside(document, context.cwd);
  const name = nameOf(document);
  return loadForeign(
    {
      document,
      ...(overlays === undefined ? {} : { overlays }),
      // A built-in name selects its probes.
      name: ownContractNames.some((own) => own === name) ? `own-${name}` : name,
      ...(used === undefined ? {} : { sheet: used }),
    },
    context,
  );
}
