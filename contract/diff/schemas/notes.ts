import { type Comparing, pairOf } from './comparing.ts';
import type { FlatSchema } from './flat-schema.ts';
import { canonical } from '../../canonical-json.ts';

/** Compares annotations that do not constrain values: defaults and deprecation. */
export function compareNotes(comparing: Comparing): void {
  const { old, new: next, report, way } = comparing;
  const [was, is] = [defaultOf(old), defaultOf(next)];
  if (was !== is) {
    const says = `${next.label}: the default was ${was ?? 'absent'} and is ${is ?? 'absent'}`;
    // A caller that leaves out the member relies on the default. In an answer, defaults are not filled in.
    if (way.direction === 'request') {
      const reason =
        'a caller that leaves it out gets another value; the document does not say whether that matters';
      report('default-changed', 'unknown', { says, reason }, pairOf(comparing));
    } else report('default-changed', 'same', { says }, pairOf(comparing));
  }
  const [isOld, isNew] = [isDeprecated(old), isDeprecated(next)];
  if (isOld === isNew) return;
  const says = isNew ? `${next.label} is deprecated` : `${next.label} is no longer deprecated`;
  report(isNew ? 'schema-deprecated' : 'schema-restored', 'same', { says }, pairOf(comparing));
}

// --- internal ---

function defaultOf({ keywords }: FlatSchema): string | undefined {
  const found = keywords.get('default')?.[0];
  return found && canonical(found.value).slice(0, 200);
}

function isDeprecated({ keywords }: FlatSchema): boolean {
  return keywords.get('deprecated')?.some(({ value }) => value === true) === true;
}
