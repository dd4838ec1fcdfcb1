/** The id for an operation without an `operationId`, such as `get_models_id` for `GET /models/{id}`. */
export function operationIdOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method, ...words].join('_');
}

/** Like `operationIdOf`, but avoids the ids that are taken, and marks the new one as taken. */
export function freeOperationId(method: string, path: string, taken: Set<unknown>): string {
  const wanted = operationIdOf(method, path);
  let id = wanted;
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}_${String(count)}`;
  taken.add(id);
  return id;
}
