import type { ComponentChildren, JSX } from 'preact';
import { state } from '../live.ts';
import { Head, Waiting } from '../parts.tsx';

/** A view of one of our own APIs: a mock of somebody's own document has no models and no jobs. */
export function ServedOnly(props: {
  readonly api: string;
  readonly title: string;
  readonly what: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { api, title, what, children } = props;
  const apis = state.value?.apis;
  if (apis?.some(({ name }) => name === api) === true) return <>{children}</>;
  return (
    <>
      <Head title={title} about={`Of ${what}.`} />
      {apis === undefined ? (
        <Waiting problem={undefined} />
      ) : (
        <p class="empty">This mock serves no {what}.</p>
      )}
    </>
  );
}
