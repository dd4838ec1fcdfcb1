import type { JSX } from 'preact';
import type { OperationShape } from '../../control/reference-shape.ts';
import { Badge } from '../parts.tsx';
import { JsonBlock } from './json-block.tsx';

/** The parameters, bodies and answers of an operation, from its document. */
export function Described({ operation }: { readonly operation: OperationShape }): JSX.Element {
  const { parameters, bodies, answers } = operation;
  return (
    <div class="described">
      {parameters.length === 0 ? null : (
        <dl class="pairs">
          {parameters.map(({ name, in: place, required, description, schema }) => (
            <div key={`${place} ${name}`}>
              <dt>
                <code>{name}</code> <small class="soft">{place}</small>
              </dt>
              <dd>
                {required ? <Badge tone="info">required</Badge> : null} {description}{' '}
                <code class="soft breaks">{JSON.stringify(schema)}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {bodies.map((body) => (
        <Schema key={body.mediaType} title={`Request body, ${body.mediaType}`} schema={body.schema} />
      ))}
      {answers.map(({ status, description, bodies: shapes }) => (
        <details key={status}>
          <summary>
            <strong>{status}</strong> {description}
          </summary>
          {shapes.map((body) => (
            <Schema key={body.mediaType} title={body.mediaType} schema={body.schema} />
          ))}
        </details>
      ))}
    </div>
  );
}

// --- internal ---

function Schema({ title, schema }: { readonly title: string; readonly schema: unknown }): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      {schema === undefined ? null : <JsonBlock label={title} value={schema} />}
    </section>
  );
}
