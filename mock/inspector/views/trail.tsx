import type { JSX } from 'preact';
import type { TrailStep } from '../../journal/journal.ts';
import { explained } from '../contract-facts.ts';
import { Badge } from '../parts.tsx';
import { address } from '../route.ts';

/** The reasons for an answer: the decisions in order, each with its rule or open point. */
export function Trail(props: { readonly title: string; readonly trail: readonly TrailStep[] }): JSX.Element {
  const { title, trail } = props;
  return (
    <section>
      <h3>{title}</h3>
      {trail.length === 0 ? <p class="soft">No decisions were recorded.</p> : null}
      <ol class="trail">
        {trail.map((step, index) => (
          <li key={index}>
            <span class="step">{step.step}</span>
            <span class="breaks">
              {step.decision}
              {step.because === undefined ? null : <Because id={step.because} />}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A rule with its statement and citation, or an open point with the assumption. */
function Because({ id }: { readonly id: string }): JSX.Element {
  const found = explained(id);
  const isAssumed = found?.kind === 'assumption' || id.startsWith('A-');
  return (
    <span class="because">
      <Badge tone={isAssumed ? 'warn' : 'good'} href={address('reference', id)}>
        {isAssumed ? `assumed ${id}` : id}
      </Badge>
      {found === undefined ? null : (
        <small class="soft">
          {found.kind === 'rule' ? (
            <>
              {found.says} <cite>{found.source}</cite>
            </>
          ) : (
            `The contract leaves this open: ${found.about}.`
          )}
        </small>
      )}
    </span>
  );
}
