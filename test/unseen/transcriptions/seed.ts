import { cancel, settle } from './lives.ts';
import type { Store } from './store.ts';

const hour = 60 * 60 * 1000;
const languages = ['de', 'en', 'fr', 'it'];
const labels = ['Press', 'Court', 'Radio'];

/** What is there from the beginning: 24 projects of the harbour and 2 of the lighthouse, and what has ended in some of them. */
export function seed(store: Store): void {
  const now = store.clock.now();
  for (let count = 0; count < 26; count += 1) {
    const owner = count % 13 === 12 ? 'lighthouse' : 'harbour';
    const body = {
      slug: `archive-${String(count + 1)}`,
      name: `Archive ${String(count + 1)}`,
      language: languages[count % 3],
      ...(count % 4 === 0 ? { description: 'Of the first year.', tags: ['old', 'tapes'] } : {}),
    };
    store.addProject(owner, body, now - (200 - count) * hour);
  }
  for (const [at, much] of [
    [0, 47],
    [1, 5],
    [12, 4],
  ] as const) {
    for (let count = 0; count < much; count += 1) fill(store, at, count, now - (150 - count) * hour);
  }
}

// --- internal ---

function fill(store: Store, place: number, count: number, at: number): void {
  const project = store.projects[place];
  if (project === undefined) return;
  const ending = count % 6 === 4 ? 'txt' : 'ogg';
  const one = store.addTranscription(project, {
    sent: {
      language: languages[(count * 7) % 4],
      verbatim: count % 5 === 0,
      name: `Interview ${String(count + 1)}`,
      source: { url: `https://audio.example/${String(count + 1)}.${ending}`, seconds: 95 + count * 61 },
    },
    changing: {
      ...(count % 2 === 0 ? { label: labels[count % 3] } : {}),
      ...(count % 3 === 0 ? { speakers: { S1: 'Host', S2: 'Guest' } } : {}),
    },
    at,
  });
  if (count % 6 === 5) {
    settle(one, at + 3000, store.has);
    cancel(one, at + 4000, store.has);
  }
  settle(one, at + hour / 2, store.has);
}
