import type { Classified } from './reason.ts';

/** Survivors in what all APIs of the second server share. */
export const sharedReasons: readonly Classified[] = [
  {
    mutation: 'server.ts: size <= largestBody',
    is: 'open',
    because: 'no document states which body is too large',
  },
  { mutation: 'server.ts: count +=', is: 'equal', because: 'the ids of requests differ as before' },
  {
    mutation: 'server.ts: reply.status === 304',
    is: 'open',
    because: 'no document states how bodies are framed, and a 304 has none as before',
  },
  { mutation: 'server.ts: windowMs', is: 'equal', because: 'only a known fault waits for it' },
  {
    mutation: 'server.ts: staticToken',
    is: 'equal',
    because: 'no server of this area has a static token',
  },
  {
    mutation: 'server.ts: requireHostHeader',
    is: 'open',
    because: 'no document states what a request without a host gets',
  },
  {
    mutation: 'server.ts: collects = false',
    is: 'open',
    because:
      'document 1, POST /v1/models/{provider}/{model}, row 504: whether a run continues behind it is the choice of a server',
  },
  { mutation: 'server.ts: mark < 0', is: 'equal', because: 'what is asked for begins with a slash' },
  { mutation: 'server.ts: jitterMs > 0', is: 'equal', because: 'to wait for no time is not to wait' },
  {
    mutation: 'server.ts: deadlineMs = 1400',
    is: 'equal',
    because: 'its starter says which deadline it has',
  },
  {
    mutation: 'server.ts: ...(staticToken',
    is: 'equal',
    because: 'no server of this area has a static token',
  },
  { mutation: 'server.ts: request.method ??', is: 'equal', because: 'a request that was read has a method' },
  { mutation: 'server.ts: url → nothing', is: 'equal', because: 'the fixtures say the address too' },
  {
    mutation: "answer.ts: status < 500 ? 'caller'",
    is: 'open',
    because: 'document 1, RouterErrorResponse: the further members of an error are not shown',
  },
  {
    mutation: "server.ts: response.on('close', close)",
    is: 'equal',
    because: 'what is written to a caller who has gone is lost',
  },
  {
    mutation: 'server.ts: gone.aborted || response.destroyed',
    is: 'equal',
    because: 'a caller who has gone before its answer has closed the connection as well',
  },
  {
    mutation: 'server.ts: size += chunk.length',
    is: 'open',
    because: 'no document states which body is too large',
  },
  {
    mutation: 'server.ts: largestBody = 1_048_576',
    is: 'open',
    because: 'no document states which body is too large',
  },
  {
    mutation: "server.ts: server.on('checkExpectation'",
    is: 'open',
    because: 'no document states what an expectation gets',
  },
  {
    mutation: 'server.ts: jitterMs = 0',
    is: 'equal',
    because: 'to wait for less than a millisecond is not to wait',
  },
  {
    mutation: 'server.ts: gone.abort()',
    is: 'open',
    because:
      'document 1, Idempotency key handling: when the key of a dropped call is free again is not stated, and it is',
  },
  {
    mutation: "server.ts: 'close' →",
    is: 'open',
    because:
      'document 1, Idempotency key handling: when the key of a dropped call is free again is not stated, and it is',
  },
  {
    mutation: "server.ts: 'content-length': String(reply",
    is: 'open',
    because: 'no document states how bodies are framed',
  },
  {
    mutation: 'server.ts: !socket.writable',
    is: 'open',
    because: 'no document states what bytes get that are no request',
  },
  {
    mutation: 'server.ts: !response.headersSent',
    is: 'equal',
    because: 'what is written to a caller who has gone is lost',
  },
  {
    mutation: 'answer.ts: severity: ',
    is: 'open',
    because: 'document 1, RouterErrorResponse: the further members of an error are not shown',
  },
  {
    mutation: 'answer.ts: status < 500 →',
    is: 'open',
    because: 'document 1, RouterErrorResponse: the further members of an error are not shown',
  },
  {
    mutation: "credentials.ts: typ: 'JWT'",
    is: 'equal',
    because: 'a token is opaque to its caller',
  },
  {
    mutation: 'credentials.ts: createHmac',
    is: 'equal',
    because: 'a token is opaque to its caller',
  },
  {
    mutation: "credentials.ts: account('narrow'",
    is: 'equal',
    because: 'the name of an account is the matter of this server',
  },
  {
    mutation: "credentials.ts: account('beta')",
    is: 'equal',
    because: 'the name of an account is the matter of this server',
  },
  {
    mutation: "credentials.ts: account('barred'",
    is: 'equal',
    because: 'the name of an account is the matter of this server',
  },
  {
    mutation: "credentials.ts: 'www-authenticate'",
    is: 'open',
    because: 'no document states that a 401 names a scheme',
  },
  {
    mutation: 'server.ts: Math.random() * jitterMs',
    is: 'equal',
    because: 'to wait for no time is not to wait',
  },
  {
    mutation: 'server.ts: socket.end(`HTTP/1.1 400',
    is: 'open',
    because: 'no document states what bytes get that are no request',
  },
  {
    mutation: 'server.ts: ...routerFixtures',
    is: 'equal',
    because: 'only its starter reads the fixtures, and those of other areas are not used',
  },
  {
    mutation: 'server.ts: request.url ??',
    is: 'equal',
    because: 'a request that was read has a target',
  },
  {
    mutation: 'credentials.ts: iss: ',
    is: 'equal',
    because: 'a token is opaque to its caller',
  },
  {
    mutation: 'credentials.ts: cents: ',
    is: 'equal',
    because: 'what an account may spend is the matter of this server',
  },
  {
    mutation: 'credentials.ts: calls: ',
    is: 'equal',
    because: 'how many calls an account may have is the matter of this server',
  },
];
