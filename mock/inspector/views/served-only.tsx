import type { ComponentChildren, JSX } from 'preact';
import { state } from '../live.ts';
import { Head, Waiting } from '../parts.tsx';

/**
 * A view of a resource that only some APIs have. For example, a mock of a user's own document has no models or jobs.
 */
export function ServedOnly(props: {
  /** Its name in the control API. */
  readonly resource: string;
  readonly title: string;
  readonly what: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { resource, title, what, children } = props;
  const resources = state.value?.resources;
  if (resources?.includes(resource) === true) return <>{children}</>;
  return (
    <>
      <Head title={title} about={`For mocks with ${what}.`} />
      {resources === undefined ? (
        <Waiting problem={undefined} />
      ) : (
        <p class="empty">This mock does not serve {what}.</p>
      )}
    </>
  );
}
