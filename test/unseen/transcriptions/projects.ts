import { canonical, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { tagOf, time } from './lives.ts';
import { pageOf } from './pages.ts';
import type { Project, Store } from './store.ts';
import { checkVersion, merged, picked, readOf } from './versions.ts';

/** Answers a call of an account. */
export type Handler = (call: Call, owner: string) => Promise<Answer> | Answer;

const sendable = ['slug', 'name', 'language', 'description', 'tags'];
const changeable = ['name', 'language', 'description', 'tags'];

/** The calls about projects, by operation. */
export function projectCalls(store: Store): Readonly<Record<string, Handler>> {
  const { clock, has } = store;

  const listProjects: Handler = (call, owner) => {
    store.sweep();
    const { language } = call.query;
    const rows = store.projects
      .filter((one) => one.owner === owner && !one.isGone)
      .map((one) => ({
        item: shown(one),
        place: ['', Number(one.id.slice('prj_'.length))] as const,
        isWanted: language === undefined || one.values['language'] === language,
      }));
    return pageOf(call, rows, { has, path: '/projects', owner, kept: ['language'] });
  };

  const createProject: Handler = (call, owner) => {
    const body = picked(call.body, sendable);
    if (store.projects.some(({ slug }) => slug === body['slug'])) {
      throw new Refusal(409, 'slug_taken', 'The slug is taken.');
    }
    const made = store.addProject(owner, body, clock.now());
    return { status: 201, headers: { Location: `/projects/${made.id}` }, json: shown(made) };
  };

  const getProject: Handler = (call, owner) => {
    const project = store.projectOf(call, owner);
    return readOf(call, project, shown(project));
  };

  const changeProject: Handler = (call, owner) => {
    const project = store.projectOf(call, owner);
    checkVersion(call, project, true);
    const values = merged(project.values, picked(call.body, changeable)) as Thing;
    if (canonical(values) !== canonical(project.values)) {
      project.values = values;
      project.revision += 1;
      project.updatedAt = time(clock.now());
    }
    return { status: 200, headers: { ETag: tagOf(project) }, json: shown(project) };
  };

  const deleteProject: Handler = (call, owner) => {
    const project = store.projectOf(call, owner);
    checkVersion(call, project, false);
    store.removeProject(project);
    return { status: 204 };
  };

  return { listProjects, createProject, getProject, changeProject, deleteProject };
}

// --- internal ---

function shown({ id, slug, values, transcriptions, createdAt, updatedAt }: Project): Thing {
  return {
    id,
    slug,
    ...values,
    transcription_count: transcriptions.filter(({ isGone }) => !isGone).length,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
