import type { Contract } from '../../contract/model.ts';
import type { Checks } from '../../engine/judge.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import type { Resources } from './resources.ts';

/**
 * The same API and checks, except that those who create several things judge each of them: an invalid one may be refused
 * by itself.
 */
export function judgingEach(
  contract: Contract,
  api: ServedApi,
  { checks, resources }: { readonly checks: Checks; readonly resources: Pick<Resources, 'judgedList'> },
): { readonly api: ServedApi; readonly checks: Checks } {
  const many = new Set(
    (contract.sheet?.policies ?? []).flatMap((policy) =>
      policy.kind === 'resource' ? (policy.operations.createMany ?? []) : [],
    ),
  );
  if (many.size === 0) return { api, checks };
  const own: Record<string, Checks[string]> = {};
  const operations = api.operations.map((operation) => {
    if (!many.has(operation.id) || operation.body === undefined) return operation;
    const contents = operation.body.contents.map((content) => {
      if (content.bodyFormat !== 'json' || content.schema === undefined) return content;
      const schema = `${content.schema} of ${operation.id}, apart from its things`;
      own[schema] = (value) => {
        const errors = resources.judgedList(operation.id, value);
        return errors.length === 0 ? { ok: true } : { ok: false, errors };
      };
      return { ...content, schema };
    });
    return { ...operation, body: { ...operation.body, contents } };
  });
  return { api: { ...api, operations }, checks: { ...checks, ...own } };
}
