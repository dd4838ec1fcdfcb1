import { bodyText } from '../../call/answer.ts';
import type { Behaviour } from '../../call/call.ts';
import type { Registry } from './context.ts';
import { secretsIn } from '../../../contract/secrecy/index.ts';

/**
 * No answer repeats a secret of its request, even if the request also contains it elsewhere
 * (`registry.publish.pat-not-echoed`).
 */
export function withoutSecrets(registry: Registry): Behaviour {
  const members = new Set(registry.facts.secrets);
  return async (call, next) => {
    const answer = await next();
    if (answer.body.kind !== 'json') return answer;
    const text = bodyText(answer.body);
    const sent = call.request.body();
    if (sent.kind !== 'json') return answer;
    const secrets = secretsIn({ headers: [], body: sent.text }, { members }).map((secret) =>
      JSON.stringify(secret).slice(1, -1),
    );
    if (!secrets.some((secret) => text.includes(secret))) return answer;
    const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text);
    return { ...answer, body: { kind: 'json', value: JSON.parse(clean) as unknown } };
  };
}
