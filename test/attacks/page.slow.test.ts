// @module-tag attack
// @module-tag long
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';
import { launch } from '../e2e/browser.ts';
import { newContext, openPage, type OpenPage } from '../inspector/open-page.ts';
import { call, run } from '../inspector/traffic.ts';

/** Each way to be more than text, and what must be on the page for it to have been shown at all. */
const ways: readonly (readonly [what: string, text: string])[] = [
  ['a script', 'seen<script>pwned()</script>'],
  ['a picture with a handler', 'seen<img src=x onerror=pwned()>'],
  ['a drawing with a handler', 'seen<svg onload=pwned()><a href="javascript:pwned()">a</a></svg>'],
  ['a frame', 'seen<iframe srcdoc="<script>parent.pwned()</script>"></iframe>'],
  ['the end of an attribute', 'seen" onmouseover="pwned()" autofocus onfocus="pwned()" x="'],
  ['the end of an attribute in single quotes', "seen' onfocus='pwned()' autofocus x='"],
  ['the end of a text element', 'seen</textarea></title></style></script><script>pwned()</script>'],
  ['an address that runs', 'seen javascript:pwned() data:text/html,<script>pwned()</script>'],
  [
    'a style that loads',
    'seen<style>@import "http://evil.example/"</style><link rel=stylesheet href=http://evil.example/>',
  ],
  ['a form', 'seen<form action=http://evil.example/><input name=x autofocus onfocus=pwned()></form>'],
  [
    'a base and a refresh',
    'seen<base href=http://evil.example/><meta http-equiv=refresh content="0;url=http://evil.example/">',
  ],
  ['a template', 'seen{{constructor.constructor("pwned()")()}}${pwned()}'],
  ['entities', 'seen&lt;script&gt;pwned()&lt;/script&gt;&#60;img src=x onerror=pwned()&#62;'],
  ['turned text', 'seen\u202e\u2066gpj.exe\u2069\u202c\u200b\ufeff'],
  [
    'a virtual node',
    'seen{"type":"script","props":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=pwned()>"}},"constructor":null}',
  ],
  ['a name of every object', '__proto__'],
  ['a text of 100 kB without a blank', `seen${'W'.repeat(100_000)}`],
  ['a text of marks that pile up', `seen${'Z\u0351\u036b\u0343\u036a'.repeat(2_000)}`],
];

/** The elements that a text becomes if it is not escaped. The page itself has none of these inside its root. */
const MADE = [
  'script',
  'img',
  'iframe',
  'base',
  'meta',
  'link',
  'style',
  'object',
  'embed',
  '[onerror]',
  '[onload]',
  '[onfocus]',
  '[onmouseover]',
  '[href^="javascript:" i]',
  '[href^="http:" i]',
  '[href^="data:" i]',
  '[action]',
]
  .map((selector) => `#inspector ${selector}`)
  .join();

