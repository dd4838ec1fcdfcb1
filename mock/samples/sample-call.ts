import type { Assembly } from '../assembly.ts';
import type { SampleCall } from '../control/shape.ts';
import { declaredSample } from './declared-sample.ts';
import type { ApiWithEngine } from '../call/pipeline.ts';

/** A call that a fresh mock answers with success; `undefined` if none could be made. */
export function sampleCall({ apis }: Pick<Assembly, 'apis'>): SampleCall | undefined {
  for (const api of apis) {
    const sample = sampleOf(api);
    // Where two documents have a path, the first one answers.
    if (sample !== undefined && apis.find((each) => answers(each, sample)) === api) return sample;
  }
  return undefined;
}

// --- internal ---

function sampleOf(api: ApiWithEngine): SampleCall | undefined {
  const known = samples.get(api);
  if (known !== undefined) return known.sample;
  const below = api.sample === undefined ? declaredSample(api) : api.sample();
  const sample =
    below === undefined ? undefined : { ...below, target: `${api.mountPrefix ?? ''}${below.target}` };
  samples.set(api, { sample });
  return sample;
}

/** Computed once, because many operations may have to be tried. */
const samples = new WeakMap<ApiWithEngine, { readonly sample: SampleCall | undefined }>();

function answers({ engine, mountPrefix = '' }: ApiWithEngine, { method, target }: SampleCall): boolean {
  const [path = '', search] = target.split('?');
  return (
    path.startsWith(`${mountPrefix}/`) &&
    engine.match(method, path.slice(mountPrefix.length), search).kind === 'operation'
  );
}
