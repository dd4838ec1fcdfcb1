import type { Seen, Send, Trial } from '../trial.ts';

const blue = { Authorization: 'Bearer token-of-blue' };
const current = { 'If-Match': '*' };

const three = [
  { name: 'plain', value: 'a' },
  { name: 'rich', value: 'b' },
  { name: 'lush', value: 'c' },
];
const text = { type: 'text', name: 'Checkout', variants: three, enabled: true };
const yesNo = {
  type: 'boolean',
  name: 'Search',
  variants: [
    { name: 'off', value: false },
    { name: 'on', value: true },
  ],
};

/** A new environment; gives the path of its flags. */
async function placed(send: Send): Promise<string> {
  const made = await send('POST /environments', { name: 'Trial' });
  return `/environments/${String(made.json.id)}/flags`;
}

/** A new flag; gives its path. */
async function flagged(send: Send, settings: object = {}): Promise<string> {
  const path = `${await placed(send)}/checkout`;
  await send(`PUT ${path}`, { ...text, ...settings });
  return path;
}

async function some(send: Send, flags: string, all: Readonly<Record<string, object>>): Promise<void> {
  for (const [key, settings] of Object.entries(all))
    await send(`PUT ${flags}/${key}`, { ...text, ...settings });
}

const keysOf = ({ json }: Seen): string => json.items.map(({ key }: { key: string }) => key).join(' ');
const tagOf = (seen: Seen): string => String(seen.headers.get('etag'));
const numbered = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** All pages of two items, as keys. */
async function walked(send: Send, list: string): Promise<string> {
  const pages: string[] = [];
  let cursor = '';
  for (let page = 0; page < 10; page += 1) {
    const seen = await send(`GET ${list}&limit=2${cursor}`);
    pages.push(keysOf(seen));
    if (seen.json.next === undefined) break;
    cursor = `&cursor=${encodeURIComponent(String(seen.json.next))}`;
  }
  return pages.filter((page) => page !== '').join(' ');
}

const attribute = (name: string, value: string): object => ({
  attribute: name,
  operator: 'in',
  values: [value],
});

