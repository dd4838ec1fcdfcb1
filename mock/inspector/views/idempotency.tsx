import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Idempotency(): JSX.Element {
  return <Head title="Idempotency" about="…" />;
}
