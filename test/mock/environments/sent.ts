import { join } from 'node:path';
import { loadContract, type Contract } from '../../../contract/index.ts';

/** What the files of this folder send. */
export const key = 'service-mock-ok';
export const authorized = { Authorization: `Bearer ${key}` };
export const json = { ...authorized, 'Content-Type': 'application/json' };
export const graph = { 1: { class_type: 'WriteText', inputs: { text: 'a' } } };
export const publication = {
  method: 'POST',
  headers: json,
  body: JSON.stringify({
    personal_access_token: 'pat-mock-ok',
    node: { name: 'Upscaler' },
    node_version: { version: '1.0.0' },
  }),
};
export const versions = '/publishers/acme/nodes/acme-upscaler/versions';

export function form(): FormData {
  const fields = new FormData();
  fields.append('title', 'A lighthouse');
  fields.append('file', new Blob([new TextEncoder().encode('picture bytes')]), 'lighthouse.png');
  return fields;
}

/** A document that takes `form()`. */
export async function ownDocument(): Promise<Contract> {
  const document = join(import.meta.dirname, '../../fixtures/documents/uploads.yaml');
  const loaded = await loadContract({ document });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.contract;
}
