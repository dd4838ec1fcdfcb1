import type { Contract } from '../contract/index.ts';
import { member } from './exchanges/exchange.ts';

/** The names and the addresses of the contract's documents, as the OpenAPI documents state them. */
export function documentsOf(
  contracts: readonly Contract[],
): ReadonlyMap<number, { readonly title?: string; readonly url?: string }> {
  return new Map(
    contracts.flatMap(({ sheet, document: { root } }) => {
      if (sheet === undefined) return [];
      const title = member(member(root, 'info'), 'title');
      const url = member(member(root, 'externalDocs'), 'url');
      const isAddress = typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url);
      const named = {
        ...(typeof title === 'string' ? { title } : {}),
        ...(isAddress ? { url } : {}),
      };
      return [[sheet.document, named] as const];
    }),
  );
}
