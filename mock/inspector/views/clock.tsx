import type { JSX } from 'preact';
import { Head } from '../parts.tsx';

export function Clock(): JSX.Element {
  return <Head title="Clock" about="…" />;
}
