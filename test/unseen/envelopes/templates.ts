import { pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { bodyOf, checkVersion, merged, shown } from './things.ts';
import type { Keyed } from './keys.ts';
import { pageOf } from './pages.ts';
import type { Store, Template } from './store.ts';
import { tagOf, templateView } from './views.ts';

export type Handler = (call: Call, owner: string) => Promise<Answer> | Answer;

const defaults = { language: 'en', recipients: [] };

/** The calls about templates, by operation. */
export function templateCalls(
  document: string,
  store: Store,
  keyed: Keyed,
): Readonly<Record<string, Handler>> {
  const { clock, has } = store;

  const owned = (call: Call, owner: string | undefined): Template => {
    const found = store.templates.get(call.path['templateId'] ?? '');
    if (found === undefined || (owner !== undefined && found.owner !== owner)) {
      throw new Refusal(404, 'not_found', 'There is no such template.');
    }
    return found;
  };
  const present = (call: Call, owner: string): Template => {
    const found = owned(call, owner);
    if (found.isGone) throw new Refusal(410, 'template_deleted', 'The template was deleted.');
    return found;
  };
  const tag = (template: Template): string => tagOf(templateView(template), has);
  const checkSlug = (slug: unknown, but?: Template): void => {
    if (store.isSlugTaken(slug, but)) throw new Refusal(409, 'slug_taken', 'Another template has the slug.');
  };

  return {
    listTemplates: (call, owner) => {
      const { language } = call.query;
      const rows = [...store.templates.values()]
        .filter((one) => one.owner === owner && !one.isGone)
        .filter(({ values }) => language === undefined || values['language'] === language)
        .map((one) => ({ item: templateView(one), value: 0, number: one.number }));
      return pageOf(call, rows, { owner, bound: `templates ${language ?? ''}`, path: '/templates', has });
    },

    createTemplate: (call, owner) =>
      keyed(call, owner, async () => {
        const body = bodyOf(document, call);
        await pause(clock);
        checkSlug(body['slug']);
        const made = store.addTemplate(owner, { ...defaults, ...body });
        const Location = `/templates/${made.id}`;
        return { status: 201, headers: { Location, ETag: tag(made) }, json: templateView(made) };
      }),

    getTemplate: (call, owner) => {
      const found = present(call, owner);
      return shown(call, templateView(found), tag(found));
    },

    patchTemplate: async (call, owner) => {
      const patch = bodyOf(document, call);
      await pause(clock);
      const found = present(call, owner);
      checkVersion(call, tag(found), true);
      const values = merged(found.values, patch) as Thing;
      if (has('recipients-appended') && Array.isArray(patch['recipients'])) {
        const both = [...(found.values['recipients'] as unknown[]), ...(patch['recipients'] as unknown[])];
        values['recipients'] = [...new Set(both)];
      }
      checkSlug(values['slug'], found);
      found.values = values;
      return shown(call, templateView(found), tag(found));
    },

    deleteTemplate: async (call, owner) => {
      await pause(clock);
      const found = present(call, owner);
      checkVersion(call, tag(found), true);
      found.isGone = true;
      return { status: 204 };
    },

    restoreTemplate: async (call, owner) => {
      await pause(clock);
      const found = owned(call, has('other-account-restores') ? undefined : owner);
      if (found.isGone) checkSlug(found.values['slug'], found);
      if (found.isGone) found.wasRestored = true;
      found.isGone = false;
      return shown(call, templateView(found), tag(found));
    },
  };
}
