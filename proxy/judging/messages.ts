import type { MessagePort, Transferable } from 'node:worker_threads';
import type { Report } from '../../conformance/index.ts';
import type { UnseenTraffic, TrafficStep } from '../../conformance/traffic/index.ts';
import type { JudgedExchange } from '../observer.ts';
import type { NumberedExchange } from '../open-exchanges.ts';
import type { SentContract } from './sent-contract.ts';

/** What a judge knows before its first exchange. It may run in a thread, so that everything here can be copied. */
export interface JudgeSetting {
  readonly contracts: readonly SentContract[];
  /** The address of the server. */
  readonly target: string;
  readonly toolVersion: string | undefined;
  /** Whether it sends each exchange that it has judged. */
  readonly tells: boolean;
  /** Shared by both sides: see `BEGUN` and `HURRY`. */
  readonly state: Int32Array;
  /** Epoch milliseconds: when the proxy began. */
  readonly startedAt: number;
}

/** In `state`: how many exchanges the judge has begun with. */
export const BEGUN = 0;
/** In `state`: 1 if the judge is to begin with no other exchange. */
export const HURRY = 1;

export interface ControlPlace {
  readonly host: string;
  /** Of the proxy. */
  readonly url: string;
  readonly port: number;
  readonly controlToken?: string;
}

export type ToJudge =
  | { readonly kind: 'serve'; readonly place: ControlPlace }
  | {
      readonly kind: 'judge';
      readonly exchanges: readonly NumberedExchange[];
      /** Whether exchanges before these were left out, so that nothing follows from those before them. */
      readonly isAfterGap: boolean;
    }
  | { readonly kind: 'report'; readonly whole: TrafficStep; readonly unseen: UnseenTraffic };

export type FromJudge =
  | { readonly kind: 'ready' }
  | { readonly kind: 'served'; readonly controlUrl: string }
  | { readonly kind: 'heard'; readonly judged: JudgedExchange }
  /** Some of the exchanges, the next ones in their order, were judged. */
  | { readonly kind: 'judged'; readonly step: TrafficStep; readonly done: number }
  /** No other one of these exchanges will be judged. */
  | { readonly kind: 'over' }
  | { readonly kind: 'report'; readonly report: Report }
  /** With what a copy of an error loses. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly facts: object };

/** The way to a judge, and back. */
export interface JudgeLine {
  readonly send: (message: ToJudge, transferred?: readonly Transferable[]) => void;
  /** Ends the judge at once. */
  readonly end: () => void;
}

export type JudgePort = Pick<MessagePort, 'postMessage' | 'on'>;
