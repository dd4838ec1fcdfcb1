import type { JSX } from 'preact';
import type { SentExchange } from '../../control/shape.ts';
import { steer } from '../control-client.ts';
import { asCurl } from '../copy-as.ts';
import { viteConfig } from '../proxy-snippet.ts';
import { connection, learnOf, state } from '../live.ts';
import { ActButton, CopyButton, Head } from '../parts.tsx';
import { address, go, route } from '../route.ts';

/** What one sees before the first call. */
export function Onboarding(): JSX.Element {
  const known = state.value;
  if (known === undefined) {
    return (
      <>
        <Head title="Journal" about="Every call with its answer, and why it was answered so." />
        <p class="empty">
          {connection.value === 'lost'
            ? 'The mock does not answer. The page tries again by itself.'
            : 'Connecting to the mock …'}
        </p>
      </>
    );
  }
  const { sample, url } = known;
  const curl =
    sample === undefined ? `curl -i ${url}/` : asCurl({ ...sample, url: `${url}${sample.target}` });
  const send = async (): Promise<void> => {
    if (sample === undefined) return;
    const sent = await steer<SentExchange>('POST', 'requests', sample);
    if (sent === undefined) return;
    await learnOf(sent.number);
    // Whoever has gone on meanwhile is not to be fetched back.
    if (route.value.view === 'journal') go('journal', String(sent.number));
  };
  return (
    <>
      <Head title="Journal" about="Every call with its answer, and why it was answered so." />
      <div class="scroll">
        <div class="onboarding card">
          <h2>Nobody has called yet</h2>
          <p class="soft">
            The mock listens on <code>{url}</code> and serves{' '}
            {known.apis.map(({ title }) => title).join(', ')}.
            {url.startsWith('https:') && (
              <>
                {' '}
                Clients have to trust <a href="/certificate.pem">its certificate</a>: save it as{' '}
                <code>mock.pem</code>.
              </>
            )}{' '}
            A first call:
          </p>
          <pre class="code" tabIndex={0} aria-label="A first call">
            {curl}
          </pre>
          <div class="row">
            <CopyButton what="the command" text={() => curl}>
              Copy
            </CopyButton>
            <ActButton class="main" disabled={sample === undefined} act={send}>
              Send it from here
            </ActButton>
          </div>
          <h2>From a page of yours</h2>
          <p class="soft">
            Let the development server pass calls on: no key in the page, no question of origins.
          </p>
          <div class="body">
            <pre class="code" tabIndex={0} aria-label="A configuration of Vite">
              {viteConfig(known.apis, url)}
            </pre>
            <CopyButton what="the configuration" text={() => viteConfig(known.apis, url)}>
              Copy
            </CopyButton>
          </div>
          <h2>And then</h2>
          <p class="soft">
            <a href={address('scenarios')}>Make a failure happen</a>,{' '}
            <a href={address('clock')}>move the clock</a>, or read{' '}
            <a href={address('reference')}>what the contract says</a>.
          </p>
        </div>
      </div>
    </>
  );
}
