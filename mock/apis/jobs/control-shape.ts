/** The jobs of all callers, with their keys and the assets. */
export interface JobList {
  readonly jobs: readonly JobShape[];
  readonly keys: readonly { readonly caller: string; readonly key: string }[];
  readonly assets: readonly { readonly id: string; readonly owner?: string }[];
  /** The state machine, for drawing it. */
  readonly states: readonly { readonly name: string; readonly terminal: boolean }[];
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly on: string }[];
}

/** A job as its owner reads it, with internal data. */
export interface JobShape extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly status: string;
  readonly caller: string;
  readonly statuses: readonly { readonly at: number; readonly status: string }[];
  /** How many event streams watch it. */
  readonly watchers: number;
  /** When its next scheduled event happens. */
  readonly due: number | undefined;
}

/**
 * `step`: the next scheduled event, now; `succeed`, `fail`, `expire`: that end, now; `cancel`: as the owner
 * would; `drop-streams`: ends the event streams of the job.
 */
export interface JobStep {
  readonly do: 'step' | 'succeed' | 'fail' | 'expire' | 'cancel' | 'drop-streams';
}
