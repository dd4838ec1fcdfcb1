import type { JSX } from 'preact';
import type { SentExchange } from '../../control/calls-shape.ts';
import { steer } from '../control-client.ts';
import { asCurl } from '../copy-as.ts';
import { viteConfig } from '../proxy-snippet.ts';
import { connection, readExchange, state } from '../live.ts';
import { ActButton, CopyButton, Head } from '../parts.tsx';
import { address, go, route } from '../route.ts';

/** The journal before the first call. */
export function Onboarding(): JSX.Element {
  const known = state.value;
  if (known === undefined) {
    return (
      <>
        <Head title="Journal" about="Every call with its answer and the reasons for it." />
        <p class="empty">
          {connection.value === 'lost'
            ? 'The mock does not respond. The page keeps trying to connect.'
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
    await readExchange(sent.number);
    // The reader may have opened another view meanwhile.
    if (route.value.view === 'journal') go('journal', String(sent.number));
  };
  return (
    <>
      <Head title="Journal" about="Every call with its answer and the reasons for it." />
      <div class="scroll">
        <div class="onboarding card">
          <h2>No calls yet</h2>
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
            Try a first call:
          </p>
          <pre class="code" tabIndex={0} aria-label="A first call">
            {curl}
          </pre>
          <div class="row">
            <CopyButton what="the command" text={() => curl}>
              Copy
            </CopyButton>
            <ActButton class="main" disabled={sample === undefined} act={send}>
              Send it
            </ActButton>
          </div>
          <h2>Call it from your web app</h2>
          <p class="soft">
            Let the development server forward calls to the mock. Then the page needs no key, and CORS does
            not apply.
          </p>
          <div class="body">
            <pre class="code" tabIndex={0} aria-label="Vite configuration">
              {viteConfig(known.apis, url)}
            </pre>
            <CopyButton what="the configuration" text={() => viteConfig(known.apis, url)}>
              Copy
            </CopyButton>
          </div>
          <h2>Next steps</h2>
          <p class="soft">
            <a href={address('scenarios')}>Simulate a failure</a>,{' '}
            <a href={address('clock')}>advance the clock</a>, or read{' '}
            <a href={address('reference')}>the contract</a>.
          </p>
        </div>
      </div>
    </>
  );
}
