import { policyFor } from '../../contract/index.ts';
import type { Operation } from '../../contract/model.ts';
import { followed } from '../../contract/pointer.ts';
import type { Assembly } from '../assembly.ts';
import type { ApiWithEngine } from '../call/pipeline.ts';
import { operationSample } from '../samples/declared-sample.ts';
import { ControlMistake } from './api-control.ts';
import type { OperationShape } from './reference-shape.ts';
import type { SampleCall } from './shape.ts';

/** One operation as its document describes it, with a call to try it. */
export function operationOf({ apis }: Assembly, name: string, id: string): OperationShape {
  const api = apis.find(({ contract }) => contract.name === name);
  const operation = api?.operations.get(id);
  if (api === undefined || operation === undefined)
    throw new ControlMistake(`This mock does not serve operation ${id} of ${name}.`, 404);
  const call = sampleOf(api, operation);
  const keyHeader = policyFor(operation, 'idempotency')?.requestHeader;
  const { root } = api.contract.document;
  const contentOf = (content: Operation['responses'][number]['content']): OperationShape['bodies'] =>
    content.map(({ mediaType, schema }) => ({ mediaType, schema: followed(root, schema) }));
  return {
    api: name,
    id,
    method: operation.method.toUpperCase(),
    path: `${api.mountPrefix ?? ''}${operation.path}`,
    summary: operation.summary,
    parameters: operation.parameters.map(({ name: parameter, in: place, required, description, schema }) => ({
      ...{ name: parameter, in: place, required, description },
      schema: followed(root, schema),
    })),
    bodies: contentOf(operation.requestBody?.content ?? []),
    answers: operation.responses.map(({ status, description, content }) => ({
      ...{ status, description },
      bodies: contentOf(content),
    })),
    ...(keyHeader === undefined ? {} : { keyHeader }),
    ...(call === undefined ? {} : { call }),
  };
}

// --- internal ---

/** The API's own sample if it is for this operation, because that succeeds. */
function sampleOf(api: ApiWithEngine, operation: Operation): SampleCall | undefined {
  const own = api.sample?.();
  const isOwn = own?.target === operation.path && own.method === operation.method.toUpperCase();
  const call = isOwn ? own : operationSample(api, operation);
  return call === undefined ? undefined : { ...call, target: `${api.mountPrefix ?? ''}${call.target}` };
}
