import { HEY_API, peers } from './peers.ts';
import { compilers } from './documents.ts';
import type { PeerOutcome } from './peer-run.ts';
import type { Outcome } from './run.ts';

/** One document of the corpus, and what became of it. */
export interface Row {
  readonly document: string;
  /** The version of OpenAPI that it claims. */
  readonly version: string;
  readonly outcome: Outcome;
  /** By the name of the peer. Empty where the document could not be fetched. */
  readonly peers: Readonly<Record<string, PeerOutcome>>;
}

/** What a row says of our own code, without the document and the kind. */
export function cells({ kind, operations, seconds, megabytes, bytes, errors, trial }: Outcome): string[] {
  if (kind !== 'generated') return ['', seconds.toFixed(1), '', '', ...compilers.map(() => ''), ''];
  return [
    String(operations),
    seconds.toFixed(1),
    String(megabytes),
    String(Math.round(bytes / 1_000)),
    ...compilers.map(({ name }) => String(errors[name] ?? '')),
    trial === undefined ? '' : [trial.results, trial.refusals, trial.faults.length].join(' / '),
  ];
}

/** What it says of one peer: the kind, seconds and errors of the compiler. */
export function peerCell(outcome: PeerOutcome | undefined): string {
  if (outcome === undefined) return '';
  const { kind, seconds, errors } = outcome;
  const parts = [kind, seconds.toFixed(1)];
  return (kind === 'accepted' ? [...parts, String(errors)] : parts).join(' / ');
}

/** The page docs/corpus.md. */
export function page(all: readonly Row[]): string {
  const names = peers.map(({ name }) => name);
  const head = [
    ...['document', 'OpenAPI', 'outcome', 'operations', 's', 'MB', 'kB'],
    ...compilers.map(({ name }) => name),
    'calls',
    ...names,
  ];
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
  const generated = all.filter(({ outcome }) => outcome.kind === 'generated');
  return [
    '# Documents that the generator was tried on',
    '',
    'Written by `npm run corpus`: documents of published packages, fetched for the run, and hostile ones of our own',
    '(`test/corpus/hostile`). Each one is generated in a process of its own, with types, validators, client and server.',
    'The columns with a version of TypeScript hold the errors that it finds, with every strict option: in clients without',
    'the types of Node, in servers with them. The first version tries NodeNext and bundler resolution; servers are compiled',
    'by the first and the last; `timeout` says that a compiler was not done in time. Seconds and memory are of one run of the generator on a busy machine with two cores, whole',
    'process: orientation, no promise.',
    '',
    'The column of calls is the client at work: it is imported, and up to 20 of its operations, from the whole of the document,',
    'are called on the mock that serves the same document, with sample inputs. It counts results, then errors that the',
    'client tells as the answers that they are (a sample does not suit every operation), then faults: anything else that is',
    'thrown, and an answer of which ajv and our validators think differently. A refusal of a document names file, place and what to do.',
    '',
    `The last columns are the commands of openapi-typescript and hey-api (\`${HEY_API}\`) in the same run, asked for types alone: whether`,
    'they accept the document, their seconds (whole process), and the errors that the last version of TypeScript finds in what they write, with every',
    'strict option. `timeout` says that one was not done in two minutes.',
    '',
    ...[
      `- tallystick: ${String(generated.length)} of ${String(all.length)} became code; the others were refused.`,
      ...names.map((name) => `- ${name}: ${peerSummary(all.flatMap((row) => row.peers[name] ?? []))}`),
    ],
    '',
    line(head),
    line(head.map(() => '---')),
    ...all.map(({ document, version, outcome, peers: theirs }) =>
      line([
        ...[`\`${document}\``, version, outcome.kind],
        ...cells(outcome),
        ...names.map((name) => peerCell(theirs[name])),
      ]),
    ),
    '',
    '## What the refusals say',
    '',
    ...all
      .filter(({ outcome }) => outcome.kind !== 'generated')
      .map(({ document, outcome: { said } }) => `- \`${document}\`: ${said.replace(/[|<>`]/g, ' ').trim()}`),
    '',
  ].join('\n');
}

// --- internal ---

function peerSummary(outcomes: readonly PeerOutcome[]): string {
  const accepted = outcomes.filter(({ kind }) => kind === 'accepted');
  const late = outcomes.filter(({ kind }) => kind === 'timeout').length;
  const broken = accepted.filter(({ errors }) => errors !== 0 && errors !== 'timeout').length;
  const rest =
    late === 0 ? 'the others were refused' : `${String(late)} took too long, the others were refused`;
  return `${String(accepted.length)} of ${String(outcomes.length)} were accepted; ${rest}; the code of ${String(broken)} does not compile.`;
}
