import type { RuleLevel } from '../contract/index.ts';
import type { Gate } from './gate.ts';

/** The closed set. `pass`, `fail` and `warn` rest on at least one exchange. */
export const verdicts = [
  'pass',
  'fail',
  'warn',
  'not-exercised',
  'not-applicable',
  'inconclusive',
  'error',
] as const;
/** The verdict on a rule. */
export type Verdict = (typeof verdicts)[number];

/** The verdict on one rule, with its reasons. */
export interface RuleResult {
  readonly id: string;
  readonly api: string;
  readonly level: RuleLevel;
  /** The rule in our own words. */
  readonly says: string;
  readonly source: {
    readonly document: number;
    /** The name of the document. */
    readonly title?: string;
    /** Its address, where the document of the API names one. */
    readonly url?: string;
    readonly section: string;
    readonly item: string;
  };
  /** The place of the rule in its behaviour sheet. */
  readonly sheet?: { readonly file: string; readonly line: number };
  readonly verdict: Verdict;
  /** Why the rule was not decided, or why a pass is limited. */
  readonly reason: string | undefined;
  /** What is missing: a fixture such as `model.slow`, or a permission such as `--allow billed`. */
  readonly missing: string | undefined;
  /** The line to add to the fixtures file. */
  readonly fixtureLine: string | undefined;
  /** Of the check that decided. */
  readonly expected: string | undefined;
  readonly observed: string | undefined;
  /** Ids of the exchanges that the verdict rests on, those of the deciding check first; at most twenty. */
  readonly exchanges: readonly string[];
  /** How many judgements were made. */
  readonly checks: number;
  /** How many of them failed. */
  readonly failed: number;
  /** The checks that failed, the deciding one first; at most twenty. */
  readonly failures?: readonly FailedCheck[];
  /** How to see it again, for `fail` and `warn`. */
  readonly repeat: { readonly replay: string; readonly curl: string } | undefined;
}

/** An expectation that was not met. */
export interface FailedCheck {
  readonly expected: string;
  readonly observed: string;
  /** What it rests on, the exchange that decided it first. */
  readonly exchanges: readonly string[];
}

/** A rule that no live server can be judged by, and why. */
export interface NotJudged {
  readonly id: string;
  readonly api: string;
  readonly level: RuleLevel;
  readonly says: string;
  readonly why: string;
}

/** An observation without a verdict. */
export interface ObservationResult {
  /** A rule id, or the id of a point that the contract leaves open. */
  readonly id: string;
  /** What the rule or the open point is about. */
  readonly about: string;
  readonly seen: readonly string[];
  readonly exchanges: readonly string[];
}

/**
 * What a finding is about. `stopped`: the server answered and does no longer; `broken`: the server does wrong and no rule
 * says it; `leak`: it repeats a secret; `disturbed`: something kept rules from being decided that is not the server's doing,
 * or not only.
 */
export const findingKinds = [
  'not-served',
  'unreachable',
  'stopped',
  'broken',
  'leak',
  'disturbed',
  'fixture',
  'credential',
  'harness',
  'unjudgeable',
  'doubt',
] as const;

/** A finding about the run as a whole: it comes first in every report. */
export interface RunFinding {
  readonly kind: (typeof findingKinds)[number];
  /** The fixture or the rule that it is about, such as `model.ok`. */
  readonly about?: string;
  readonly says: string;
  readonly help: string | undefined;
  readonly exchanges: readonly string[];
}

/** An exchange as it is kept: secrets masked, long bodies cut. */
export interface StoredExchange {
  readonly id: string;
  readonly api: string;
  readonly scenario: string;
  /** The first exchange of the same course of requests: a scenario that runs twice makes two courses. */
  readonly course?: string;
  /** Exchanges of the course that were still open when this one was sent. */
  readonly during?: readonly string[];
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly as: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: StoredBody | undefined;
    /** The last parameter of the query, where it is the credential. */
    readonly keyParameter?: string;
  };
  readonly answer:
    | {
        readonly status: number;
        readonly headers: readonly (readonly [name: string, value: string])[];
        readonly body: StoredBody | undefined;
        /** Why no rule was judged by the body, such as `was truncated at 67108864 bytes`. */
        readonly unreadable?: string;
        /** How the body was compressed on the wire, such as `gzip`. */
        readonly compressed?: string;
      }
    | undefined;
  readonly failure: string | undefined;
}

export interface StoredBody {
  readonly bytes: number;
  /** UTF-8 text; bytes that are no text are shown in Base64. */
  readonly text: string;
  readonly encoding: 'text' | 'base64';
  readonly cut: boolean;
}

/** The verdicts of a run with their exchanges: the content of `report.json`. */
export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: 'tallystick'; readonly version: string };
  /** API name to the version of its rule set. */
  readonly contract: Readonly<Record<string, string>>;
  readonly target: {
    readonly baseUrl: string;
    readonly identity: string;
    /** API name to where it is: the jobs may be elsewhere than the rest. */
    readonly origins?: Readonly<Record<string, string>>;
  };
  readonly status: 'judged' | 'not-served' | 'unreachable' | 'interrupted';
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  /** What of the run's command line a repetition needs. */
  readonly settings?: {
    /** The path of the fixtures file, as it was typed. */
    readonly fixturesFile?: string;
    /** The document of a user's own, and its sheet. */
    readonly contract?: string;
    /** The folder of the report, as it was typed. */
    readonly folder?: string;
    readonly fuzz?: number;
    readonly explore?: number;
  };
  readonly allowed: readonly string[];
  /** What the run had to fulfil; with the verdicts it decides the exit code. */
  readonly gate?: Gate;
  /** Repeated requests are counted too. */
  readonly requests: {
    readonly sent: number;
    /** POSTs with a usable credential that were sent: a broken server might charge any of them. */
    readonly billable?: number;
    /** How many of those the plan allowed. */
    readonly billedAtMost: number;
  };
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly findings: readonly RunFinding[];
  readonly rules: readonly RuleResult[];
  readonly observations: readonly ObservationResult[];
  readonly notJudged: readonly NotJudged[];
  readonly exchanges: readonly StoredExchange[];
}
