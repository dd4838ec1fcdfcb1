import type { Answer } from '../call/answer.ts';
import { bodyText, cutAnswer } from '../call/answer.ts';
import type { Behaviour } from '../call/call.ts';
import type { Clock } from '../state/clock.ts';
import type { Duration, MockScenario, WireEffect } from './scenario.ts';

/** The value of their `api`: they apply to every operation of every API. */
export const ANY = 'any';

const LATENCY: Duration = { least: 0, most: 3_600_000, usual: 1_000 };

/** Describes the durations of a scenario, for people. */
export function durationInWords({ least, most }: Duration): string {
  return `a whole number of milliseconds from ${String(least)} to ${String(most)}`;
}

/** Scenarios that apply to every operation of every API. */
export const wireScenarios: readonly MockScenario[] = [
  {
    ...row('latency', 'the answer comes a second later, or after ;ms=N', {
      kind: 'latency',
      ms: LATENCY.usual,
    }),
    ms: LATENCY,
  },
  {
    ...row('slow-stream', 'the lines, records or events of a stream come a second apart, or ;ms=N', {
      kind: 'pieces',
      ms: LATENCY.usual,
    }),
    ms: LATENCY,
  },
  row('cut-before', 'the connection is cut before anything happens', { kind: 'cut', when: 'before' }),
  row('cut-after', 'the call is carried out, and the connection is cut before its answer', {
    kind: 'cut',
    when: 'after',
  }),
  row('cut-midway', 'half of the body arrives, then the connection is cut', { kind: 'cut', when: 'midway' }),
];

/** Passes a call on with this effect. */
export async function passWith(
  effect: WireEffect,
  ms: number | undefined,
  clock: Clock,
  [call, next]: Parameters<Behaviour>,
): Promise<Answer> {
  if (effect.kind === 'latency') {
    await clock.sleep(ms ?? effect.ms, call.signal);
    return next();
  }
  if (effect.kind === 'pieces') {
    call.facts.pieceMs = ms ?? effect.ms;
    return next();
  }
  switch (effect.when) {
    case 'before':
      return cutAnswer();
    case 'after':
      await next();
      return cutAnswer();
    case 'midway':
      return halved(await next());
  }
}

// --- internal ---

function row(name: string, does: string, wire: WireEffect): MockScenario {
  return { name, does, api: ANY, caller: { kind: 'named' }, wire };
}

/** The same head with half of its body, after which the connection is cut. */
function halved(answer: Answer): Answer {
  if (answer.cut === true) return answer;
  return { ...answer, body: { kind: 'stream', chunks: firstHalf(answer.body) } };
}

async function* firstHalf(body: Answer['body']): AsyncGenerator<Uint8Array> {
  if (body.kind === 'stream') {
    // The length of a stream is unknown: send its first piece, then cut.
    for await (const chunk of body.chunks) {
      yield chunk;
      break;
    }
  } else {
    const bytes = Buffer.from(bodyText(body));
    yield bytes.subarray(0, Math.ceil(bytes.length / 2));
  }
  throw new Error('the connection is cut here');
}
