import { isObject } from '../exchanges/exchange.ts';
import { permissions } from '../scenarios/scenario.ts';

/** The fault in the shape of a probe from a user's file, in words; `undefined` if there is none. */
export function probeProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'it must be an object, such as defineProbe returns';
  const { title, rules, requests, run, permissions: wanted = [], needs = [], budgetMs = 1 } = value;
  if (!isText(title)) return 'title must be a string that describes its requests';
  const of = (problem: string): string => `"${title}": ${problem}`;
  if (!isTexts(rules) || rules.length === 0) return of('rules must be an array of ids of rules');
  if (typeof run !== 'function') return of('run must be a function');
  if (!isTexts(needs)) return of('needs must be an array of names of fixtures');
  if (!isTexts(wanted) || !wanted.every((one) => (permissions as readonly string[]).includes(one)))
    return of(`permissions must be an array of ${permissions.join(', ')}`);
  if (typeof budgetMs !== 'number' || !(budgetMs > 0)) return of('budgetMs must be a number above 0');
  if (!isObject(requests)) return of('requests must be an object');
  for (const [name, request] of Object.entries(requests)) {
    const problem = requestProblem(request);
    if (problem !== undefined) return of(`requests.${name} ${problem}`);
  }
  return undefined;
}

// --- internal ---

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function requestProblem(request: unknown): string | undefined {
  if (!isObject(request)) return 'must be an object';
  const { operation, method, path, times = 1 } = request;
  const isOperation = isText(operation);
  const isPath = isText(method) && isText(path) && path.startsWith('/');
  if (isOperation === isPath)
    return 'must have an operation of the document, or a method and a path that begins with /';
  if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > MOST_TIMES)
    return `must have times from 1 to ${MOST_TIMES}`;
  return undefined;
}

/** Limits of a run; no probe can exceed them. */
const MOST_TIMES = 1000;
