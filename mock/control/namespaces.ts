import { ControlMistake } from './api-control.ts';
import type { Namespaces } from '../namespaces.ts';
import { formed } from './reading.ts';
import type { NamespaceList } from './reference-shape.ts';

/** `PUT namespaces/{name}` makes one, `DELETE namespaces/{name}` removes it. */
export async function changeNamespace(
  namespaces: Namespaces,
  change: 'make' | 'remove',
  name: string | undefined,
  body: unknown,
): Promise<NamespaceList> {
  if (name === undefined)
    throw new ControlMistake('Name the namespace in the path: /control/v1/namespaces/{name}');
  if (change === 'make') await make(namespaces, name, body);
  else if (!namespaces.remove(name))
    throw new ControlMistake(`Namespace ${JSON.stringify(name)} does not exist.`, 404);
  return { namespaces: namespaces.names() };
}

// --- internal ---

async function make(namespaces: Namespaces, name: string, body: unknown = {}): Promise<void> {
  const options = formed(body, { members: { seed: 'string', speed: 'number' } });
  try {
    await namespaces.make(name, options);
  } catch (error) {
    if (error instanceof RangeError) throw new ControlMistake(error.message);
    throw error;
  }
}
