import { contentFor } from '../../../contract/judge/bodies.ts';
import { isBodiless } from '../../../contract/judge/body-format.ts';
import { isRecord } from '../../../contract/index.ts';
import type { Operation, Rule, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { severities } from '../../../contract/sheet/severities.ts';
import type { OwnApi } from '../own-api.ts';
import { isSecured, sentContent } from '../own-api.ts';
import { wrongParameters } from './breakable.ts';
import { isForm } from './wire-body.ts';
import { wrongIds } from './wrong-ids.ts';

/** The document's statements about an operation, as far as a server can be judged by them. */
export type DocumentCase = 'answer' | 'status' | 'security' | 'bad-body' | 'bad-parameter' | 'media-type';

/** The rule of an operation, such as `document.listPets.answer`. */
export function documentRule({ id }: Pick<Operation, 'id'>, name: DocumentCase): string {
  return `document.${id.replace(/[^\p{L}\p{N}_-]+/gu, '-')}.${name}`;
}

/** Rules that are recorded and never judged. */
export const UNKNOWN_PATH = 'document.unknown-path';
export const UNKNOWN_METHOD = 'document.unknown-method';

/** The rules that follow from the document alone, in addition to any sheet. */
export function documentRulesOf(api: OwnApi): readonly Rule[] {
  return [
    ...api.operations.flatMap((operation) => documentRules(api, operation)),
    recorded(UNKNOWN_PATH, 'The answer to a path that is not in the document.'),
    recorded(UNKNOWN_METHOD, 'The answer to a method that the document does not declare for a path.'),
  ];
}

/** The rules that a document implies for one of its operations. */
export function documentRules(api: OwnApi, operation: Operation): readonly Rule[] {
  const { id, method, path, requestBody, responses } = operation;
  const section = `${method.toUpperCase()} ${path}`;
  const rule = (name: DocumentCase, level: Rule['level'], says: string, item: string): Rule => ({
    id: documentRule(operation, name),
    level,
    says,
    source: { document: 1, section, item },
    operation: id,
    needs: [],
    audience: 'both',
  });
  // What one operation at an address refuses, another can allow.
  const alike = api.atAddressOf(operation);
  const isAlone = alike.length === 1;
  // A declared refusal means that the server validates the request.
  const refused = responses.some(({ status }) => /^4(?:00|22|15|XX)$/i.test(status))
    ? 'unrefused'
    : 'unrefused-silently';
  const refusal = severities[refused].level;
  const content = requestBody === undefined ? undefined : sentContent(operation);
  const isSent =
    isAlone &&
    content !== undefined &&
    !isBodiless(method) &&
    (/json|\*/i.test(content.mediaType) || isForm(content.mediaType));
  // A form without required members cannot be clearly invalid, because everything in a form is text.
  const isBreakable = isSent && (!isForm(content.mediaType) || needsMembers(api, content.schema));
  // If no body is required, the server may ignore one of another type.
  const needsType =
    isSent &&
    requestBody?.required === true &&
    contentFor(requestBody.content, 'application/x-tallystick') === undefined;
  return [
    rule(
      'answer',
      'must',
      `Every answer of ${section} has a media type, the headers and a body as the document declares for its status, no valid request gets a server error that is not declared, and no default of the document is refused.`,
      'responses',
    ),
    rule(
      'status',
      'must',
      `Every answer of ${section} has a status that the document declares.`,
      'responses',
    ),
    ...(alike.every(isSecured)
      ? [rule('security', 'must', `${section} is refused without a credential.`, 'security')]
      : []),
    ...(!isAlone || (wrongParameters(api, operation).length === 0 && wrongIds(api, operation).length === 0)
      ? []
      : [
          rule(
            'bad-parameter',
            refusal,
            `${section} refuses a parameter that its schema does not allow, and a call without a required one.`,
            'parameters',
          ),
        ]),
    ...(isBreakable
      ? [
          rule(
            'bad-body',
            refusal,
            `${section} refuses a body that is malformed or that its schema does not allow.`,
            'requestBody',
          ),
        ]
      : []),
    ...(needsType
      ? [
          rule(
            'media-type',
            refusal,
            `${section} refuses a body of a media type that is not declared.`,
            'requestBody',
          ),
        ]
      : []),
  ];
}

// --- internal ---

function needsMembers({ root }: OwnApi, schema: Schema | undefined): boolean {
  const target = schema === undefined ? undefined : followed(root, schema);
  const required = isRecord(target) ? target['required'] : undefined;
  return Array.isArray(required) && required.length > 0;
}

function recorded(id: string, says: string): Rule {
  return {
    id,
    level: 'info',
    says,
    source: { document: 1, section: 'paths', item: 'all' },
    needs: [],
    audience: 'server',
  };
}
