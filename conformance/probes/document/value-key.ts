import type { Operation, Parameter } from '../../../contract/model.ts';

/**
 * The name under which the value of a parameter is kept: its own, or with its place if a parameter in another place has
 * the same name. The one in the path keeps the plain name, under which values of things are found.
 */
export function valueKey(
  { parameters }: Pick<Operation, 'parameters'>,
  { name, in: place }: Pick<Parameter, 'name' | 'in'>,
): string {
  const places = parameters.filter((other) => other.name === name).map((other) => other.in);
  const first = places.includes('path') ? 'path' : places[0];
  return first === undefined || first === place ? name : `${place} ${name}`;
}
