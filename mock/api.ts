import type { Contract, Json, Operation } from '../contract/model.ts';
import type { Answer, HeaderLine } from './call/answer.ts';
import type { AnswerDefaults } from './samples/answer-wish.ts';
import type { ApiControl } from './control/api-control.ts';
import type { Behaviour, Call } from './call/call.ts';
import type { CredentialShape, SampleCall } from './control/shape.ts';
import type { EngineFinding } from './call/engine.ts';
import type { Fixtures } from './fixtures.ts';
import type { Conceal } from './journal/journal.ts';
import type { DurableState } from './state/durable-state.ts';

/** One served API: its contract and everything that decides about its requests. */
export interface MockedApi {
  readonly contract: Contract;
  /** The path before all paths of the document, such as `/deployment/d-42`; none when left out. */
  readonly mountPrefix?: string;
  /** The fixture of the suite that holds its address where it is mounted under a path of its own. */
  readonly baseUrlFixture?: string;
  /** The `api` of the scenarios for it; the name of its contract when left out. */
  readonly scenarios?: string;
  /** In the order of decisions. What the last one leaves open is answered with an example of the document. */
  readonly behaviours: readonly Behaviour[];
  /** Header lines of every answer. */
  readonly stamps: (call: Call) => readonly HeaderLine[];
  /**
   * An error of the mock itself, in the shape of this API.
   *
   * @param wrong what the document has against the answer that was made
   */
  readonly failure: (call: Call, detail: string, wrong?: readonly EngineFinding[]) => Answer;
  /** The answer to bytes that are not an HTTP request; only a status when left out. */
  readonly unreadable?: (id: string, status: number) => Answer;
  /** What is left to the document is answered as it says, and as a request asks; ours have behaviours for that. */
  readonly answers?: DocumentAnswers;
  /** Answers whose body is somebody else's, so that no profile may add to it. */
  readonly isUntouchable: (answer: Answer, call: Call) => boolean;
  /** What is served at a path that the document does not have, such as an upload address. */
  readonly beside?: (path: string) => Beside | undefined;
  /** The beginnings of such paths. */
  readonly besidePrefixes?: readonly string[];
  /** What a caller presents. */
  readonly credential: CredentialShape;
  /** A call that succeeds, or none; made of the document when left out. Its target is below the mount prefix. */
  readonly sample?: () => SampleCall | undefined;
  /** What a sample of an operation needs of the mock's state, such as the id of something that exists. */
  readonly known?: (operation: Operation) => KnownValues;
  /** What must not be read in the journal; it holds for requests to every API. */
  readonly conceal?: Conceal;
  /** What it says of requests to any API: the longest body in bytes, and how long a preflight may be remembered. */
  readonly limits?: { readonly bodyBytes: number; readonly preflightSeconds: number };
  readonly control?: ApiControl;
  /** State that can outlive the process. */
  readonly durable?: DurableState;
  /** Takes over the state of the API that was served under this name before its document was read again. */
  readonly restoreFrom?: (earlier: MockedApi) => void;
  /** The fixtures that this API offers to the suite. */
  readonly fixtures: () => Fixtures;
  /** Forgets all state. */
  readonly reset: () => void;
}

/** Values for a sample: of path parameters, and a JSON body. */
export interface KnownValues {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** How a document of a user's own is answered from. */
export interface DocumentAnswers {
  readonly defaults: AnswerDefaults;
  /** The answer to a request that the document refuses and has no answer for. Left out where a sheet says how. */
  readonly refusal?: (call: Call, finding: EngineFinding) => Answer;
  /** Answer 500 instead of an answer that the document does not allow. */
  readonly strict?: boolean;
}

/** A path beside the document: `longestBody` in bytes. */
export interface Beside {
  readonly methods: readonly string[];
  readonly longestBody: number;
}
