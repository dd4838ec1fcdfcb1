import { computed, signal } from '@preact/signals';
import type { Reference } from '../control/reference-shape.ts';
import { read } from './control-client.ts';
import { changes } from './live.ts';

/** The contract, read on first use, and again after a document was reloaded or the mock was replaced. */
export const reference = signal<Reference | undefined>(undefined);

/** The changes for which the contract was last read. */
let asked: number | undefined;

export function requestReference(): Reference | undefined {
  const change = changes(['documents']);
  if (asked !== change) {
    asked = change;
    read<Reference>('reference').then(
      (told) => {
        if (asked === change) reference.value = told;
      },
      () => {
        if (asked === change) asked = undefined;
      },
    );
  }
  return reference.value;
}

type Explained =
  | { readonly kind: 'rule'; readonly says: string; readonly source: string; readonly level: string }
  | { readonly kind: 'assumption'; readonly about: string; readonly mockUses: unknown };

/** The rule or open point with an id of a trail. */
export function explained(id: string): Explained | undefined {
  requestReference();
  return byId.value.get(id);
}

// --- internal ---

const byId = computed(() => {
  const known = new Map<string, Explained>();
  for (const { rules, unspecified } of reference.value?.apis ?? []) {
    for (const { id, says, source, level } of rules) known.set(id, { kind: 'rule', says, source, level });
    for (const { id, about, mockUses } of unspecified) known.set(id, { kind: 'assumption', about, mockUses });
  }
  return known;
});
