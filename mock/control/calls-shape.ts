import type { Delivery } from '../../engine/delivery.ts';
import type { TrailStep } from '../journal/journal.ts';

export interface PendingList {
  /** Oldest first. */
  readonly calls: readonly PendingCall[];
}

/** An open call. */
export interface PendingCall {
  /** The id of its answer, and of its entry in the journal. */
  readonly id: string;
  /** `deciding` until its answer is made, then `answering` until it has been sent, as for an open stream. */
  readonly state: 'deciding' | 'answering';
  /** Its arrival: by the mock's clock, and by this machine's. */
  readonly at: number;
  readonly realAt: number;
  readonly api: string;
  readonly operation: string | undefined;
  readonly method: string;
  readonly target: string;
  /** The known part, as in `JournalEntry`. */
  readonly caller: string | undefined;
  readonly key: string | undefined;
  readonly model: string | undefined;
  readonly scenario: string | undefined;
  /** The decisions so far; the last step shows what it waits for. */
  readonly trail: readonly TrailStep[];
  /** Known while it is `answering`: the number of its entry in the journal, and the status of its answer. */
  readonly number: number | undefined;
  readonly status: number | undefined;
}

/** A call that has ended. */
export interface EndedCall {
  readonly id: string;
  /** Its entry in the journal. */
  readonly number: number;
}

export interface ReplayWish {
  /** The key of the copy: the one of the original (default), a new one, or none. */
  readonly key?: 'same' | 'new' | 'none';
}

export interface RequestToSend {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/**
 * The result of a request that the control API sent; the journal has all of it under its number. Secrets are masked, as
 * in the journal.
 */
export interface SentExchange {
  readonly number: number;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** For an event stream, only the fact that there is one. */
  readonly body: string;
  readonly delivery: Delivery;
}

/**
 * A line of `POST requests?follow`, which answers with JSON lines: the head of the answer, its body event by event
 * (a body without blank lines at its end), and how it ended. Secrets are masked, as in the journal.
 */
export type FollowedLine =
  | { readonly number: number; readonly status: number; readonly headers: SentExchange['headers'] }
  | { readonly text: string }
  | { readonly delivery: Delivery };
