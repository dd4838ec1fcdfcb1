import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Ledger(): JSX.Element {
  return <Head title="Ledger" about="…" />;
}