describe('the page of the control port', { tags: 'browser' }, () => {
  let chromium: Browser;
  let context: BrowserContext;
  let mock: RunningMock;
  let opened: OpenPage | undefined;
  beforeAll(async () => {
    chromium = await launch();
    context = await newContext(chromium, 'light');
    mock = await startMock({ clock: virtualClock({ auto: false }) });
  });
  beforeEach(() => {
    mock.reset();
  });
  afterEach(async () => {
    const faults = opened?.faults ?? [];
    await opened?.page.close();
    opened = undefined;
    expect(faults).toStrictEqual([]);
  });
  afterAll(async () => {
    await chromium.close();
    await mock.stop();
  });

  const control = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  /** Puts a text wherever a caller, a keeper or a document can. */
  async function infest(text: string): Promise<void> {
    const encoded = encodeURIComponent(text.slice(0, 2_000));
    const short = text.slice(0, 200);
    await run(mock, 'mock/ok', { body: { prompt: text, [text]: { [text]: [text] } } });
    await run(mock, 'mock/ok', { idempotencyKey: encodeURIComponent(short), body: { prompt: text } });
    await run(mock, 'mock/ok', {
      idempotencyKey: printable(short),
      key: `service-mock-ok+${printable(short)}`,
    });
    await run(mock, `${encoded}/${encoded}`);
    await call(mock, { path: `/v1/models?cursor=${encoded}&${encoded}=${encoded}` });
    await call(mock, {
      path: `/publishers/acme/nodes/${encoded}/versions`,
      body: { node: { name: text }, personal_access_token: text },
    });
    await call(mock, {
      path: '/api/v2/jobs',
      idempotencyKey: printable(short),
      body: {
        workflow: {
          '1': { class_type: 'WriteText', inputs: { text, [text]: text } },
          [text]: { class_type: text },
        },
      },
    });
    await call(mock, {
      path: '/api/v2/jobs',
      body: { workflow: { '1': { class_type: 'WriteText', inputs: { text } } } },
    });
    await control('PUT', `models/${encodeURIComponent(short)}/${encodeURIComponent(short)}`, {
      chargesOnPolicyRejection: text,
      inputSchema: { title: text, description: text },
    });
    await control('POST', 'scenarios', { name: 'unavailable', caller: text, times: 1 });
    await control('POST', 'requests', {
      method: 'GET',
      target: `/${printable(text)}`,
      headers: [['X-Evil', printable(text)]],
      body: text,
    });
    await control('POST', 'snapshots', { name: short });
  }

  /**
   * The page shows texts as texts at each of these addresses: it made nothing of them, and nothing ran. One question to the
   * browser for all of them, since there are hundreds.
   */
  async function expectText(page: Page, hashes: readonly string[]): Promise<void> {
    const wrong = await page.evaluate(`(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const found = [];
      for (const hash of ${JSON.stringify(hashes)}) {
        const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
        const before = location.href;
        location.hash = hash;
        if (location.href !== before) await changed;
        const [, number] = /^#\\/journal\\/(\\d+)$/.exec(hash) ?? [];
        const shown = number ? '.exchange[aria-label="Exchange ' + number + '"]' : '#inspector :is(h1, h2)';
        const until = performance.now() + 20_000;
        do await frame(); while (document.querySelector(shown) === null && performance.now() < until);
        await frame();
        const seen = {
          missing: document.querySelector(shown) === null,
          made: [...document.querySelectorAll(${JSON.stringify(MADE)})].map((made) => made.outerHTML.slice(0, 300)),
          calls: window.pwnedCalls,
          steering: document.querySelectorAll('base, meta[http-equiv=refresh i]').length,
          // What is wider than the screen would move what people click on.
          overflows: document.documentElement.scrollWidth > innerWidth,
        };
        if (seen.missing || seen.made.length > 0 || seen.calls > 0 || seen.steering > 0 || seen.overflows)
          found.push([hash.slice(0, 100), seen]);
      }
      return found;
    })()`);
    expect(wrong).toStrictEqual([]);
  }

  const batches = [ways.slice(0, 6), ways.slice(6, 12), ways.slice(12)];
  test.each(batches.map((batch) => [batch.map(([what]) => what).join(', '), batch] as const))(
    'every view shows the content of the journal and of the mock as text: %s',
    async (_names, batch) => {
      const firsts = new Map<number, string>();
      for (const [, text] of batch) {
        const before = new Set(mock.journal.entries().map(({ number }) => number));
        await infest(text);
        const first = mock.journal.entries().find(({ number }) => !before.has(number));
        if (first !== undefined) firsts.set(first.number, text);
      }
      expect(firsts.size).toBe(batch.length);
      opened = await openPage(context, 'about:blank');
      const { page } = opened;
      await page.addInitScript('window.pwnedCalls = 0; window.pwned = () => { window.pwnedCalls += 1; };');
      await page.goto(`${mock.controlUrl ?? ''}/#/journal`);
      const views = [
        'journal',
        'keys',
        'jobs',
        'scenarios',
        'clock',
        'ledger',
        'catalogue',
        'callers',
        'snapshots',
        'reference',
        ...mock.journal.entries().map(({ number }) => `journal/${String(number)}`),
      ];
      await expectText(
        page,
        views.map((view) => `#/${view}`),
      );
      for (const [number, text] of firsts) {
        await expectText(page, [`#/journal/${String(number)}`]);
        expect(await page.locator('.exchange').textContent()).toContain(text.slice(0, 4));
      }
      const hashes = batch.flatMap(([, text]) => [
        text,
        `journal/${text}`,
        `jobs/${text}`,
        `journal?q=${text}`,
        `reference/${text}`,
        `keys/${encodeURIComponent(text)}`,
      ]);
      await expectText(
        page,
        hashes.map((hash) => `#/${hash.slice(0, 4_000)}`),
      );
    },
  );

  test('a page of another origin can neither read, write, embed nor follow the control port', async () => {
    await run(mock, 'mock/ok');
    const elsewhere: Server = createServer((request, response) => {
      const sandbox =
        request.url === '/sandboxed'
          ? { 'Content-Security-Policy': 'sandbox allow-scripts allow-forms' }
          : {};
      response
        .writeHead(200, { 'Content-Type': 'text/html', ...sandbox })
        .end('<!doctype html><body>elsewhere');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const page = await context.newPage();
    try {
      const here = `http://127.0.0.1:${String((elsewhere.address() as AddressInfo).port)}`;
      await page.goto(`${here}/`);
      const base = `${mock.controlUrl ?? ''}/control/v1`;
      const tried = (code: string): Promise<unknown> => page.evaluate(`(async () => { ${code} })()`);
      const write = (init: string): Promise<unknown> =>
        tried(
          `return await fetch('${base}/reset', ${init}).then((r) => r.type + r.status, () => 'refused');`,
        );
      expect(
        await tried(`return await fetch('${base}/journal').then((r) => r.text(), () => 'refused');`),
      ).toBe('refused');
      expect(
        await write(`{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }`),
      ).toBe('refused');
      await write(`{ method: 'POST', mode: 'no-cors', body: '{}' }`);
      await write(`{ method: 'POST', mode: 'no-cors', body: new Blob(['{}']) }`);
      await write(
        `{ method: 'POST', mode: 'no-cors', body: new Blob(['{}'], { type: 'application/json' }) }`,
      );
      await write(`{ method: 'POST', mode: 'no-cors', body: new URLSearchParams('a=b') }`);
      await write(`{ method: 'POST', mode: 'no-cors', body: new FormData() }`);
      await write(`{ method: 'DELETE' }`);
      await tried(`navigator.sendBeacon('${base}/reset', new Blob(['{}']));`);
      const told = `return await new Promise((resolve) => { const s = `;
      const ends = `; s.onmessage = s.onopen = () => resolve('open'); s.onerror = () => resolve('refused'); });`;
      expect(await tried(`${told} new EventSource('${base}/stream')${ends}`)).toBe('refused');
      expect(await tried(`${told} new WebSocket('${base.replace('http', 'ws')}/stream')${ends}`)).toBe(
        'refused',
      );
      const embedded = (tag: string): Promise<unknown> =>
        tried(`return await new Promise((resolve) => { const e = document.createElement('${tag}');
          e.onload = () => resolve('loaded'); e.onerror = () => resolve('refused'); e.src = '${base}/journal'; document.body.append(e); });`);
      expect(await embedded('script')).toBe('refused');
      expect(await embedded('img')).toBe('refused');
      const frame = `const f = document.createElement('iframe'); f.src = '${mock.controlUrl ?? ''}/'; document.body.append(f); await new Promise((resolve) => { f.onload = resolve; });`;
      await tried(frame);
      const shown = await Promise.all(
        page
          .frames()
          .slice(1)
          .map((each) => each.locator('#inspector').count()),
      );
      expect(shown).toStrictEqual([0]);
      // From a page with an origin, and from one without.
      for (const path of ['', 'sandboxed'])
        for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
          await page.goto(`${here}/${path}`);
          await tried(
            `const f = document.createElement('form'); Object.assign(f, { method: 'post', enctype: '${type}', action: '${base}/reset' });
             f.innerHTML = '<input name=a value=b>'; document.body.append(f); f.submit();`,
          );
          await page.waitForURL(`${base}/reset`);
          expect(await page.textContent('body')).toContain('may not control this mock');
        }
      expect(mock.journal.entries()).toHaveLength(1);
    } finally {
      await page.close();
      elsewhere.closeAllConnections();
      elsewhere.close();
    }
  });
});

/** What of a text can be in a header. */
function printable(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, 2_000);
}
