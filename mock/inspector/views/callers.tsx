import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Callers(): JSX.Element {
  return <Head title="Callers" about="…" />;
}
