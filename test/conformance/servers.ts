import { loadOwnContract } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Transport, WireRequest, WireResponse } from '../../conformance/index.ts';

/** The contracts that a test judges by. */
export async function routerContract(): Promise<readonly Contract[]> {
  return [await loadOwnContract('router')];
}

export interface Scripted {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** All contracts that the suite has probes for. */
export async function allContracts(): Promise<readonly Contract[]> {
  return Promise.all((['router', 'registry', 'jobs'] as const).map((name) => loadOwnContract(name)));
}

/** A server of a few lines: answers by a function, remembers what it was asked. */
export function scripted(answer: (request: WireRequest) => Scripted | Promise<Scripted>): {
  readonly transport: Transport;
  readonly requests: WireRequest[];
} {
  const requests: WireRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    const { status, headers = {}, body } = await answer(request);
    return respond(status, headers, body);
  };
  return { transport, requests };
}

/** The same transport, with a record of all that went through it. */
export function recording(inner: Transport): {
  readonly transport: Transport;
  readonly requests: WireRequest[];
} {
  const requests: WireRequest[] = [];
  const transport: Transport = (request) => {
    requests.push(request);
    return inner(request);
  };
  return { transport, requests };
}

export function headerIn(request: WireRequest, name: string): string | undefined {
  return request.headers.find(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1];
}

// --- internal ---

function respond(status: number, headers: Readonly<Record<string, string>>, body: unknown): WireResponse {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: Object.entries(headers),
    body: (async function* () {
      if (text !== '') yield new TextEncoder().encode(text);
    })(),
  };
}
