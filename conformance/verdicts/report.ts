import type { RuleLevel } from '../../contract/index.ts';
import type { Gate } from '../scenarios/gate.ts';

/** The closed set. `pass`, `fail` and `warn` are based on at least one exchange. */
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
  /** The operation that it is about, if it is about a single one. */
  readonly operation?: string;
  /** The rule in our own words. */
  readonly says: string;
  readonly source: {
    readonly document: number;
    /** The name of the document. */
    readonly title?: string;
    /** Its address, if the OpenAPI document states one. */
    readonly url?: string;
    readonly section: string;
    readonly item: string;
  };
  /** The place of the rule in its behaviour sheet. */
  readonly sheet?: { readonly file: string; readonly line: number };
  readonly verdict: Verdict;
  /** Why the rule is undecided, or why a pass is limited. */
  readonly reason: string | undefined;
  /** The missing fixture, such as `model.slow`, or the missing permission, such as `--allow billed`. */
  readonly missing: string | undefined;
  /** The line to add to the fixtures file. */
  readonly fixtureLine: string | undefined;
  /** From the check that decided. */
  readonly expected: string | undefined;
  readonly observed: string | undefined;
  /** Ids of the exchanges that the verdict is based on, those of the deciding check first; at most twenty. */
  readonly exchanges: readonly string[];
  /** How many judgements were made. */
  readonly checks: number;
  /** How many of them failed. */
  readonly failed: number;
  /** The failed checks, the deciding one first; at most twenty. */
  readonly failures?: readonly FailedCheck[];
  /** How to reproduce it, for `fail` and `warn`. */
  readonly repeat: { readonly replay: string; readonly curl: string } | undefined;
}

/** An expectation that was not met. */
export interface FailedCheck {
  readonly expected: string;
  readonly observed: string;
  /** What it has in common with the failures of other rules, such as `500 for a valid request`. */
  readonly cause?: string;
  /** The exchanges that it is based on, the deciding one first. */
  readonly exchanges: readonly string[];
}

/** Broken rules that have one cause. A rule whose checks failed for several causes is in each of them. */
export interface FailureCause {
  /** Such as `500 for a valid request`. */
  readonly says: string;
  readonly verdict: 'fail' | 'warn';
  /** What may explain it without a fault of the API, by the answer: such as a page of a proxy. */
  readonly help?: string;
  /** The ids of the rules. */
  readonly rules: readonly string[];
  /** The ids of the operations that the rules are about; none for rules about no single operation. */
  readonly operations: readonly string[];
  /** The first exchanges that show it; at most three. */
  readonly exchanges: readonly string[];
}

/** A rule that cannot be judged on a live server, with the reason. */
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
  /** The subject of the rule or of the open point. */
  readonly about: string;
  readonly seen: readonly string[];
  readonly exchanges: readonly string[];
}

/**
 * The kind of a finding. `stopped`: the server no longer answers; `broken`: a fault of the server that no
 * rule covers; `document`: the document is wrong about many operations in one way; `leak`: it repeats a secret; `disturbed`:
 * rules are undecided for a reason that is not, or not only, the server.
 */
export const findingKinds = [
  'not-served',
  'unreachable',
  'stopped',
  'broken',
  'document',
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

/** Something that the run made, and that is still on the server. */
export interface LeftThing {
  readonly api: string;
  /** The operation that made it. */
  readonly operation: string;
  /** The exchange that shows it. */
  readonly exchange: string;
  /** Where it is below the server, such as `/pets/17`; absent if no answer shows it. */
  readonly address?: string;
  /** Why it was not taken back. */
  readonly why: string;
  /** The request that removes it, secrets masked; absent if the contract has none. */
  readonly removal?: StoredExchange['request'];
}

/** The stored form of an exchange: secrets masked, long bodies truncated. */
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
    /** The last parameter of the query, if it is the credential. */
    readonly keyParameter?: string;
  };
  readonly answer:
    | {
        readonly status: number;
        readonly headers: readonly (readonly [name: string, value: string])[];
        readonly body: StoredBody | undefined;
        /** Why no rule was judged by the body, such as `was truncated at 67108864 bytes`. */
        readonly unreadable?: string;
        /** The coding of the body on the wire, such as `gzip`. */
        readonly compressed?: string;
      }
    | undefined;
  readonly failure: string | undefined;
}

export interface StoredBody {
  readonly bytes: number;
  /** UTF-8 text; other bytes are shown in Base64. */
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
    /** API name to its address: the jobs may have another address than the rest. */
    readonly origins?: Readonly<Record<string, string>>;
  };
  readonly status: 'judged' | 'not-served' | 'unreachable' | 'interrupted';
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  /** The parts of the run's command line that a repetition needs. */
  readonly settings?: {
    /** The path of the fixtures file, as the user typed it. */
    readonly fixturesFile?: string;
    /** The user's own document, and its sheet. */
    readonly contract?: string;
    /** The Overlays that correct that document, in this order. */
    readonly overlays?: readonly string[];
    /** The folder of the report, as the user typed it. */
    readonly folder?: string;
    readonly fuzz?: number;
    readonly explore?: number;
    /** The operations that alone may be called, by id or tag. */
    readonly only?: readonly string[];
    /** The operations that are never called. */
    readonly except?: readonly string[];
  };
  readonly allowed: readonly string[];
  /** The requirements for the run; together with the verdicts they determine the exit code. */
  readonly gate?: Gate;
  /** Repeated requests are counted too. */
  readonly requests: {
    readonly sent: number;
    /** POSTs with a usable credential that were sent: a faulty server might charge any of them. */
    readonly billable?: number;
    /** How many of those the plan allowed. */
    readonly billedAtMost: number;
    /** `false` if no contract of the run says that calls cost something: then those POSTs only change something. */
    readonly isBilled?: boolean;
  };
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly findings: readonly RunFinding[];
  /** What the run made and could not take back; absent if there is nothing. */
  readonly left?: readonly LeftThing[];
  readonly rules: readonly RuleResult[];
  /** The broken rules by their causes: server errors first, then what breaks a must, then what breaks a should. */
  readonly causes?: readonly FailureCause[];
  readonly observations: readonly ObservationResult[];
  readonly notJudged: readonly NotJudged[];
  readonly exchanges: readonly StoredExchange[];
}
