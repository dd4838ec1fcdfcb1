import type { Parameter } from '../../../contract/model.ts';
import { mockKeyPrefix } from '../../call/caller.ts';
import type { SampleCall } from '../../control/shape.ts';
import type { Fixtures } from '../../fixtures.ts';
import { knownAssets } from './assets.ts';
import type { Jobs } from './context.ts';
import { jobsCredential } from './credentials.ts';

/** The fixtures of the jobs API for the suite. */
export function jobsFixtures({ facts, assume, settings, publicUrl }: Jobs): Fixtures {
  const key = (name: string): string => `${mockKeyPrefix(facts.credentials)}${name}`;
  const { graphMember } = assume('A-60');
  const [extraKey = ''] = assume('A-61').keys;
  const { arrays } = facts.refusedFormat;
  const { status, progress, preview } = assume('A-69');
  const body = (graph: object): object => ({ [graphMember]: graph });
  const { mountPrefix, surface, staticToken } = settings;
  return {
    ...(mountPrefix === '' || publicUrl === undefined ? {} : { jobsBaseUrl: publicUrl + mountPrefix }),
    cred: {
      // A form that all APIs accept.
      valid: { header: 'Authorization', value: `Bearer ${key('ok')}` },
      apiKey: key('ok'),
      forbidden: key('forbidden'),
      secondAccount: key('ok+second'),
    },
    account: { noCredits: key('no-credits') },
    surface,
    ...(staticToken === undefined ? {} : { staticToken }),
    sse: { eventNames: { status, progress, preview } },
    job: {
      graphPointer: `/${graphMember}`,
      siblingPointer: '',
      allowedExtraData: { [extraKey]: 'a key of the partner' },
      ...(mountPrefix === '' ? {} : { mountPrefix }),
      ok: body(picture),
      tiny: tiny({ assume }),
      slow: body(slow),
      fail: body({ ...picture, '4': node('Fail', { after: ['3', 0] }) }),
      preview: body({
        '1': node('SketchPicture', { prompt: 'a hand' }),
        '2': node('SavePicture', { picture: ['1', 0] }),
      }),
      invalid: body({ '1': node('GeneratePicture', {}), '2': node('SavePicture', { picture: ['9', 0] }) }),
      unknownClass: body({ '1': node('NoSuchNode', {}) }),
      uiFormat: Object.fromEntries(arrays.map((member) => [member, []])),
      unknownAsset: body(assetGraph(assume, 'asset-that-nobody-has')),
      foreignAsset: body(assetGraph(assume, knownAssets.foreign)),
    },
  };
}

/** Submits a small job; `undefined` if the document has no operation for that. */
export function jobsSample(jobs: Jobs): SampleCall | undefined {
  const { contract, idempotency } = jobs.facts;
  const submit = contract.operations.find(({ id }) => idempotency.operations.includes(id));
  if (submit === undefined) return undefined;
  return {
    method: submit.method.toUpperCase(),
    target: submit.path,
    headers: [...jobsCredential(jobs).headers, ['Content-Type', 'application/json']],
    body: JSON.stringify(tiny(jobs)),
  };
}

/** The newest job as the value of the path parameters; empty before the first submission. */
export function newestJob(
  { state }: Jobs,
  parameters: readonly Parameter[],
): Readonly<Record<string, string>> {
  const newest = state.board.all().at(-1);
  if (newest === undefined) return {};
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(inPath.map(({ name }) => [name, newest.id]));
}

// --- internal ---

/** Takes almost no time. */
function tiny({ assume }: Pick<Jobs, 'assume'>): object {
  return { [assume('A-60').graphMember]: { '1': node('WriteText', { text: 'a tally stick' }) } };
}

const node = (name: string, inputs: object): object => ({ class_type: name, inputs });

const picture = {
  '1': node('GeneratePicture', { prompt: 'a lighthouse at dusk' }),
  '2': node('Enlarge', { picture: ['1', 0], factor: 2 }),
  '3': node('SavePicture', { picture: ['2', 0] }),
};

/** Runs for some seconds and produces outputs at intervals. */
const slow = {
  '1': node('WriteText', { text: 'first' }),
  '2': node('SketchPicture', { prompt: 'a lighthouse at dusk', after: ['1', 0] }),
  '3': node('SavePicture', { picture: ['2', 0] }),
  '4': node('Wait', { seconds: 3, after: ['3', 0] }),
  '5': node('Describe', { picture: ['3', 0], after: ['4', 0] }),
};

function assetGraph(assume: Jobs['assume'], id: string): object {
  const { typeMember, type, infoMember, infoMembers } = assume('A-68');
  const [idMember = ''] = infoMembers;
  return { '1': node('LoadAsset', { asset: { [typeMember]: type, [infoMember]: { [idMember]: id } } }) };
}
