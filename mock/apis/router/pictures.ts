import { isRecord } from '../../../contract/index.ts';
import { baseUrlOf } from '../../base-url.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { decodeTolerantly } from '../../call/front.ts';
import { labelledPicture } from '../../samples/picture.ts';
import type { Router } from './context.ts';

/** The path of the pictures that runs return; it differs from every route of the contract. */
export const PICTURES = '/pictures';

export function isPicturePath(path: string): boolean {
  return /^\/pictures\/[\w.%-]{1,200}\.svg$/.test(path);
}

/** The result of a model for a picture: its address at the mock, which contains the input. */
export function pictureOf(
  { publicUrl }: Router,
  { request, facts }: Call,
): { readonly url: string; readonly width: number; readonly height: number; readonly seed: number } {
  const body = request.body();
  const input = body.kind === 'json' && isRecord(body.value) ? body.value : {};
  const seed = typeof input['seed'] === 'number' ? input['seed'] : USUAL_SEED;
  const prompt = typeof input['prompt'] === 'string' ? input['prompt'].slice(0, LONGEST) : '';
  const name = (facts.modelId ?? 'model').replace('/', '-');
  const query = new URLSearchParams();
  query.append('seed', String(seed));
  query.append('prompt', prompt);
  const base = baseUrlOf(request, publicUrl) ?? '';
  const url = `${base}${PICTURES}/${encodeURIComponent(name)}.svg?${query.toString()}`;
  return { url, width: SIDE, height: SIDE, seed };
}

/** Serves the pictures. The address itself is the permission, as in a storage service. */
export function pictures(): Behaviour {
  return (call, next) => {
    const { request, match } = call;
    if (match.kind !== 'none' || request.effectiveMethod !== 'GET' || !isPicturePath(request.path))
      return next();
    const name = decodeTolerantly(request.path.slice(PICTURES.length + 1, -'.svg'.length));
    const query = new Map(request.query.map(({ name: key, value }) => [key, value]));
    const seed = Number(query.get('seed') ?? USUAL_SEED);
    const svg = labelledPicture({
      title: name,
      text: query.get('prompt') ?? '',
      seed: Number.isFinite(seed) ? seed : USUAL_SEED,
      ...{ width: SIDE, height: SIDE },
    });
    call.note('answer', 'a picture that a run returned');
    return {
      status: 200,
      headers: [
        ['Content-Type', 'image/svg+xml'],
        // It contains text of a caller, so scripts in it must not run.
        ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'"],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: { kind: 'bytes', bytes: Buffer.from(svg) },
      licence: 'not the document: its mock',
    };
  };
}

// --- internal ---

const SIDE = 1024;
const USUAL_SEED = 7;
const LONGEST = 160;
