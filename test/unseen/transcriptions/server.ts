import type { Clock, Transport } from '../../../conformance/index.ts';
import { problemOf } from '../problem.ts';
import { isValid, Refusal, serve, textOf } from '../wire.ts';
import { projectCalls } from './projects.ts';
import { seed } from './seed.ts';
import { storeOf } from './store.ts';
import { transcriptionCalls } from './transcriptions.ts';

export const TRANSCRIPTIONS = textOf('transcriptions/transcriptions.openapi.yaml');
export const TRANSCRIPTIONS_SHEET = textOf('transcriptions/transcriptions.behaviour.yaml');

interface Caller {
  readonly account: string;
  readonly role: 'editor' | 'reader' | 'suspended';
}

const callers = new Map<string | undefined, Caller>([
  ['editor-of-the-harbour', { account: 'harbour', role: 'editor' }],
  ['reader-of-the-harbour', { account: 'harbour', role: 'reader' }],
  ['editor-of-the-lighthouse', { account: 'lighthouse', role: 'editor' }],
  ['suspended-editor', { account: 'harbour', role: 'suspended' }],
]);

const reads = [
  'listProjects',
  'getProject',
  'listTranscriptions',
  'getTranscription',
  'watchTranscription',
  'listSegments',
];

/** A server of transcriptions with some faults. */
export function transcriptionsServer(clock: Clock, faults: readonly string[] = []): Transport {
  const has = (fault: string): boolean => faults.includes(fault);
  const store = storeOf(clock, has);
  seed(store);
  const handlers = { ...projectCalls(store), ...transcriptionCalls(store) };
  let answers = 0;

  return serve(TRANSCRIPTIONS, {
    admit: ({ operation, header }) => {
      const { role } = callerOf(header);
      if (role === 'suspended') throw new Refusal(403, 'suspended', 'The token is suspended.');
      const isAllowed = has('reader-retries') ? [...reads, 'retryTranscription'] : reads;
      if (role === 'reader' && operation !== '' && !isAllowed.includes(operation)) {
        throw new Refusal(403, 'read_only', 'A reader may not call this.');
      }
    },
    handle: (call) => {
      if (!isValid(TRANSCRIPTIONS, call.operation, call.body)) {
        throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
      }
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal', 'The server failed.');
      return handler(call, callerOf(call.header).account);
    },
    refused: (refusal) => problemOf(refusal),
    always: () => {
      answers += 1;
      return { 'X-Request-Id': `request-${String(answers)}` };
    },
  });
}

// --- internal ---

function callerOf(header: (name: string) => string | undefined): Caller {
  const token = /^Bearer +(\S+)$/i.exec(header('Authorization') ?? '')?.[1];
  const caller = callers.get(token);
  if (caller === undefined) {
    throw new Refusal(401, 'no_credential', 'A token is needed.', { 'WWW-Authenticate': 'Bearer' });
  }
  return caller;
}
