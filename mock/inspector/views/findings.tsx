import type { JSX } from 'preact';
import type { JournalEntry } from '../../journal/journal.ts';

type Finding = JournalEntry['requestFindings'][number];

/** Violations of the document or of the model's schema in the request and the answer. */
export function Findings({ entry }: { readonly entry: JournalEntry }): JSX.Element | null {
  const { requestFindings, responseFindings } = entry;
  if (requestFindings.length + responseFindings.length === 0) return null;
  return (
    <section>
      <h3>Violations</h3>
      <ul class="findings">
        {requestFindings.map((finding, index) => (
          <Item key={index} whose="request" finding={finding} />
        ))}
        {responseFindings.map((finding, index) => (
          <Item key={index} whose="response" finding={finding} />
        ))}
      </ul>
    </section>
  );
}

// --- internal ---

function Item({ whose, finding }: { readonly whose: string; readonly finding: Finding }): JSX.Element {
  return (
    <li>
      <code class="pointer">
        {whose}.{finding.at}
      </code>
      <span class="breaks">{finding.message}</span>
      <code class="soft">{finding.keyword}</code>
    </li>
  );
}
