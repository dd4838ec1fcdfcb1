import { isRecord } from '../../contract/index.ts';
import type { Report, StoredExchange } from '../../conformance/index.ts';

/**
 * Ids and names of what the run made and did not take back, as its report tells: from the address and the members of a
 * creation's answer, less those that a successful DELETE named.
 */
export function leftBy({ exchanges }: Pick<Report, 'exchanges'>): ReadonlySet<string> {
  const left = new Set<string>();
  for (const exchange of exchanges) {
    const { request, answer } = exchange;
    if (answer === undefined || answer.status < 200 || answer.status > 299) continue;
    if (request.method === 'POST') for (const id of idsIn(exchange)) left.add(id);
    if (request.method === 'DELETE') left.delete(lastSegment(request.target));
  }
  return left;
}

// --- internal ---

const IDENTIFYING = /^(?:id|uuid|key|name|value|token|field|collection)$|[a-z]I[dD]$/;

function idsIn({ request, answer }: StoredExchange): readonly string[] {
  const address = answer?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  return [
    ...(address === undefined ? [] : [lastSegment(address)]),
    ...[request.body?.text, answer?.body?.text].flatMap((text) => identifying(parsed(text))),
  ];
}

/** The values of identifying members, at most in an envelope and a list. */
function identifying(value: unknown, depth = 0): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => identifying(one, depth));
  if (!isRecord(value))
    return depth === 0 && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isRecord(inner) || Array.isArray(inner)) return depth < 1 ? identifying(inner, depth + 1) : [];
    return IDENTIFYING.test(name) && (typeof inner === 'string' || typeof inner === 'number')
      ? [String(inner)]
      : [];
  });
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function lastSegment(address: string): string {
  const path = address.replace(/[?#].*/, '').replace(/\/+$/, '');
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}
