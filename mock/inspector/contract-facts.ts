import { computed, signal } from '@preact/signals';
import type { Reference } from '../control-shape.ts';
import { read } from './control-client.ts';

/** The contract, read once: it does not change while a mock runs. */
export const reference = signal<Reference | undefined>(undefined);

let asked = false;

export function wantReference(): Reference | undefined {
  if (!asked) {
    asked = true;
    read<Reference>('reference').then(
      (told) => (reference.value = told),
      () => (asked = false),
    );
  }
  return reference.value;
}

export type Explained =
  | { readonly kind: 'rule'; readonly says: string; readonly source: string; readonly level: string }
  | { readonly kind: 'assumption'; readonly about: string; readonly mockUses: unknown };

/** What an id of a trail stands for. */
export function explained(id: string): Explained | undefined {
  wantReference();
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
