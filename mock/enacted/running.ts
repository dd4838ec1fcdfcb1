import type { ServerRequest } from '../../engine/handler.ts';
import type { Server } from '../../engine/serve.ts';
import type { ServedApi, ServedOperation } from '../../engine/served-api.ts';
import { cutAnswer, type Answer } from '../call/answer.ts';
import type { Answered, Call } from '../call/call.ts';
import { answerOf, serverRequest } from './messages.ts';

/** A call of the mock that the engine is handling. */
export interface Running {
  readonly call: Call;
  readonly next: () => Answered;
  /** The document's answer, after it was requested. */
  example?: Answer;
}

/** Lets the engine answer a call. */
export async function course(
  server: Server,
  running: Map<ServerRequest, Running>,
  call: Call,
  next: () => Answered,
): Promise<Answer> {
  const request = serverRequest(call);
  const run: Running = { call, next };
  const header = policyOf(server.api, call)?.requestHeader;
  const key = header === undefined ? null : request.headers.get(header);
  if (key !== null) call.facts.idempotencyKey = key;
  running.set(request, run);
  try {
    const exchange = await server.exchange(request);
    call.afterDelivery((delivery) => void exchange.settle(delivery));
    if (run.example?.cut === true) return cutAnswer();
    return answerOf(exchange, run);
  } finally {
    running.delete(request);
  }
}

// --- internal ---

function policyOf({ operations }: ServedApi, { operation }: Call): ServedOperation['idempotency'] {
  return operations.find(({ id }) => id === operation?.id)?.idempotency;
}
