import { HIDDEN, masker, secretsIn, type Masker, type SecrecyFacts } from '../../contract/secrecy/index.ts';
import { bodyText, type Answer } from '../call/answer.ts';
import type { EngineFinding } from '../call/engine.ts';
import type { FrontRequest } from '../call/front.ts';

/** An exchange, or one whose answer is not known yet. */
interface SoFar {
  readonly request: FrontRequest;
  readonly answer?: Answer;
  readonly secrecy: SecrecyFacts;
  /** What it carries in places for secrets; if absent, this is searched for. */
  readonly secrets?: readonly string[];
}

/** Masks what an exchange carries in places for secrets, also where another part repeats it. */
export function maskerOf(exchange: SoFar): Masker {
  const known = maskers.get(exchange);
  if (known !== undefined) return known;
  const { secrecy, secrets = carriedBy(exchange) } = exchange;
  const made = masker(
    secrets.map((secret) => ({ secret, placeholder: HIDDEN })),
    secrecy,
  );
  maskers.set(exchange, made);
  return made;
}

export function hiddenTrail<Step extends { readonly decision: string }>(
  trail: readonly Step[],
  hide: Masker,
): Step[] {
  return trail.map((step) => ({ ...step, decision: hide(step.decision) }));
}

export function hiddenFinding(finding: EngineFinding, hide: Masker): EngineFinding {
  return { ...finding, at: hide(finding.at), message: hide(finding.message) };
}

// --- internal ---

const decoder = new TextDecoder();

/** The maskers of exchanges that were shown. */
const maskers = new WeakMap<SoFar, Masker>();

/** How much of a body is searched for secrets that other parts may repeat, in bytes. */
const LONGEST_SEARCHED = 2 ** 20;

function carriedBy({ request, answer, secrecy }: SoFar): readonly string[] {
  const sent = {
    target: request.raw.target,
    headers: Object.entries(request.headers),
    body: decoder.decode(request.raw.body.subarray(0, LONGEST_SEARCHED)),
  };
  const got =
    answer === undefined
      ? []
      : [{ headers: answer.headers, body: bodyText(answer.body).slice(0, LONGEST_SEARCHED) }];
  return [sent, ...got].flatMap((message) => secretsIn(message, secrecy));
}
