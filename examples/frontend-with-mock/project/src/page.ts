/** Shows how a page reads every kind of outcome. The address of the mock comes in the query: `?api=http://…`. */
import {
  connect,
  ContentPolicyViolationError,
  InsufficientCreditsError,
  ProviderTimeoutError,
  runModel,
  settle,
} from './api/router/index.js';
import type { RouterError } from './api/router/index.js';

const baseUrl = new URLSearchParams(location.search).get('api') ?? '/api';
const outcomes = document.querySelector('#outcomes');
const state = document.querySelector('#state');

/** What a person reads; decided by the class of the error, never by a status. */
function sentence(error: RouterError): string {
  if (error instanceof ProviderTimeoutError) return 'The partner did not answer. You were charged.';
  if (error instanceof InsufficientCreditsError) return 'You are out of credits.';
  if (error instanceof ContentPolicyViolationError) return 'The partner refuses this picture.';
  return `Something went wrong: ${error.name}`;
}

async function show(model: string, key = 'service-mock-ok'): Promise<void> {
  const connection = connect({ baseUrl, credentials: { ApiKeyAuth: key }, retries: 0 });
  const body = { prompt: 'a notched stick' };
  const outcome = await settle(runModel(connection, { provider: 'mock', model, body }));
  const item = document.createElement('li');
  item.textContent = `${model}: ${outcome.ok ? 'a picture' : sentence(outcome.error)}`;
  outcomes?.append(item);
}

await show('ok');
await show('provider-timeout');
await show('policy-refused-billed');
await show('ok', 'service-mock-no-credits');
await show('unknown-bucket');
if (state !== null) state.textContent = 'done';
