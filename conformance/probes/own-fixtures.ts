import type { Contract } from '../../contract/index.ts';
import { bodyFor, documentedValues } from './document/values.ts';
import { OwnApi, isRead } from './own-api.ts';

/** A fixtures file for an API of a user's own, every member commented out; it is valid as it stands, and says nothing. */
export function ownFixturesTemplate(contract: Contract): string {
  const api = new OwnApi(contract);
  const parameters = new Map<string, string>();
  for (const operation of api.operations)
    for (const parameter of operation.parameters) {
      if (!parameter.required || parameters.has(parameter.name)) continue;
      const value = documentedValues(api, parameter)[0]?.value ?? '…';
      const where = `${parameter.in} parameter of ${operation.id}`;
      parameters.set(
        parameter.name,
        `#  ${JSON.stringify(parameter.name)}: ${JSON.stringify(value)}  # ${where}`,
      );
    }
  const bodies = api.operations.flatMap((operation) => {
    if (isRead(operation) || operation.requestBody === undefined) return [];
    const value = bodyFor(api, operation, {})?.value ?? {};
    return [`#  ${JSON.stringify(operation.id)}: ${JSON.stringify(value)}`];
  });
  return [
    `# Fixtures for \`tallystick conform --contract\` of ${contract.title.replace(/\s+/g, ' ')}. Uncomment what you know.`,
    '# Every property is optional. A missing one only leaves the rules that need it untested.',
    '# $NAME instead of a secret is read from the environment.',
    '',
    '#baseUrl: https://api.example.com',
    '',
    '#cred:  # credentials',
    '#  valid:  # any usable credential, sent unchanged',
    '#    header: Authorization',
    '#    value: $TOKEN',
    '',
    '#parameters:  # values that the server knows, by the name of the parameter or by operationId.name',
    ...parameters.values(),
    '',
    '#bodies:  # valid bodies, by operationId',
    ...bodies,
    '',
  ].join('\n');
}
