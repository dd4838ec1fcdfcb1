import { deserialize, serialize } from 'node:v8';
import type { ClientExchange } from '../client-rules/exchange.ts';
import type { StoredPart } from '../exchanges/exchange-store.ts';
import type { CredentialReads } from '../health/shared-answers.ts';
import type { RunFinding, StoredExchange } from '../verdicts/report.ts';

/** What a judge of traffic concluded since its last step. It can be sent to another thread, where it outlives the judge. */
export interface TrafficStep extends Omit<StoredPart, 'exchanges'> {
  /** How many exchanges were judged. */
  readonly seen: number;
  readonly findings: readonly RunFinding[];
  readonly reads: readonly CredentialReads[];
  /** Secrets that the exchanges carried; no report may contain them. */
  readonly secrets: readonly string[];
  readonly evidence: readonly PackedEvidence[];
}

/** The evidence of a step, as bytes that threads share: it is read only for a report. */
export interface PackedEvidence {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** The exchanges of a step. */
export interface Evidence {
  readonly exchanges: readonly StoredExchange[];
  /** For the rules for clients, which compare exchanges. */
  readonly client: readonly ClientExchange[];
  /** Whether exchanges before these were left out, so that nothing follows from those before them. */
  readonly isAfterGap: boolean;
}

export function packed(evidence: Evidence): PackedEvidence {
  const written = serialize(evidence);
  const bytes = new Uint8Array(new SharedArrayBuffer(written.length));
  bytes.set(written);
  return { count: evidence.exchanges.length, bytes };
}

export function unpacked({ bytes }: PackedEvidence): Evidence {
  return deserialize(Uint8Array.from(bytes)) as Evidence;
}
