import type { Answer, HeaderLine } from '../../call/answer.ts';
import type { Call } from '../../call/call.ts';
import type { Citation, Decided } from '../../call/citations.ts';
import { codeAnswer } from '../../call/code-answer.ts';
import type { Clock } from '../../state/clock.ts';
import type { Ids } from '../../state/ids.ts';
import type { Profile } from '../../profile.ts';
import type { ScenarioRequests } from '../../scenarios/requested-scenarios.ts';
import type { AssumeRegistry } from './assumptions.ts';
import type { CallbackSender } from './callback.ts';
import type { RegistryFacts } from './facts.ts';
import type { RegistryMechanisms } from './mechanisms.ts';
import type { RegistryOptions } from './options.ts';
import type { AddressSigner } from '../../state/signature.ts';
import type { ArchiveShelf, RegistryStore } from './store.ts';
import type { NodeVersion, RegistryChange } from './stored-forms.ts';
import type { Views } from './view.ts';

/** The dependencies that the behaviours of the registry and of the partner route share. */
export interface Registry {
  readonly facts: RegistryFacts;
  readonly assume: AssumeRegistry;
  /** The basis of a decision in the sheet. */
  readonly citation: (decision: Decided) => Citation;
  /** Whether the model router is served on the same host. */
  readonly besideRouter: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly profile: Profile;
  /** The public address for clients; if left out, that of the request. */
  readonly publicUrl: string | undefined;
  readonly options: RegistryOptions;
  readonly views: Views;
  /** Including details that callers do not see. */
  readonly keeperViews: Views;
  readonly mechanisms: RegistryMechanisms;
  readonly sendCallback: CallbackSender;
  /** Records changes, if the state is to outlive the process. */
  readonly keep: ((change: RegistryChange) => void) | undefined;
  /** Replaced by a reset. */
  state: RegistryState;
}

export interface RegistryState extends ScenarioRequests {
  /** By namespace; the default one has an empty name. */
  readonly stores: Map<string, RegistryStore>;
  /** The initial content of a namespace, before it is entered in the map. */
  readonly freshStore: () => RegistryStore;
  /** The registry of a namespace, created on first use. */
  readonly store: (namespace: string) => RegistryStore;
  /** Versions whose archives can be uploaded, by id. */
  readonly uploads: Map<string, NodeVersion>;
  /** Ids of versions whose next upload is cut. */
  readonly cutUploads: Set<string>;
  readonly shelf: ArchiveShelf;
  readonly signer: AddressSigner;
}

export interface RegistryRefusal {
  readonly status: number;
  /** A machine-readable code; the contract names none. */
  readonly error: string;
  /** A message for people. It names the faulty part, and never repeats a secret. */
  readonly message: string;
  readonly headers?: readonly HeaderLine[];
  /** The basis of the answer: a decision that the sheet mentions, or the id of a rule or of an open point. */
  readonly because?: Decided | string | undefined;
}

/** An error of the registry or of the partner route (document 2, "ErrorResponse" and "Errors"). */
export function refuse(
  { facts, citation }: Pick<Registry, 'facts' | 'citation'>,
  call: Call,
  refusal: RegistryRefusal,
): Answer {
  const { status, error, message, headers = [] } = refusal;
  const licence = typeof refusal.because === 'object' ? cited(citation(refusal.because)) : refusal.because;
  call.note('answer', `${String(status)} ${error}`, licence);
  return codeAnswer(facts.served, { status, code: error, message }, { headers, licence });
}

/** The registry of a caller's namespace. */
export function storeOf({ state }: Registry, call: Call): RegistryStore {
  return state.store(call.facts.caller?.namespace ?? '');
}

// --- internal ---

function cited({ openPoint, rule }: Citation): string | undefined {
  return openPoint ?? rule;
}
