/** What a team would write on top of the generated code. It knows no URL, no header and no status of the API. */
import {
  createRouter,
  DeadlineExceededError,
  ModelNotFoundError,
  ProviderTimeoutError,
  settle,
} from './api/router/index.js';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = '', key = ''] = process.argv;
const router = createRouter({ baseUrl, credentials: { ApiKeyAuth: key } });
const call = { provider: 'mock', body: { prompt: 'a notched stick' } };

let models = 0;
let pages = 0;
for await (const page of router.listModels.pages({ limit: 10 })) {
  pages += 1;
  models += page.data.data.length;
}
console.log(`walked the catalogue: ${models} models on ${pages} pages`);

const first = await router.runModel({ ...call, model: 'ok' });
console.log(`mock/ok: ${first.status}, replayed: ${first.replayed}`);

const again = await router.runModel({ ...call, model: 'ok' }, { idempotencyKey: first.idempotencyKey });
console.log(
  `mock/ok, the same key again: ${again.status}, replayed: ${again.replayed}, so it is charged once`,
);

for (const model of ['deadline-exceeded', 'provider-timeout', 'no-such-model']) {
  const outcome = await settle(router.runModel({ ...call, model }, { retries: 0 }));
  if (outcome.ok) throw new Error(`mock/${model} was expected to fail`);
  const { error } = outcome;
  if (error instanceof DeadlineExceededError) {
    console.log(`mock/${model}: ${error.status} ${error.bucket}, not charged`);
  } else if (error instanceof ProviderTimeoutError) {
    console.log(`mock/${model}: ${error.status} ${error.bucket}, charged all the same`);
  } else if (error instanceof ModelNotFoundError) {
    console.log(`mock/${model}: ${error.status} ${error.bucket}`);
  } else {
    throw error;
  }
}
