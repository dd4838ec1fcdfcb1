import type { JSX } from 'preact';

/** Icons, each drawn with one stroke. A text beside each icon has the same meaning. */
const paths: Readonly<Record<string, string>> = {
  journal: 'M3 4h10M3 8h10M3 12h6',
  composer: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3zM9.5 4.2l2.3 2.3',
  keys: 'M9.5 6.5a3 3 0 1 0-2.8 4L8 9.2l1.3.3.2-1.5h1.5l.5-1.5',
  jobs: 'M2.5 8h3m5 0h3M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5M8 2v1.5M8 12.5V14',
  scenarios: 'M9 2 4 9h4l-1 5 5-7H8z',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11M8 5v3.2l2.2 1.3',
  ledger: 'M4 3v10M6.7 3v10M9.3 3v10M12 3v10M2 11l12-6',
  catalogue: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  reference: 'M8 4C6.5 3 4.5 2.7 2.5 3v9.5c2-.3 4 0 5.5 1 1.5-1 3.5-1.3 5.5-1V3c-2-.3-4 0-5.5 1zm0 0v9.5',
  snapshots: 'M2.5 5h2.2l1-1.5h4.6l1 1.5h2.2v7.5h-11zM8 6.5a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 1 0 0-4.4',
  collections: 'M3 4.5h10v3H3zM3 8.5h10v3H3zM5 6h2M5 10h2',
  callers: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 1 0 0 5M3 13.5c.5-2.5 2.5-3.5 5-3.5s4.5 1 5 3.5',
};

export function Icon({ name }: { readonly name: string }): JSX.Element {
  return (
    <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true">
      <path d={paths[name] ?? ''} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** A tally: four notches and one across. */
export function TallyIcon(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b6b61" />
      <path
        d="M8 8v16M13.3 8v16M18.7 8v16M24 8v16M5 21 27 11"
        stroke="#fff"
        stroke-width="2.4"
        stroke-linecap="round"
      />
    </svg>
  );
}
