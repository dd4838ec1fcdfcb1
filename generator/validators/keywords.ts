import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type { _ as template, Name } from 'ajv/dist/compile/codegen/index.js';

/** The parts of ajv that keywords are written with; handed in because ajv is loaded late. */
export interface Codegen {
  readonly _: typeof template;
  readonly Name: typeof Name;
}

/** A function of the output by the name of a format, and the type of the values that it judges. */
export const formatFunctions: ReadonlyMap<
  string,
  { readonly name: string; readonly type: 'string' | 'number' }
> = new Map(
  [
    ['date', 'isDate'],
    ['time', 'isTime'],
    ['iso-time', 'isIsoTime'],
    ['date-time', 'isDateTime'],
    ['iso-date-time', 'isIsoDateTime'],
    ['duration', 'isDuration'],
    ['uri', 'isUri'],
    ['uri-reference', 'isUriReference'],
    ['uri-template', 'isUriTemplate'],
    ['url', 'isUrl'],
    ['email', 'isEmail'],
    ['hostname', 'isHostname'],
    ['ipv4', 'isIpv4'],
    ['ipv6', 'isIpv6'],
    ['uuid', 'isUuid'],
    ['regex', 'isRegex'],
    ['json-pointer', 'isJsonPointer'],
    ['json-pointer-uri-fragment', 'isJsonPointerUriFragment'],
    ['relative-json-pointer', 'isRelativeJsonPointer'],
    ['byte', 'isByte'],
    ['int32', 'isInt32'],
    ['int64', 'isInt64'],
  ].map(([format = '', name = '']) => [
    format,
    { name, type: name.startsWith('isInt') ? 'number' : 'string' },
  ]),
);

/** What validators call of the output's own checks. */
export const checkFunctions: readonly string[] = [
  ...['below', 'branch', 'closest', 'fail', 'hasDuplicates', 'isEqual', 'isLongerThan', 'isMultipleOf'],
  ...['isShorterThan', 'recurse', 'token'],
];

/** The keyword that stands for `format: binary`: bytes are no JSON. */
export const BLOB = 'x-blob';

/**
 * Puts functions of the output in the place of what ajv would import from itself. They mean what ajv means, but that
 * multiples of decimal fractions are found.
 */
export function replaceKeywords(ajv: Ajv, { _, Name }: Codegen): void {
  /** A call of a function of the output. */
  const judge = (name: string, { data, schema }: KeywordCxt): ReturnType<typeof template> =>
    _`${new Name(name)}(${data}, ${schema as number})`;
  const definitions: (CodeKeywordDefinition & { keyword: string })[] = [
    {
      keyword: 'maxLength',
      type: 'string',
      schemaType: 'number',
      code: (context: KeywordCxt) => context.fail(judge('isLongerThan', context)),
    },
    {
      keyword: 'minLength',
      type: 'string',
      schemaType: 'number',
      code: (context: KeywordCxt) => context.fail(judge('isShorterThan', context)),
    },
    {
      keyword: 'multipleOf',
      type: 'number',
      schemaType: 'number',
      code: (context: KeywordCxt) => context.fail(_`!${judge('isMultipleOf', context)}`),
    },
    {
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      code: (context: KeywordCxt) => context.fail(_`${new Name('hasDuplicates')}(${context.data})`),
    },
    {
      keyword: 'format',
      type: ['number', 'string'],
      schemaType: 'string',
      code(context: KeywordCxt, type?: string) {
        const known = formatFunctions.get(String(context.schema));
        if (known?.type === type && known !== undefined)
          context.fail(_`!${new Name(known.name)}(${context.data})`);
      },
    },
    {
      keyword: BLOB,
      schemaType: 'boolean',
      code: (context: KeywordCxt) => context.fail(_`!(${context.data} instanceof Blob)`),
    },
  ];
  for (const definition of definitions) {
    ajv.removeKeyword(definition.keyword);
    ajv.addKeyword(definition);
  }
  for (const keyword of ['anyOf', 'oneOf'])
    markBranches(ajv, keyword, _`${new Name('branch')}(${new Name('failures')})`);
}

// --- internal ---

/** Lets the code of a keyword note where each of its alternatives begins. */
function markBranches(ajv: Ajv, keyword: string, mark: ReturnType<typeof template>): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known !== 'object' || !('code' in known) || typeof known.code !== 'function') return;
  const { code } = known;
  const {
    $dataError: _,
    definition: __,
    type,
    ...definition
  } = known as CodeKeywordDefinition & {
    $dataError?: unknown;
    definition?: unknown;
  };
  void type;
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    ...definition,
    keyword,
    code(context: KeywordCxt, ruleType?: string) {
      const subschema = context.subschema.bind(context);
      context.subschema = (applied, valid) => {
        context.gen.code(mark);
        return subschema(applied, valid);
      };
      code(context, ruleType);
    },
  });
}
