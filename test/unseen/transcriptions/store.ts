import type { Clock } from '../../../conformance/index.ts';
import { Refusal, type Call, type Thing } from '../wire.ts';
import { cancel, expiryOf, isOpen, settle, tell, time, type Has, type Transcription } from './lives.ts';

export interface Project {
  readonly id: string;
  readonly owner: string;
  readonly slug: string;
  readonly createdAt: string;
  /** Every name that was ever used here. */
  readonly names: Set<unknown>;
  readonly transcriptions: Transcription[];
  values: Thing;
  updatedAt: string;
  revision: number;
  isGone: boolean;
}

/** All projects with what is in them. */
export interface Store {
  readonly clock: Clock;
  readonly has: Has;
  readonly projects: Project[];
  /** Lets everything happen that was due until now. */
  readonly sweep: () => void;
  readonly projectOf: (call: Call, owner: string) => Project;
  readonly transcriptionOf: (call: Call, owner: string) => Transcription;
  readonly addProject: (owner: string, body: Thing, at: number) => Project;
  readonly addTranscription: (project: Project, made: Made) => Transcription;
  readonly removeProject: (project: Project) => void;
  readonly removeTranscription: (project: Project, one: Transcription) => void;
  readonly runningOf: (owner: string) => number;
}

interface Made {
  readonly sent: Thing;
  readonly changing: Thing;
  readonly at: number;
  readonly retried?: Transcription;
}

export function storeOf(clock: Clock, has: Has): Store {
  const projects: Project[] = [];
  let last = 0;

  const sweep = (): void => {
    for (const project of projects) {
      for (const one of project.transcriptions) {
        settle(one, clock.now(), has);
        if (!one.isGone && expiryOf(one) <= clock.now()) removeTranscription(project, one);
      }
    }
  };

  const projectOf = (call: Call, owner: string): Project => {
    sweep();
    const found = projects.find(({ id }) => id === call.path['projectId']);
    if (found === undefined || found.isGone || found.owner !== owner) {
      throw new Refusal(404, 'not_found', 'There is no such project.');
    }
    return found;
  };

  const transcriptionOf = (call: Call, owner: string): Transcription => {
    const project = projectOf(call, owner);
    const isAnywhere = has('segments-through-other-project') && call.operation === 'listSegments';
    const places = isAnywhere ? projects.filter((one) => one.owner === owner && !one.isGone) : [project];
    const found = places
      .flatMap(({ transcriptions }) => transcriptions)
      .find(({ id }) => id === call.path['transcriptionId']);
    if (found === undefined) throw new Refusal(404, 'not_found', 'There is no such transcription.');
    if (found.isGone) throw new Refusal(410, 'deleted', 'The transcription was deleted.');
    return found;
  };

  const addProject = (owner: string, { slug, ...values }: Thing, at: number): Project => {
    const made: Project = {
      id: `prj_${String(projects.length + 1)}`,
      owner,
      slug: String(slug),
      createdAt: time(at),
      names: new Set(),
      transcriptions: [],
      values: { language: 'de', ...values },
      updatedAt: time(at),
      revision: 1,
      isGone: false,
    };
    projects.push(made);
    return made;
  };

  const addTranscription = (project: Project, { sent, changing, at, retried }: Made): Transcription => {
    last += 1;
    const made: Transcription = {
      id: `trs_${String(last)}`,
      serial: last,
      owner: project.owner,
      project: project.id,
      sent,
      submittedAt: at,
      attempt: retried === undefined ? 1 : retried.attempt + 1,
      retryOf: retried?.id,
      log: [],
      changing,
      state: 'queued',
      revision: 1,
      quarters: 0,
      startedAt: undefined,
      endedAt: undefined,
      cancelledIn: undefined,
      retriedBy: undefined,
      isGone: false,
      told: 0,
    };
    project.names.add(sent['name']);
    project.transcriptions.push(made);
    project.revision += 1;
    if (retried !== undefined) {
      retried.retriedBy = made.id;
      if (!has('retry-keeps-tag')) retried.revision += 1;
      tell(retried, has);
    }
    return made;
  };

  const removeTranscription = (project: Project, one: Transcription): void => {
    if (isOpen(one)) cancel(one, clock.now(), has);
    one.isGone = true;
    project.revision += 1;
  };

  const removeProject = (project: Project): void => {
    project.isGone = true;
    for (const one of project.transcriptions) {
      if (isOpen(one) && !has('deleted-project-still-counts')) cancel(one, clock.now(), has);
    }
  };

  const runningOf = (owner: string): number => {
    sweep();
    const all = projects.filter((one) => one.owner === owner).flatMap(({ transcriptions }) => transcriptions);
    return all.filter(isOpen).length;
  };

  return {
    clock,
    has,
    projects,
    sweep,
    projectOf,
    transcriptionOf,
    addProject,
    addTranscription,
    removeProject,
    removeTranscription,
    runningOf,
  };
}
