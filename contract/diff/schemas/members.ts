import type { Schema } from '../../model.ts';
import { bothTake, type Comparing } from './comparing.ts';
import type { FlatSchema, Node, Part } from './flat-schema.ts';
import type { Schemas } from './flat.ts';

/** Compares the members of objects, and the rule for undescribed members. */
export function compareMembers(comparing: Comparing): void {
  if (!bothTake(comparing, 'object')) return;
  const { old, new: next, schemas } = comparing;
  for (const name of new Set([...namesOf(old), ...namesOf(next)])) {
    const before = sideOf(old, schemas.old, name, comparing);
    const after = sideOf(next, schemas.new, name, comparing);
    if (before.isThere && after.isThere) compareBoth(comparing, name, before, after);
    else if (after.isThere) added(comparing, name, before, after);
    else if (before.isThere) removed(comparing, name, before, after);
  }
  compareOthers(comparing);
}

// --- internal ---

interface Side {
  readonly node: Node;
  readonly isThere: boolean;
  readonly isRequired: boolean;
  /** The member is described, but not for this direction. */
  readonly hidden: 'readOnly' | 'writeOnly' | undefined;
  /** The member's description, or the object around it. */
  readonly at: string;
  readonly requiredAt: string | undefined;
}

function namesOf({ members, required }: FlatSchema): string[] {
  return [...members.keys(), ...required.keys()];
}

function sideOf(flat: FlatSchema, schemas: Schemas, name: string, { way }: Comparing): Side {
  const parts = flat.members.get(name) ?? [];
  const isNamed = parts.length > 0 || flat.required.has(name);
  const node = schemas.nodeOf(parts, `${flat.owner}.${name}`, flat.pointer);
  const mark = way.direction === 'request' ? 'readOnly' : 'writeOnly';
  const isHidden = isNamed && parts.length > 0 && isMarked(parts, node, schemas, mark);
  return {
    node,
    isThere: isNamed && !isHidden,
    isRequired: flat.required.has(name) && !isHidden,
    hidden: isHidden ? mark : undefined,
    at: parts[0]?.pointer ?? flat.required.get(name) ?? flat.pointer,
    requiredAt: flat.required.get(name),
  };
}

function isMarked(parts: readonly Part[], node: Node, schemas: Schemas, mark: string): boolean {
  const says = (schema: Schema): boolean => typeof schema === 'object' && schema[mark] === true;
  if (parts.some(({ schema }) => says(schema))) return true;
  return (
    schemas
      .flat(node)
      .keywords.get(mark)
      ?.some(({ value }) => value === true) === true
  );
}

function compareBoth(comparing: Comparing, name: string, before: Side, after: Side): void {
  const { new: next, report, compare } = comparing;
  if (before.isRequired !== after.isRequired) {
    const label = `${next.owner}.${name}`;
    const pair = { before: before.requiredAt ?? before.at, after: after.requiredAt ?? after.at };
    if (after.isRequired) report('member-required', 'narrowed', { says: `${label} is required` }, pair);
    else report('member-optional', 'widened', { says: `${label} is no longer required` }, pair);
  }
  compare(before.node, after.node);
}

function added(comparing: Comparing, name: string, before: Side, after: Side): void {
  const { old, new: next, report, compare } = comparing;
  const why = before.hidden === undefined ? '' : `: it is no longer ${before.hidden}`;
  const says = `${next.owner}.${name} is new${after.isRequired ? ' and required' : ''}${why}`;
  const pair = { before: before.at, after: after.at };
  report(
    'member-added',
    'same',
    // A receiver that follows the old version and refuses undeclared members refuses this one.
    { says, sender: after.isRequired ? 'wire' : 'none', receiver: old.others.closed ? 'wire' : 'none' },
    pair,
  );
  if (old.others.node !== undefined && !old.others.closed)
    compare(othersOf(old, comparing.schemas.old), after.node);
}

function removed(comparing: Comparing, name: string, before: Side, after: Side): void {
  const { old, new: next, report, compare } = comparing;
  const why = after.hidden === undefined ? '' : `: it is ${after.hidden} now`;
  const says = `${old.owner}.${name} is gone${why}`;
  const pair = { before: before.at, after: after.at };
  report(
    'member-removed',
    'same',
    { says, sender: next.others.closed ? 'wire' : 'code', receiver: before.isRequired ? 'wire' : 'code' },
    pair,
  );
  if (next.others.node !== undefined && !next.others.closed)
    compare(before.node, othersOf(next, comparing.schemas.new));
}

function othersOf(flat: FlatSchema, schemas: Schemas): Node {
  const { node, pointer } = flat.others;
  return schemas.nodeOf(node?.parts ?? [], `${flat.owner}[…]`, pointer);
}

function compareOthers(comparing: Comparing): void {
  const { old, new: next, schemas, report, compare } = comparing;
  const [before, after] = [old.others, next.others];
  const pair = { before: before.pointer, after: after.pointer };
  if (before.closed !== after.closed) {
    if (after.closed)
      report('other-members-refused', 'narrowed', { says: `${next.owner} refuses undeclared members` }, pair);
    else report('other-members-allowed', 'widened', { says: `${next.owner} takes undeclared members` }, pair);
    return;
  }
  if (before.closed || (before.node === undefined && after.node === undefined)) return;
  if (before.node === undefined || after.node === undefined) {
    const isTighter = after.node !== undefined;
    const says = isTighter
      ? `the undeclared members of ${next.owner} have a schema`
      : `the undeclared members of ${next.owner} can be anything`;
    report('other-members-typed', isTighter ? 'narrowed' : 'widened', { says }, pair);
    return;
  }
  compare(othersOf(old, schemas.old), othersOf(next, schemas.new));
}
