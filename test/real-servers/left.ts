import { isRecord } from '../../contract/index.ts';
import type { Report, StoredExchange } from '../../conformance/index.ts';

/**
 * Ids and names of what the report lists as left: the last part of each address, and the members of the exchange that
 * shows it. Nothing else excuses a new row.
 */
export function leftBy({ left = [], exchanges }: Pick<Report, 'left' | 'exchanges'>): ReadonlySet<string> {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return new Set(
    left.flatMap(({ address, exchange }) => {
      const shown = byId.get(exchange);
      return [
        ...(address === undefined ? [] : [lastSegment(address)]),
        ...(shown === undefined ? [] : idsIn(shown)),
      ];
    }),
  );
}

// --- internal ---

const IDENTIFYING = /^(?:id|uuid|key|name|value|token|field|collection)$|[a-z]I[dD]$/;

function idsIn({ request, answer }: StoredExchange): readonly string[] {
  return [request.body?.text, answer?.body?.text].flatMap((text) => identifying(parsed(text)));
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
