import { Option } from 'commander';
import { eachUse } from '../command-line.ts';

/** `--overlay`, as each command has it that takes an OpenAPI document of a user's own. */
export function overlayOption(): Option {
  return new Option(
    '--overlay <file>',
    'an OpenAPI Overlay 1.0 that corrects your OpenAPI document; may be used several times',
  ).argParser(eachUse);
}