/** Whether a server keeps the statement that each fault breaks. */
export const flagTrials: Readonly<Record<string, Trial>> = {
  'rollout-rounded-by-patch': async (send) => {
    const path = await flagged(send);
    await send(`PATCH ${path}`, { rollout: 12.5 }, current);
    return (await send(`GET ${path}`)).json.rollout === 12.5;
  },
  'full-rollout-leaves-some': async (send) => {
    const path = await flagged(send);
    const reasons: unknown[] = [];
    for (const at of numbered(40))
      reasons.push((await send(`POST ${path}/evaluate`, { subject: `person-${at}` })).json.reason);
    return !reasons.includes('outside');
  },
  'share-moves-with-version': async (send) => {
    const path = await flagged(send);
    const subjects = numbered(15).map((at) => `person-${at}`);
    const all = async (): Promise<string> => {
      const variants: unknown[] = [];
      for (const subject of subjects)
        variants.push((await send(`POST ${path}/evaluate`, { subject })).json.variant);
      return variants.join();
    };
    const before = await all();
    await send(`PATCH ${path}`, { labels: { team: 'pay' } }, current);
    return (await all()) === before;
  },
  'last-rule-wins': async (send) => {
    const rules = ['rich', 'lush'].map((variant) => ({ variant, conditions: [attribute('country', 'pt')] }));
    const path = await flagged(send, { rules });
    const seen = await send(`POST ${path}/evaluate`, { subject: 'a', attributes: { country: 'pt' } });
    return seen.json.variant === 'rich';
  },
  'first-rule-unnamed': async (send) => {
    const path = await flagged(send, { rules: [{ variant: 'rich', conditions: [] }] });
    return (await send(`POST ${path}/evaluate`, { subject: 'a' })).json.rule === 0;
  },
  'refused-put-stored': async (send) => {
    const path = await flagged(send);
    const rules = [{ variant: 'nowhere', conditions: [] }];
    const refused = await send(`PUT ${path}`, { ...text, name: 'Another', rules }, current);
    return refused.status === 422 && (await send(`GET ${path}`)).json.name === 'Checkout';
  },
  'labels-replaced-whole': async (send) => {
    const path = await flagged(send, { labels: { team: 'pay' } });
    await send(`PATCH ${path}`, { labels: { tier: 'one' } }, current);
    return (await send(`GET ${path}`)).json.labels.team === 'pay';
  },
  'description-null': async (send) => {
    const path = await flagged(send, { description: 'Of the shop.' });
    await send(`PATCH ${path}`, { description: null }, current);
    return !('description' in (await send(`GET ${path}`)).json);
  },
  'replace-keeps-rollout': async (send) => {
    const path = await flagged(send, { rollout: 30 });
    await send(`PUT ${path}`, text, current);
    return (await send(`GET ${path}`)).json.rollout === 100;
  },
  'rules-keep-tag': async (send) => {
    const path = await flagged(send);
    const before = tagOf(await send(`GET ${path}`));
    await send(`PATCH ${path}`, { rules: [{ variant: 'rich', conditions: [] }] }, current);
    return tagOf(await send(`GET ${path}`)) !== before;
  },
  'archiving-keeps-tag': async (send) => {
    const path = await flagged(send);
    const before = tagOf(await send(`GET ${path}`));
    return tagOf(await send(`POST ${path}/archive`, undefined, current)) !== before;
  },
  'patch-race': async (send) => {
    const path = await flagged(send);
    const match = { 'If-Match': tagOf(await send(`GET ${path}`)) };
    const both = await Promise.all(['one', 'two'].map((name) => send(`PATCH ${path}`, { name }, match)));
    return both.filter(({ status }) => status === 200).length === 1;
  },
  'create-race': async (send) => {
    const path = `${await placed(send)}/checkout`;
    const new_ = { 'If-None-Match': '*' };
    const both = await Promise.all(
      ['one', 'two'].map((name) => send(`PUT ${path}`, { ...text, name }, new_)),
    );
    return both.filter(({ status }) => status === 201).length === 1;
  },
  'equal-rollouts-lost': async (send) => {
    const flags = await placed(send);
    await some(send, flags, { a: { rollout: 5 }, b: { rollout: 5 }, c: { rollout: 5 }, d: {} });
    return (await walked(send, `${flags}?sort=rollout`)) === 'a b c d';
  },
  'descending-turns': async (send) => {
    const flags = await placed(send);
    await some(send, flags, { a: { name: 'A' }, b: { name: 'B' }, c: { name: 'C' }, d: { name: 'D' } });
    return (await walked(send, `${flags}?sort=-name`)) === 'd c b a';
  },
  'filters-not-together': async (send) => {
    const flags = await placed(send);
    await some(send, flags, { a: {}, b: {}, c: yesNo });
    await send(`POST ${flags}/a/archive`, undefined, current);
    return keysOf(await send(`GET ${flags}?type=text&state=archived`)) === 'a';
  },
  'rollout-sorted-as-text': async (send) => {
    const flags = await placed(send);
    await some(send, flags, { a: { rollout: 100 }, b: { rollout: 9 } });
    return keysOf(await send(`GET ${flags}?sort=rollout`)) === 'b a';
  },
  'other-account-switches': async (send) => {
    const path = await flagged(send);
    const body = { flags: [{ key: 'checkout', enabled: false, tag: tagOf(await send(`GET ${path}`)) }] };
    const refused = await send(`POST ${path.replace('/flags/checkout', '/switch')}`, body, blue);
    return refused.status === 404 && (await send(`GET ${path}`)).json.enabled === true;
  },
  'other-account-audit': async (send) =>
    (await send(`GET ${await flagged(send)}/audit`, undefined, blue)).status === 404,
  'bulk-drops-missing': async (send) => {
    const path = await flagged(send);
    const items = ['none', 'checkout'].map((key) => ({ key, enabled: true, tag: '"x"' }));
    const seen = await send(`POST ${path.replace('/flags/checkout', '/switch')}`, { flags: items });
    return seen.json.results.map(({ status }: { status: number }) => status).join() === '404,412';
  },
  'bulk-no-audit': async (send) => {
    const path = await flagged(send);
    const body = { flags: [{ key: 'checkout', enabled: false, tag: tagOf(await send(`GET ${path}`)) }] };
    await send(`POST ${path.replace('/flags/checkout', '/switch')}`, body);
    return (await send(`GET ${path}/audit`)).json.items[0].action === 'switched';
  },
  'audit-keeps-ten': async (send) => {
    const path = await flagged(send);
    for (const at of numbered(12)) await send(`PATCH ${path}`, { name: `Name ${at}` }, current);
    return (await send(`GET ${path}/audit`)).json.items.at(-1).action === 'created';
  },
  'audit-outlives-flag': async (send) => {
    const path = await flagged(send);
    await send(`DELETE ${path}`, undefined, current);
    await send(`PUT ${path}`, text);
    return (await send(`GET ${path}/audit`)).json.items.length === 1;
  },
  'flags-outlive-environment': async (send) => {
    const path = await flagged(send);
    await send(`DELETE ${path.replace('/flags/checkout', '')}`);
    return (await send(`GET ${path}`)).status === 404;
  },
  'flag-count-keeps-deleted': async (send) => {
    const path = await flagged(send);
    await send(`DELETE ${path}`, undefined, current);
    return (await send(`GET ${path.replace('/flags/checkout', '')}`)).json.flag_count === 0;
  },
  'deleted-environments-count': async (send) => {
    const first = (await placed(send)).replace('/flags', '');
    for (const _ of numbered(11)) await placed(send);
    const over = await send('POST /environments', { name: 'Over' });
    await send(`DELETE ${first}`);
    return over.status === 409 && (await send('POST /environments', { name: 'Over' })).status === 201;
  },
  'request-id-lost-on-304': async (send) => {
    const path = await flagged(send);
    const seen = await send(`GET ${path}`, undefined, { 'If-None-Match': tagOf(await send(`GET ${path}`)) });
    return seen.status === 304 && seen.headers.has('x-request-id');
  },
  'name-in-utf16': async (send) => {
    const path = `${await placed(send)}/checkout`;
    return (await send(`PUT ${path}`, { ...text, name: '🚩'.repeat(40) })).status === 201;
  },
  'unarchive-switches-off': async (send) => {
    const path = await flagged(send);
    await send(`POST ${path}/archive`, undefined, current);
    await send(`POST ${path}/unarchive`, undefined, current);
    return (await send(`GET ${path}`)).json.enabled === true;
  },
  'subject-percent-fails': async (send) =>
    (await send(`POST ${await flagged(send)}/evaluate`, { subject: '100% of it' })).status === 200,
};
