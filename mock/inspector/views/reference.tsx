import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Reference(): JSX.Element {
  return <Head title="Reference" about="…" />;
}
