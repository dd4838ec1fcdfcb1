import type { ModuleSettings } from '../module-settings.ts';
import { modelForm } from './catalogue.ts';

const { effect: _ofTheMockAlone, ...members } = modelForm.members;

export const routerSettings: ModuleSettings = {
  members: { models: { listOf: { members, required: modelForm.required } } },
  flags: [],
};
