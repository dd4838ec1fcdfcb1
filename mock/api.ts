import type { Contract, Json, Operation } from '../contract/model.ts';
import type { Answer, HeaderLine } from './call/answer.ts';
import type { AnswerDefaults } from './samples/answer-choice.ts';
import type { ApiControl } from './control/api-control.ts';
import type { Behaviour, Call } from './call/call.ts';
import type { CredentialShape, SampleCall } from './control/shape.ts';
import type { EngineFinding } from './call/engine.ts';
import type { Fixtures } from './fixtures.ts';
import type { DurableState } from './state/durable-state.ts';

/** One served API: its contract and the parts that handle its requests. */
export interface MockedApi {
  readonly contract: Contract;
  /** The prefix of all paths of the document, such as `/deployment/d-42`; if left out, none. */
  readonly mountPrefix?: string;
  /** The suite's fixture for its address, if it is mounted below a path of its own. */
  readonly baseUrlFixture?: string;
  /** The `api` of its scenarios; default: the name of its contract. */
  readonly scenarios?: string;
  /** In the order of decisions. A request that none of them answers gets an example of the document. */
  readonly behaviours: readonly Behaviour[];
  /** Header lines of every answer. */
  readonly stamps: (call: Call) => readonly HeaderLine[];
  /**
   * An error of the mock itself, in the shape of this API's errors.
   *
   * @param wrong the violations of the document in the original answer
   */
  readonly failure: (call: Call, detail: string, wrong?: readonly EngineFinding[]) => Answer;
  /** The answer to bytes that are not an HTTP request; if left out, only a status. */
  readonly unreadable?: (id: string, status: number) => Answer;
  /**
   * For operations without a behaviour: examples, as the document declares and the request asks. Only for a
   * user's own document.
   */
  readonly answers?: DocumentAnswers;
  /** Answers whose body comes from elsewhere, so that a profile must not add to it. */
  readonly isUntouchable: (answer: Answer, call: Call) => boolean;
  /** Other paths that are served, such as an upload address. */
  readonly beside?: (path: string) => ExtraPath | undefined;
  /** The beginnings of such paths. */
  readonly besidePrefixes?: readonly string[];
  /** The credential that a caller sends. */
  readonly credential: CredentialShape;
  /**
   * A call that succeeds, if there is one; by default made from the document. Its target is below the mount
   * prefix.
   */
  readonly sample?: () => SampleCall | undefined;
  /**
   * The values of the mock's state that a sample of an operation needs, such as the id of an existing
   * resource.
   */
  readonly known?: (operation: Operation) => KnownValues;
  /** Further names of members whose values the journal must not show, in requests to any API. */
  readonly secretMembers?: readonly string[];
  /**
   * The API's contribution to the limits for all APIs: the longest body in bytes, and how long a preflight
   * may be cached.
   */
  readonly limits?: { readonly bodyBytes: number; readonly preflightSeconds: number };
  readonly control?: ApiControl;
  /** State that can outlive the process. */
  readonly durable?: DurableState;
  /** Takes over the state that the API with this name had before its document was read again. */
  readonly restoreFrom?: (earlier: MockedApi) => void;
  /** The fixtures that this API offers to the suite. */
  readonly fixtures: () => Fixtures;
  /** Forgets all state. */
  readonly reset: () => void;
}

/** Values for a sample: path parameters, and a JSON body. */
export interface KnownValues {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** How requests to a user's own document are answered. */
export interface DocumentAnswers {
  readonly defaults: AnswerDefaults;
  /**
   * The answer to a request that the document refuses without declaring an answer. Left out if a sheet states
   * it.
   */
  readonly refusal?: (call: Call, finding: EngineFinding) => Answer;
  /** Answer 500 instead of an answer that violates the document. */
  readonly strict?: boolean;
}

/** A path outside the document: `longestBody` in bytes. */
export interface ExtraPath {
  readonly methods: readonly string[];
  readonly longestBody: number;
}
