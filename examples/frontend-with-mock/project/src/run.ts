import {
  ContentPolicyViolationError,
  InsufficientCreditsError,
  InvalidInputError,
  isConsumed,
  listModelsItems,
  ProviderTimeoutError,
  runModel,
  settle,
} from './api/router/index.js';
import type { RouterError } from './api/router/index.js';
import { router } from './connection.js';
import { addLine, element } from './element.js';

const chosen = element('model', HTMLSelectElement);
const prompt = element('prompt', HTMLInputElement);
const attempts = element('attempts', HTMLOListElement);
const outcome = element('outcome', HTMLParagraphElement);

/** Lists all models, page by page. */
export async function showModels(): Promise<void> {
  const connection = router(() => undefined);
  try {
    for await (const { id } of listModelsItems(connection, { limit: 50 })) chosen.append(new Option(id, id));
  } catch (error) {
    outcome.textContent = 'The models cannot be listed. Does the mock run? npm run mock';
    console.error(error);
  }
}

export function watchRuns(): void {
  let isRunning = false;
  element('run', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    // Two runs have two keys, so pressing twice would be charged twice.
    if (isRunning) return;
    isRunning = true;
    void run().finally(() => (isRunning = false));
  });
}

/**
 * Runs the chosen model and shows each attempt. All attempts share one key, so the run is charged at most
 * once.
 */
async function run(): Promise<void> {
  attempts.replaceChildren();
  outcome.textContent = 'Running …';
  const keys: (string | null)[] = [];
  const connection = router(({ key, status }) => {
    const isSame = keys.length === 0 || keys.at(-1) === key;
    keys.push(key);
    addLine(
      attempts,
      `${status ?? 'no answer'}${keys.length === 1 ? '' : isSame ? ', same key' : ', another key'}`,
    );
  });
  const [provider = '', model = ''] = chosen.value.split('/');
  const result = await settle(runModel(connection, { provider, model, body: { prompt: prompt.value } }));
  outcome.textContent = result.ok ? 'A picture.' : sentence(result.error);
}

/** The message for people, chosen by the class of the error, never by its status. */
function sentence(error: RouterError): string {
  if (error instanceof ProviderTimeoutError) return 'The partner did not answer. You were charged.';
  if (error instanceof InsufficientCreditsError) return 'You are out of credits.';
  if (error instanceof InvalidInputError && isConsumed(error))
    return 'The picture was generated but got lost in transit. It cannot be retrieved.';
  if (error instanceof ContentPolicyViolationError) return 'The partner refuses this picture.';
  return `Something went wrong: ${error.name}`;
}
