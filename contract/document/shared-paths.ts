import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { Contract, Diagnostic, Operation } from '../model.ts';
import { shownPlace } from '../text/locate.ts';

/**
 * Operations that several documents declare. One server cannot answer both, so the first document takes
 * precedence.
 */
export function sharedPaths(contracts: readonly Contract[]): readonly Diagnostic[] {
  const seen = new Map<string, { readonly contract: Contract; readonly operation: Operation }>();
  const found: Diagnostic[] = [];
  for (const contract of contracts) {
    for (const operation of contract.operations) {
      // Paths that differ only in parameter names are the same path.
      const key = `${operation.method} ${operation.path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { contract, operation });
      else if (first.contract !== contract) found.push(told(first, { contract, operation }));
    }
  }
  return found;
}

// --- internal ---

interface Placed {
  readonly contract: Contract;
  readonly operation: Operation;
}

function told(first: Placed, second: Placed): Diagnostic {
  const { file, locate } = first.contract.document;
  const place = locate(first.operation.pointer);
  const where = place === undefined ? file : shownPlace(place);
  const { method, path, pointer } = second.operation;
  return problem(
    'path-in-two-documents',
    `${method.toUpperCase()} ${path} is at ${where} as well, which answers it`,
    {
      pointer,
      help: 'serve the two documents with separate mocks, or remove the path from one of them',
      location: second.contract.document.locate(pointer),
    },
  );
}
