import { essenceOf } from './body-format.ts';
import { compilerOf, type Compiler, type Misfit } from './judge.ts';
import type { Contract, MediaType, Operation } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import type { PieceKind } from '../sequential/piece-kind.ts';
import { type Pieces, piecesOf } from '../sequential/pieces.ts';
import { ofSide, type Side } from '../schemas/schema-side.ts';
import { hasDiscriminators, tagged, taggedSchemas } from '../schemas/tagged-schemas.ts';

/**
 * A schema that cannot be used for validation, with the place of its media type or parameter and the reason.
 */
export interface Unjudgeable {
  readonly pointer: string;
  readonly reason: string;
}

/** Judges the JSON bodies of a document, in one dialect and by one validator. */
export interface Bodies {
  /** The faults of a body; an empty list if the content has no schema. */
  readonly judge: (side: Side, content: PlacedSchema, value: unknown) => readonly Misfit[] | Unjudgeable;
  /** What a body consists of, if it arrives in pieces; `judge` takes its kinds for single pieces. */
  readonly piecesOf: (content: MediaType) => JudgedPieces | undefined;
  /** Every schema that cannot be used for validation, those of parameters too. Compiles all schemas. */
  readonly unjudgeable: () => readonly Unjudgeable[];
}

/** A schema with the place that it is known by. */
export type PlacedSchema = Pick<MediaType, 'pointer' | 'schema'>;

/** The kinds of the pieces of a body, each in a form that can be judged. */
export interface JudgedPieces extends Omit<Pieces, 'kinds'> {
  readonly kinds: readonly JudgedKind[];
}

export interface JudgedKind extends Omit<PieceKind, 'asData'>, PlacedSchema {
  readonly asData?: PlacedSchema;
}

/**
 * Judges JSON bodies by JSON Schema 2020-12, including the points on which older validators differ: members
 * beside `$ref`, falsy values, closed objects. A member that is `readOnly` is not required in a request, and
 * one that is `writeOnly` not in an answer (OpenAPI 3.0.3, "Schema Object").
 */
export function bodiesOf(contract: Contract): Bodies {
  const contents = { request: new Map<string, MediaType>(), response: new Map<string, MediaType>() };
  const pieces = new Map<string, JudgedPieces | undefined>();
  for (const { requestBody, responses } of contract.operations) {
    for (const content of requestBody?.content ?? []) contents.request.set(content.pointer, content);
    for (const content of responses.flatMap((response) => response.content))
      contents.response.set(content.pointer, content);
  }
  const known = (content: MediaType): JudgedPieces | undefined => {
    if (!pieces.has(content.pointer)) pieces.set(content.pointer, judgedPieces(content, contract));
    return pieces.get(content.pointer);
  };
  const placed = (side: Side): ReadonlyMap<string, PlacedSchema> => {
    const found = new Map<string, PlacedSchema>(contents[side]);
    for (const content of contents[side].values())
      for (const kind of known(content)?.kinds ?? [])
        for (const each of [kind, kind.asData]) if (each !== undefined) found.set(each.pointer, each);
    return found;
  };
  const compilers: Partial<Record<Side, Compiler>> = {};
  // A value that is ambiguous by JSON Schema is valid if a discriminator decides.
  const taggedCompilers: Partial<Record<Side, Compiler>> = {};
  let hasTags: boolean | undefined;
  const isTagged = (): boolean => (hasTags ??= hasDiscriminators(contract.document.root));
  const compiler = (side: Side): Compiler => (compilers[side] ??= compilerFor(side, contract, placed(side)));
  return {
    judge: (side, { pointer, schema }, value) => {
      if (schema === undefined) return [];
      const { judge, faultOf } = compiler(side);
      const reason = faultOf(pointer);
      if (reason !== undefined) return { pointer, reason };
      const found = judge(pointer, value);
      if (found.length === 0 || !isTagged()) return found;
      const byTags = (taggedCompilers[side] ??= compilerFor(side, contract, placed(side), true));
      return byTags.faultOf(pointer) === undefined && byTags.judge(pointer, value).length === 0 ? [] : found;
    },
    piecesOf: known,
    unjudgeable: () => [
      ...(['request', 'response'] as const).flatMap((side) =>
        faultsOf(compiler(side), [...contents[side].values()]),
      ),
      ...unjudgeableParameters(contract),
    ],
  };
}

/**
 * The declared content for a media type: an exact match, else a matching range. A body without a media type
 * counts as JSON.
 */
export function contentFor(
  contents: NonNullable<Operation['requestBody']>['content'],
  mediaType: string | undefined,
): MediaType | undefined {
  const essence = essenceOf(mediaType ?? 'application/json');
  const [kind = ''] = essence.split('/');
  for (const wanted of [essence, `${kind}/*`, '*/*']) {
    const found = contents.find((content) => essenceOf(content.mediaType) === wanted);
    if (found !== undefined) return found;
  }
  const suffix = /\+[\w-]+$/.exec(essence)?.[0];
  return suffix === undefined
    ? undefined
    : contents.find((content) => essenceOf(content.mediaType) === `${kind}/*${suffix}`);
}

// --- internal ---

function judgedPieces(content: MediaType, { document }: Contract): JudgedPieces | undefined {
  const pieces = piecesOf(content, document);
  if (pieces === undefined) return undefined;
  const at = (index: number, name: string): string => joinPointer(content.pointer, name, String(index));
  const kinds = pieces.kinds.map(({ asData, ...kind }, index) => ({
    ...kind,
    pointer: at(index, 'piece'),
    ...(asData === undefined ? {} : { asData: { pointer: at(index, 'data'), schema: asData } }),
  }));
  return { ...pieces, kinds };
}

function faultsOf({ faultOf }: Compiler, placed: readonly PlacedSchema[]): Unjudgeable[] {
  return placed.flatMap(({ pointer, schema }) => {
    const reason = schema === undefined ? undefined : faultOf(pointer);
    return reason === undefined ? [] : [{ pointer, reason }];
  });
}

function unjudgeableParameters(contract: Contract): Unjudgeable[] {
  const parameters = contract.operations.flatMap((operation) => operation.parameters);
  const placed = [...new Map(parameters.map((parameter) => [parameter.pointer, parameter])).values()];
  const inline = placed.map(({ pointer, schema }) => [pointer, schema] as const);
  const named = contract.schemas.map(({ name, schema }) => [name, schema] as const);
  return faultsOf(compilerOf(contract, new Map(inline), new Map(named)), placed);
}

function compilerFor(
  side: Side,
  contract: Contract,
  contents: ReadonlyMap<string, PlacedSchema>,
  isTagged = false,
): Compiler {
  const { root } = contract.document;
  const schemas = isTagged ? taggedSchemas(contract.schemas, root) : contract.schemas;
  const inline = [...contents].flatMap(([pointer, { schema }]) =>
    schema === undefined ? [] : [[pointer, isTagged ? tagged(schema, root) : schema] as const],
  );
  const named = schemas.map(({ name, schema }) => [name, schema] as const);
  return compilerOf(contract, new Map(inline), new Map(named), {
    all: true,
    as: (schema) => ofSide(schema, side, root),
  });
}
