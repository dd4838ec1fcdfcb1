/**
 * The code that a team would write with the generated client. It contains no URL, header or status of the
 * APIs.
 */
import { createJobs } from './api/jobs/index.js';
import { createRegistry } from './api/registry/index.js';
import {
  createRouter,
  DeadlineExceededError,
  ModelNotFoundError,
  ProviderTimeoutError,
  settle,
} from './api/router/index.js';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = '', key = ''] = process.argv;

await models();
await registry();
await jobs();

async function models(): Promise<void> {
  const router = createRouter({ baseUrl, credentials: { ApiKeyAuth: key } });
  const call = { provider: 'mock', body: { prompt: 'a notched stick' } };
  let listed = 0;
  let pages = 0;
  for await (const page of router.listModels.pages({ limit: 10 })) {
    pages += 1;
    listed += page.data.data.length;
  }
  console.log(`router    walked the catalogue: ${listed} models on ${pages} pages`);
  const first = await router.runModel({ ...call, model: 'ok' });
  const again = await router.runModel({ ...call, model: 'ok' }, { idempotencyKey: first.idempotencyKey });
  console.log(
    `router    mock/ok: ${first.status}; the same key again, replayed: ${again.replayed}, charged once`,
  );
  for (const model of ['deadline-exceeded', 'provider-timeout', 'no-such-model']) {
    const outcome = await settle(router.runModel({ ...call, model }, { retries: 0 }));
    if (outcome.ok) throw new Error(`mock/${model} was expected to fail`);
    const { error } = outcome;
    if (error instanceof DeadlineExceededError) {
      console.log(`router    mock/${model}: ${error.status} ${error.bucket}, not charged`);
    } else if (error instanceof ProviderTimeoutError) {
      console.log(`router    mock/${model}: ${error.status} ${error.bucket}, but charged`);
    } else if (error instanceof ModelNotFoundError) {
      console.log(`router    mock/${model}: ${error.status} ${error.bucket}`);
    } else {
      throw error;
    }
  }
}

async function registry(): Promise<void> {
  const client = createRegistry({ baseUrl, credentials: { BearerAuth: key } });
  const archive = new Blob(['an archive'], { type: 'application/zip' });
  const { answer, upload } = await client.publishNodeVersion.withUpload(
    {
      publisherId: 'acme',
      nodeId: 'acme-upscaler',
      body: {
        node: { id: 'acme-upscaler' },
        node_version: { version: '1.0.0' },
        personal_access_token: 'pat-mock-ok',
      },
    },
    archive,
  );
  console.log(
    `registry  published ${answer.data.node_version?.version ?? '?'}: ${answer.status}, archive of ${archive.size} bytes uploaded: ${upload.status}`,
  );
  const enhanced = await client.startSkinEnhancement({
    partner: 'northwind',
    body: { image: 'https://files.example.com/portrait.jpg', sharpen: 100 },
  });
  console.log(`proxy     skin enhancement started: ${enhanced.status}, ${enhanced.data.data?.status ?? '?'}`);
}

async function jobs(): Promise<void> {
  const client = createJobs({ baseUrl, credentials: { BearerAuth: key } });
  const picture = {
    1: { class_type: 'GeneratePicture', inputs: { prompt: 'a notched stick' } },
    2: { class_type: 'SavePicture', inputs: { picture: ['1', 0] } },
  };
  const submitted = await client.submitJob({ body: picture });
  const seen: string[] = [];
  let outputs = 0;
  let progress = 0;
  for await (const update of client.followJob({ id: submitted.data.id }, { from: submitted })) {
    if (update.kind === 'progress') progress += 1;
    if (update.kind !== 'status' && update.kind !== 'end') continue;
    outputs = update.resource.outputs.length;
    if (seen.at(-1) !== update.resource.status) seen.push(update.resource.status);
  }
  console.log(
    `jobs      followed one over its stream: ${seen.join(' → ')}; ${progress} times progress, ${outputs} output`,
  );
  const other = await client.submitJob({ body: { 1: { class_type: 'Wait', inputs: { seconds: 60 } } } });
  await client.cancelJob({ id: other.data.id });
  console.log(`jobs      cancelled another: ${(await client.waitForJob({ id: other.data.id })).status}`);
}
