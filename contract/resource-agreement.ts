import { known, undeclaredStatus, type Contradiction } from './contradiction.ts';
import { isSuccess, type DeclaredFacts } from './declared-facts.ts';
import type { Operation } from './model.ts';
import { idParameter, type ResourcePolicy, type ResourceRole } from './policies/resource.ts';

/** Contradictions between a resource policy and the document: paths, methods, members and statuses. */
export function* resourceFacts(policy: ResourcePolicy, reader: DeclaredFacts): Generator<Contradiction> {
  const parameter = idParameter(policy);
  for (const [role, id] of Object.entries(policy.operations) as [ResourceRole, string][]) {
    for (const operation of reader.operations([id])) {
      const at = ['operations', role];
      if (!METHODS[role].includes(operation.method))
        yield { at, message: `${operation.method.toUpperCase()} cannot ${role} (${id})` };
      const names = operation.parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : []));
      const isNamed = role !== 'create' && role !== 'list';
      if (isNamed && !names.includes(parameter))
        yield { at, message: `the path of ${id} has no parameter ${parameter} for the id` };
      yield* memberFacts(policy, role, operation, reader);
      if (isNamed && !(role === 'replace' && policy.upsert === true))
        yield* undeclaredStatus({ operations: [id] }, ['missing'], policy.missing?.status, reader);
      if (role === 'create')
        yield* undeclaredStatus({ operations: [id] }, ['taken'], policy.taken?.status, reader);
    }
  }
}

// --- internal ---

const METHODS: Readonly<Record<ResourceRole, readonly string[]>> = {
  create: ['post', 'put'],
  list: ['get', 'post'],
  read: ['get'],
  replace: ['put', 'post'],
  patch: ['patch', 'post', 'put'],
  delete: ['delete', 'post'],
};

function* memberFacts(
  { id, item, items }: ResourcePolicy,
  role: ResourceRole,
  operation: Operation,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  for (const body of reader.bodies(operation, isSuccess)) {
    if (role === 'list') {
      if (items !== undefined) yield* known(['items'], items, body, operation, reader);
    } else if (item !== undefined) yield* known(['item'], item, body, operation, reader);
    if (role === 'read') {
      const path = item === undefined ? id.member : `${item}.${id.member}`;
      if (item === undefined || reader.at(body, item).length > 0)
        yield* known(['id', 'member'], path, body, operation, reader);
    }
  }
}
