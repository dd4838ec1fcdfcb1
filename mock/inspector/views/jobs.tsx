import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Jobs(): JSX.Element {
  return <Head title="Jobs" about="…" />;
}
