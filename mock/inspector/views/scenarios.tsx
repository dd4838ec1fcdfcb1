import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Scenarios(): JSX.Element {
  return <Head title="Scenarios" about="…" />;
}
