import type { Profile } from '../../profile.ts';
import type { Model } from './catalogue.ts';
import { routerScenarios } from './scenarios.ts';

/**
 * The catalogue of a fresh mock: the magic models and enough others for several pages. All of them are
 * fictitious.
 */
export function defaultModels(profile: Profile): Model[] {
  const models = [...acme(), ...families.flatMap(familyModels), ...magicModels()];
  if (profile !== 'legal-but-odd') return models;
  return [...models.map(oddlyBilled), ...trimmedModels()];
}

// --- internal ---

type JsonSchema = Readonly<Record<string, unknown>>;

const promptSchema: JsonSchema = {
  type: 'object',
  required: ['prompt'],
  properties: {
    prompt: { type: 'string', minLength: 1, maxLength: 4000, description: 'What the picture shows.' },
    seed: { type: 'integer', minimum: 0 },
    steps: { type: 'integer', minimum: 1, maximum: 50 },
    size: { $ref: '#/components/schemas/Size' },
    references: { type: 'array', maxItems: 4, items: { type: 'string', minLength: 1 } },
  },
};

const speechSchema: JsonSchema = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 5000 },
    voice: { type: 'string', enum: ['calm', 'bright', 'deep'] },
    speed: { type: 'number', minimum: 0.5, maximum: 2 },
  },
};

/** Accepts any object; the properties only describe the usual ones. */
const openSchema: JsonSchema = { type: 'object', properties: { prompt: { type: 'string' } } };

/** Components that the schemas above refer to; a schema document contains them. */
export const schemaComponents: Readonly<Record<string, JsonSchema>> = {
  Size: {
    type: 'object',
    required: ['width', 'height'],
    properties: {
      width: { type: 'integer', minimum: 64, maximum: 4096 },
      height: { type: 'integer', minimum: 64, maximum: 4096 },
    },
  },
};

/** `echo-1` answers with its own input, byte for byte. */
function acme(): Model[] {
  const base = { provider: 'acme', state: 'listed', chargesOnPolicyRejection: 'no', cents: 4 } as const;
  return [
    { ...base, model: 'echo-1', inputSchema: openSchema, effect: { kind: 'output', output: 'echo' } },
    { ...base, model: 'easel-2.1', inputSchema: promptSchema },
    { ...base, model: 'easel-2.1-fast', inputSchema: promptSchema, cents: 2 },
    { ...base, model: 'upscale_4x', chargesOnPolicyRejection: 'unknown' },
  ];
}

const families: readonly {
  readonly provider: string;
  readonly names: readonly string[];
  readonly sizes: readonly string[];
  readonly schema?: JsonSchema;
  readonly charges: string;
}[] = [
  {
    provider: 'aurora-labs',
    names: ['sketch-1', 'sketch-1.5', 'sketch-2'],
    sizes: ['', '-mini', '-pro'],
    schema: promptSchema,
    charges: 'yes',
  },
  {
    provider: 'birch',
    names: ['motion-1', 'motion-1.1'],
    sizes: ['', '-turbo', '-hd', '-image-to-video'],
    schema: promptSchema,
    charges: 'no',
  },
  { provider: 'cobalt.ai', names: ['relief-3d', 'relief-3d.2'], sizes: ['', '-draft'], charges: 'unknown' },
  {
    provider: 'northwind',
    names: ['voice'],
    sizes: ['-small', '-large', '-large-v2'],
    schema: speechSchema,
    charges: 'no',
  },
  {
    provider: 'pelican',
    names: ['inpaint', 'outpaint', 'relight'],
    sizes: ['-1', '-2'],
    schema: promptSchema,
    charges: 'yes',
  },
  { provider: 'quarry_9', names: ['texture', 'normal-map'], sizes: ['', '-4k', '-8k'], charges: 'unknown' },
  {
    provider: 'tern',
    names: ['caption-1', 'caption-1.2', 'segment-1'],
    sizes: ['', '-lite'],
    schema: openSchema,
    charges: 'no',
  },
];

function familyModels({ provider, names, sizes, schema, charges }: (typeof families)[number]): Model[] {
  return names.flatMap((name) =>
    sizes.map((size) => ({
      provider,
      model: `${name}${size}`,
      state: 'listed',
      chargesOnPolicyRejection: charges,
      cents: 5,
      ...(schema === undefined ? {} : { inputSchema: schema }),
    })),
  );
}

function magicModels(): Model[] {
  return routerScenarios.flatMap(({ name, model }) => {
    if (model === undefined) return [];
    const {
      effect,
      state = 'listed',
      chargesOnPolicyRejection = 'no',
      schema,
      creditsHeader,
      cents = 10,
    } = model;
    return {
      provider: 'mock',
      model: name,
      state,
      chargesOnPolicyRejection,
      effect,
      cents,
      ...(schema === 'none' ? {} : { inputSchema: name === 'ok' ? promptSchema : openSchema }),
      ...(creditsHeader === true ? { creditsHeader } : {}),
    };
  });
}

/** Entries that were removed after the pages were computed: pages are short, and with small limits empty. */
function trimmedModels(): Model[] {
  return Array.from({ length: 7 }, (_, i) => ({
    provider: 'birch',
    model: `gone-${String(i)}`,
    state: 'trimmed',
    chargesOnPolicyRejection: 'unknown',
    cents: 0,
  }));
}

/**
 * The values of this fact are open: this one is unknown to every client (document 1, "RouterModelDetail",
 * rules 1 and 2 for charges_on_policy_rejection).
 */
function oddlyBilled(model: Model): Model {
  return model.chargesOnPolicyRejection === 'unknown'
    ? { ...model, chargesOnPolicyRejection: 'partial' }
    : model;
}
