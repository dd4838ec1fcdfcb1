import type { ServerRequest } from '../../engine/handler.ts';
import { type Exchange, requestOf, responseOf } from '../../engine/exchange.ts';
import type { Shutdown, ShutdownOptions } from '../../engine/open-calls.ts';
import type { Server } from '../../engine/serve.ts';

export type JoinedServer = ((request: Request) => Promise<Response>) &
  Pick<Server, 'exchange' | 'refuse' | 'serves' | 'shutdown'>;

/**
 * Several APIs at one address. An unknown path is answered by the API whose paths have the longest common prefix with
 * it, and by the first one if there are several.
 */
export function join(first: Server, ...others: readonly Server[]): JoinedServer {
  const all = [first, ...others];
  const pick = (target: string): Server => {
    const path = target.split('?', 1)[0] ?? '';
    const known = all.find((server) => server.serves(target));
    if (known !== undefined) return known;
    const shared = all.map((server) =>
      Math.max(0, ...server.api.operations.map((each) => inCommon(each.path, path))),
    );
    return all[shared.indexOf(Math.max(...shared))] ?? first;
  };
  const exchange = (request: ServerRequest): Promise<Exchange> => pick(request.target).exchange(request);
  return Object.assign(
    async (request: Request): Promise<Response> => responseOf(await exchange(requestOf(request)), request),
    {
      exchange,
      serves: (target: string) => all.some((server) => server.serves(target)),
      refuse: (status: number, message: string) => first.refuse(status, message),
      shutdown: async (options?: ShutdownOptions): Promise<Shutdown> => {
        const ends = await Promise.all(all.map((server) => server.shutdown(options)));
        const sum = (which: keyof Shutdown): number => ends.reduce((total, end) => total + end[which], 0);
        return { cut: sum('cut'), left: sum('left') };
      },
    },
  );
}

// --- internal ---

function inCommon(template: string, path: string): number {
  const segments = path.split('/');
  const differs = template.split('/').findIndex((segment, index) => segment !== segments[index]);
  return differs < 0 ? template.split('/').length : differs;
}
