/** The only reader of a contract: turns a document and its behaviour sheet into data. */
import type { Diff } from './diff/change.ts';
import type { LoadOptions, LoadResult } from './load.ts';
import type { Contract } from './model.ts';

export type * from './model.ts';
export type { LoadOptions, LoadResult, SourceText } from './load.ts';
export type { Change, Diff, Effect, Effects, Judgement, Party, Place } from './diff/change.ts';
export type { ChangeKind } from './diff/kinds.ts';
export { boundedPattern, type Matcher } from './judge/bounded-pattern.ts';
export { TookTooLong } from './judge/bounded-run.ts';
export { renderDiagnostics, type RenderOptions } from './diagnostics/diagnostics.ts';
export { findPolicy, pagesPolicyOf, policyFor, type PolicyOf } from './sheet/find-policy.ts';
export { ContractError, loadOwnContract, ownContractNames, type OwnContractName } from './own-contracts.ts';
export { misfitOf, type Form, type FormMisfit } from './form.ts';
export { idPlace } from './sheet/id-place.ts';
export { keyPlaceOf } from './sheet/key-place.ts';
export { mainSchemeOf, placeOfScheme, placesTogether, type CredentialPlace } from './main-scheme.ts';
export { isFar, shownPlace } from './text/locate.ts';
export { packageRoot } from './package-root.ts';
export {
  escapeHtml,
  escapeMarkdown,
  escapeXml,
  markdownBlock,
  markdownCode,
  shellWord,
  unseenCharacters,
  visible,
  visibleJson,
  visibleLines,
  visibleStrings,
  withoutWorkflowCommands,
  workflowMessage,
  workflowProperty,
} from './plain-text.ts';
export { overrideMisfit, overridesOf, turnsOf, type Turn } from './sheet/open-points.ts';
export { anyMayBeCostly, mayBeCostly } from './judge/pattern-cost.ts';
export { lifecycleOf, lifecyclesOf } from './sheet/lifecycle-of.ts';
export { isAbout, isOfAnother, usualRules } from './sheet/policy-rules.ts';
export { joinPointer, localPointer, parsePointer, valueAt } from './pointer.ts';
export { readText, type ReadFile } from './text/read.ts';
export { isRecord } from './record.ts';
export { suggest } from './diagnostics/suggest.ts';

/** Reads a document and its sheet. Collects all problems; never throws for a fault in the user's files. */
export async function loadContract(options: LoadOptions): Promise<LoadResult> {
  // The readers are loaded with the first document, so that importing the types has no cost.
  const load = await import('./load.ts');
  return load.loadContract(options);
}

/** The changes from one contract to another, with their effects on callers and servers. Pure. */
export async function diffContracts(old: Contract, contract: Contract): Promise<Diff> {
  const diff = await import('./diff/diff.ts');
  return diff.diffContracts(old, contract);
}
export { shellLine, typed } from './diagnostics/typed-command.ts';
export { sharedPaths } from './document/shared-paths.ts';
export { type Choice, isChosen, requireKnownOperations, UnknownOperationError } from './document/narrow.ts';
