/** What Prism loads and few calls need: it is loaded when it is first used. See docs/adr/0008-prism-patches.md. */
import { createRequire, Module } from 'node:module';

/**
 * Loads the maker of answers without what takes longer to load than the rest of it: json-schema-faker and faker, which
 * only make random answers, the log, to which the mock does not listen, and callbacks, which it does not send.
 */
export function loadMaker(maker: string): unknown {
  // Prism sets the generator up while it loads its own code.
  let setUp: ((generator: JsonSchemaFaker) => unknown)[] | undefined = [];
  let isLoading = true;
  const made = deferring(maker, {
    '@faker-js/faker': (loaded) => ({
      get faker(): unknown {
        return (loaded() as { readonly faker: unknown }).faker;
      },
    }),
    'json-schema-faker': (loaded) => {
      const apply = (step: (generator: JsonSchemaFaker) => unknown): unknown => {
        if (isLoading) return setUp?.push(step);
        const { JSONSchemaFaker } = loaded() as { readonly JSONSchemaFaker: JsonSchemaFaker };
        for (const earlier of setUp ?? []) earlier(JSONSchemaFaker);
        setUp = undefined;
        return step(JSONSchemaFaker);
      };
      const member =
        (name: keyof JsonSchemaFaker) =>
        (...given: readonly unknown[]): unknown =>
          apply((generator) => generator[name](...given));
      return {
        JSONSchemaFaker: { extend: member('extend'), option: member('option'), generate: member('generate') },
      };
    },
    [LOG]: () => ({ logRequest: nothing, logResponse: nothing, violationLogger: () => nothing }),
    [CALLBACKS]: late('runCallback'),
  });
  isLoading = false;
  return made;
}

/**
 * Loads the validator of requests and answers without a second copy of lodash, from which it takes one function for
 * refused credentials.
 */
export function loadValidator(): unknown {
  return deferring(VALIDATOR, { 'lodash/fp': late('set') });
}

// --- internal ---

const require = createRequire(import.meta.url);
const VALIDATOR = '@stoplight/prism-http/dist/validator/index.js';
const LOG = '@stoplight/prism-http/dist/utils/logger.js';
const CALLBACKS = '@stoplight/prism-http/dist/mocker/callback/callbacks.js';
const nothing = (): void => undefined;

/**
 * Loads a module of Prism with others in place of those that it seldom needs. These are loaded when they are first
 * used, also by other code in this process.
 *
 * @param inPlace by the name of a module: what is in its place, given a function that loads it
 */
function deferring(
  module: string,
  inPlace: Readonly<Record<string, (loaded: () => unknown) => object>>,
): unknown {
  const prismRequire = createRequire(require.resolve(module));
  const { cache } = prismRequire;
  const paths = Object.entries(inPlace).flatMap(([name, make]) => {
    const path = prismRequire.resolve(name);
    if (cache[path] !== undefined) return [];
    const standIn = new Module(path);
    standIn.loaded = true;
    standIn.exports = make(() => prismRequire(path) as unknown);
    cache[path] = standIn as NodeJS.Module;
    return [path];
  });
  try {
    return require(module);
  } finally {
    for (const path of paths) Reflect.deleteProperty(cache, path);
  }
}

/** In place of a module of which one function is used. */
function late(name: string): (loaded: () => unknown) => object {
  return (loaded) => ({
    [name]: (...given: readonly unknown[]): unknown =>
      (loaded() as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>)[name]?.(...given),
  });
}

interface JsonSchemaFaker {
  readonly extend: (...given: readonly unknown[]) => unknown;
  readonly option: (...given: readonly unknown[]) => unknown;
  readonly generate: (...given: readonly unknown[]) => unknown;
}
