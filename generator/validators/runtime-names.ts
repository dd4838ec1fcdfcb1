/**
 * Functions of the runtime by the names of the formats that they validate. Other formats do not restrict a
 * value.
 */
export const formatFunctions: ReadonlyMap<string, string> = new Map([
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
]);

const modules: ReadonlyMap<string, string> = new Map(
  Object.entries({
    automaton: 'automaton',
    checks: 'guard checker check',
    recursion: 'below fail recurse',
    scalars:
      'anything never text number integer flag nothing list object bytes typed orNull isObject longest ' +
      'shortest formatted textOf highest lowest under over multiple among same',
    members: 'own lacks needs mostNames leastNames names matching others closed',
    lists: 'listOf each item noFurther mostItems leastItems unique containing',
    alternatives: 'nullOr anyOf oneOf not when tagged byTag',
    evaluated: 'nothingSeen see seeFirst seeMatching seeItems seeBy unseenMembers unseenItems',
    formats: [...formatFunctions.values()].join(' '),
  }).flatMap(([module, names]) => names.split(' ').map((name) => [name, module] as const)),
);

/** The functions of the runtime that guards call. No other name in their modules may equal one of these. */
export const runtimeNames: readonly string[] = [...modules.keys()];

/** The module of the runtime that contains a function which guards call. */
export function moduleOf(name: string): string {
  const module = modules.get(name);
  if (module === undefined) throw new Error(`no module of the runtime holds ${name}`);
  return module;
}
