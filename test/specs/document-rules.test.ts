import { expect, test } from 'vitest';
import { documentRules } from './document-rules.ts';
import { apis, readDocument, readSheet, setAt } from './own-specs.ts';

const checks = Object.entries(documentRules).flatMap(([api, rules]) =>
  rules.map((rule) => ({ api, ...rule })),
);

test.each(checks)('$id: the document of $api keeps it', ({ api, check }) => {
  expect(check(readDocument(api))).toEqual([]);
});

const breaks = checks.flatMap(({ api, id, check, breaks }) =>
  breaks.map(({ path, value }) => ({ api, id, check, path, value, place: path.slice(-2).join(' > ') })),
);

test.each(breaks)('$id: a document that breaks it at $place is detected', ({ api, check, path, value }) => {
  const broken = readDocument(api);
  setAt(broken, path, value);
  expect(check(broken)).not.toEqual([]);
});

test.each(apis)(
  'every rule of %s that is about the document has a check, and every check a rule and a break',
  (api) => {
    const ids = readSheet(api).rules.map(({ id }) => id);
    const own = checks.filter((check) => check.api === api);
    const judged = readSheet(api).rules.filter(({ audience }) => audience === 'document');
    expect(judged.map(({ id }) => id).filter((id) => !own.some((check) => check.id === id))).toEqual([]);
    expect(own.filter(({ id, breaks }) => !ids.includes(id) || breaks.length === 0)).toEqual([]);
  },
);
