/** A kind of node, as far as the mock simulates it. */
export interface NodeClass {
  readonly name: string;
  /** Inputs that are required, as a value or as a link. */
  readonly requires?: readonly string[];
  /** How long it works, in milliseconds; default: a quarter of a second. */
  readonly workMs?: number;
  /** An input with the duration in seconds, used instead. */
  readonly secondsInput?: string;
  /** The outputs that it adds to the job. */
  readonly makes?: OutputKind;
  readonly previews?: boolean;
  /** Whether it fails halfway. */
  readonly fails?: boolean;
}

export type OutputKind = 'image' | 'text';

/** The built-in node classes of the mock: enough to paint a picture, to wait, and to fail. */
const known: readonly NodeClass[] = [
  { name: 'LoadPicture', requires: ['name'] },
  { name: 'LoadAsset', requires: ['asset'] },
  { name: 'GeneratePicture', requires: ['prompt'], workMs: 1_000 },
  { name: 'SketchPicture', requires: ['prompt'], workMs: 2_000, previews: true },
  { name: 'Enlarge', requires: ['picture'], workMs: 500 },
  { name: 'Describe', requires: ['picture'], makes: 'text' },
  { name: 'SavePicture', requires: ['picture'], workMs: 100, makes: 'image' },
  { name: 'WriteText', requires: ['text'], workMs: 100, makes: 'text' },
  { name: 'Wait', requires: ['seconds'], secondsInput: 'seconds' },
  { name: 'Fail', fails: true },
];

/** Finds a class by its name. */
export type NodeClasses = (name: string) => NodeClass | undefined;

/** The catalogue, including a user's own classes, which override built-in ones with the same name. */
export function nodeClasses(own: readonly NodeClass[] | 'any' = []): NodeClasses {
  const byName = new Map([...known, ...(own === 'any' ? [] : own)].map((entry) => [entry.name, entry]));
  return (name) => byName.get(name) ?? (own === 'any' ? { name } : undefined);
}

const USUAL_WORK_MS = 250;
const LONGEST_WORK_MS = 3_600_000;

/** How long a node of a class works on its inputs, in milliseconds. */
export function workMsOf(nodeClass: NodeClass, inputs: Readonly<Record<string, unknown>>): number {
  const { secondsInput, workMs = USUAL_WORK_MS } = nodeClass;
  const seconds = secondsInput === undefined ? undefined : inputs[secondsInput];
  const wanted = typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : workMs;
  return Math.min(wanted, LONGEST_WORK_MS);
}
