import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * What a command of this repository was called with. `--help` prints the comment at the head of the command's file. A mistake
 * is said in one line with that comment, and ends the process with exit code 2.
 *
 * @param file the URL of the command's file
 * @param values the values that its words without dashes may have; default: any
 */
export function commandLine<const Config extends ParseArgsConfig>(
  file: string,
  config: Config,
  values?: readonly string[],
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(`${usageOf(file)}\n`);
    process.exit(0);
  }
  let parsed: ReturnType<typeof parseArgs<Config>>;
  try {
    parsed = parseArgs(config);
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw error;
    mistaken(file, (error as Error).message.split('. ', 1)[0] ?? '');
  }
  const unknown = values && parsed.positionals.find((word) => !values.includes(word));
  if (unknown !== undefined) mistaken(file, `There is no '${unknown}': expected ${values?.join(', ') ?? ''}`);
  return parsed;
}

/** Ends the process for a mistake in the words of a command. */
export function mistaken(file: string, message: string): never {
  process.stderr.write(`✖ ${message}\n\n${usageOf(file)}\n`);
  process.exit(2);
}

// --- internal ---

function usageOf(file: string): string {
  const [, comment = ''] = /\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(fileURLToPath(file), 'utf8')) ?? [];
  return comment.replace(/^ \* ?/gm, '');
}
