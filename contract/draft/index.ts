import { stringify } from 'yaml';
import { locateNear, shownPlace } from '../text/locate.ts';
import { disagreementsOf } from '../sheet/sheet-agreement.ts';
import type { Contract } from '../model.ts';
import type { Policy } from '../policies/policy.ts';
import { draftHeaders } from './headers.ts';
import { draftPages } from './pages.ts';
import type { Proposal } from './proposal.ts';
import { draftResources } from './resources.ts';
import { draftStates } from './states.ts';
import { draftUnique } from './unique.ts';

export type { Proposal } from './proposal.ts';

/**
 * The policies that a document suggests, in document order. Equal proposals from several operations are
 * merged.
 */
export function proposalsOf(contract: Contract): readonly Proposal[] {
  const all = [draftResources, draftUnique, draftPages, draftHeaders, draftStates].flatMap((draft) => [
    ...draft(contract),
  ]);
  const merged = new Map<string, Proposal>();
  for (const proposal of all.map((one) => checked(one, contract))) {
    const key = JSON.stringify([
      { ...proposal.policy, operations: namesOf(proposal.policy) && 0 },
      proposal.doubt ?? '',
    ]);
    const before = merged.get(key);
    merged.set(key, before === undefined ? proposal : together(before, proposal));
  }
  return [...merged.values()];
}

/**
 * A behaviour sheet with these proposals, as YAML. A comment gives the reasons for each proposal, with their
 * places. A doubtful proposal is commented out.
 *
 * @param schema the address of the JSON Schema of sheets, for editors
 */
export function draftText(contract: Contract, proposals: readonly Proposal[], schema: string): string {
  const sure = proposals.some(({ doubt }) => doubt === undefined);
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    `# A draft, made from ${contract.document.file}. Read each policy, correct it, and remove the # of the correct ones.`,
    stringify({ api: contract.name, contract: contract.version || '1', document: 1 }, QUOTES).trimEnd(),
    sure ? 'policies:' : 'policies: []',
  ];
  const parts = proposals.map((proposal) => partOf(contract, proposal));
  return `${[...head, ...parts, 'rules: []', 'unspecified: []'].join('\n')}\n`;
}

// --- internal ---

const QUOTES = { singleQuote: true, lineWidth: 120 } as const;

/** A proposal that the document contradicts is doubtful: `sheet check` would refuse it. */
function checked(proposal: Proposal, contract: Contract): Proposal {
  if (proposal.doubt !== undefined) return proposal;
  const found = disagreementsOf(proposal.policy, [], contract).find(({ kind }) => kind === undefined);
  return found === undefined ? proposal : { ...proposal, doubt: found.message };
}

function partOf({ document }: Contract, { policy, reasons, doubt }: Proposal): string {
  const lines = reasons.slice(0, MOST_REASONS).map(({ says, pointer }) => {
    const place = locateNear(document.locate, pointer);
    const where = place === undefined ? pointer : shownPlace(place);
    return `  # ${oneLine(says)} (${oneLine(where)})`;
  });
  const more = reasons.length - lines.length;
  if (more > 0) lines.push(`  # and ${String(more)} more like these`);
  if (doubt !== undefined) lines.push(`  # To say: ${oneLine(doubt)}.`);
  const text = stringify([policy], QUOTES).trimEnd().split('\n');
  return [...lines, ...text.map((line) => (doubt === undefined ? `  ${line}` : `  # ${line}`))].join('\n');
}

const MOST_REASONS = 8;

/** Names of an untrusted document must not end a comment. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

function namesOf(policy: Policy): readonly string[] | undefined {
  return 'operations' in policy && Array.isArray(policy.operations)
    ? (policy.operations as readonly string[])
    : undefined;
}

function together(one: Proposal, other: Proposal): Proposal {
  const names = [...(namesOf(one.policy) ?? []), ...(namesOf(other.policy) ?? [])];
  const policy = (names.length === 0 ? one.policy : { ...one.policy, operations: names }) as Policy;
  return { ...one, policy, reasons: [...one.reasons, ...other.reasons] };
}
