import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Catalogue(): JSX.Element {
  return <Head title="Catalogue" about="…" />;
}
