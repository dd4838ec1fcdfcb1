/** Prints the catalogue with the known facts about charges. Address and key come from the environment. */
import { createRouter, settle } from './api/router/index.js';
import type { RouterModelDetail } from './api/router/index.js';

const router = createRouter({
  baseUrl: process.env['ROUTER_URL'] ?? 'https://api.example.com',
  credentials: { ApiKeyAuth: process.env['ROUTER_KEY'] },
});

/** `unknown`, and any value of a later version, means that it might charge. */
function mightCharge(detail: RouterModelDetail): boolean {
  return detail.billing.charges_on_policy_rejection !== 'no';
}

let shown = 0;
for await (const { id, provider, model } of router.listModels.items({ limit: 100 })) {
  if (shown === 3) break;
  const outcome = await settle(router.getModel({ provider, model }));
  // An entry can disappear between the page and the read.
  if (!outcome.ok) continue;
  console.log(`${id}: ${mightCharge(outcome.data) ? 'might charge' : 'does not charge'} for what it refuses`);
  shown += 1;
}
