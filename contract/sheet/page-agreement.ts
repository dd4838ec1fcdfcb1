import { known, type Contradiction } from '../schemas/contradiction.ts';
import type { PagesPolicy, PaginationPolicy } from '../policies/pagination.ts';
import { isSuccess, type DeclaredFacts } from './declared-facts.ts';

/** Contradictions between a policy about pages and the document: parameters, limits, members and headers. */
export function* pageFacts(policy: PagesPolicy, reader: DeclaredFacts): Generator<Contradiction> {
  const { page = {} } = policy;
  const { limit: echo, next }: PaginationPolicy['page'] = page;
  for (const operation of reader.operations(policy.operations)) {
    const query = (name: string) =>
      operation.parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);
    const limit = query(policy.limitParameter)?.schema;
    yield* numbers('defaultLimit', policy.defaultLimit, reader.says(limit, 'default'), {
      what: `the default of the parameter ${policy.limitParameter} of ${operation.id}`,
    });
    yield* numbers('maximumLimit', policy.maximumLimit, reader.says(limit, 'maximum'), {
      what: `the maximum of the parameter ${policy.limitParameter} of ${operation.id}`,
    });
    for (const least of reader.says(limit, 'minimum'))
      if (policy.zeroIsDefault === true && typeof least === 'number' && least > 0)
        yield {
          at: ['zeroIsDefault'],
          message: `the document allows no ${policy.limitParameter} below ${least} of ${operation.id}, so that none is read as the default`,
        };
    for (const [member, name] of Object.entries(policy)) {
      if (member.endsWith('Parameter') && query(String(name))?.required === true)
        yield {
          at: [member],
          message: `${String(name)} is left out for the first page, but the document requires it of ${operation.id}`,
        };
    }
    const { totalHeader: counted } = policy.kind === 'numbered-pages' ? policy : {};
    const declared = operation.responses
      .filter(({ status }) => isSuccess(status))
      .flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase()));
    if (counted !== undefined && declared.length > 0 && !declared.includes(counted.toLowerCase()))
      yield {
        at: ['totalHeader'],
        message: `the document declares no header ${counted} of ${operation.id}`,
      };
    for (const body of reader.bodies(operation, isSuccess)) {
      const types = reader.says(body, 'type').flat();
      if (page.items === undefined && types.length > 0 && !types.includes('array'))
        yield {
          at: ['page'],
          message: `the answer to ${operation.id} is not a list; name the member that contains the items`,
        };
      for (const [role, name] of Object.entries(page))
        yield* known(['page', role], name, body, operation, reader);
      if (
        next !== undefined &&
        reader.requires(body, next) &&
        !reader.at(body, next).some((schema) => reader.allowsNull(schema))
      )
        yield {
          at: ['page', 'next'],
          message: `${next} is left out of the last page, but the document requires it of ${operation.id}`,
        };
      for (const served of echo === undefined ? [] : reader.at(body, echo))
        yield* numbers('maximumLimit', policy.maximumLimit, reader.says(served, 'maximum'), {
          what: `the maximum of ${echo ?? ''} in the pages of ${operation.id}`,
        });
    }
  }
}

// --- internal ---

function* numbers(
  at: string,
  stated: number,
  declared: readonly unknown[],
  { what }: { readonly what: string },
): Generator<Contradiction> {
  for (const other of declared) {
    if (typeof other === 'number' && other !== stated)
      yield { at: [at], message: `${at} is ${stated}, but ${what} is ${other} in the document` };
  }
}
