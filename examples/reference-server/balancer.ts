import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPolicy, loadOwnContract } from '../../contract/index.ts';

export interface BalancerOptions {
  readonly port: number;
  /** The addresses of the replicas, and of their health checks. */
  readonly replicas: readonly { readonly serve: number; readonly health: number }[];
  /** The path prefix of the jobs; all other paths belong to the router. */
  readonly jobsPath: string;
  /** The folder for its files. */
  readonly folder: string;
}

/**
 * The configuration of haproxy in front of the replicas.
 *
 * - It forwards the disconnection of a caller: otherwise the answer for a key would be recorded although it
 *   was not delivered.
 * - A read whose replica died before it answered is sent to another one. A call is sent again only if it
 *   certainly never reached the first replica; otherwise only its caller may find out the result, by its key.
 * - Its own answers are errors of the called API, with the status that the contract declares for them: a 502
 *   is not declared, and a 504 would be taken for the router's own. `Proxy-Status` shows which server
 *   answered.
 */
export async function balancerConfiguration(options: BalancerOptions): Promise<string> {
  const { port, replicas, jobsPath, folder } = options;
  const [router, jobs] = [await loadOwnContract('router'), await loadOwnContract('jobs')];
  const errors = findPolicy(router, 'error-buckets');
  const codes = findPolicy(jobs, 'error-codes');
  const requestId = findPolicy(router, 'headers')?.requestId;
  if (errors === undefined || codes === undefined || requestId === undefined)
    throw new Error('the contracts define the form of errors');
  const bucket = errors.roles.unavailable;
  const detail = 'A replica went away: send it again.';
  const file = (
    api: string,
    { header, body }: { readonly header: readonly string[]; readonly body: object },
  ) => {
    const path = join(folder, `${api}.http`);
    const text = JSON.stringify(body);
    const lines = [
      'HTTP/1.1 503 Service Unavailable',
      'Content-Type: application/json',
      `Content-Length: ${String(text.length)}`,
      ...header,
      'Retry-After: 1',
      'Proxy-Status: haproxy; error=connection_terminated',
      'Connection: close',
    ];
    writeFileSync(path, `${lines.join('\r\n')}\r\n\r\n${text}`);
    return [502, 503, 504].map((status) => `  errorfile ${String(status)} ${path}`).join('\n');
  };
  const routerErrors = file('router', {
    header: [`${errors.header}: ${bucket}`],
    body: { [errors.bodyMember]: bucket, [errors.detailMember]: detail },
  });
  const jobsErrors = file('jobs', {
    header: [],
    body: nested([
      [codes.code, 'not_available'],
      [codes.message, detail],
    ]),
  });
  const servers = (more: (index: number) => string): string =>
    replicas
      .map(({ serve }, index) => `  server r${String(index)} 127.0.0.1:${String(serve)} ${more(index)}`)
      .join('\n');
  return `global
  maxconn 2000
defaults
  mode http
  option http-server-close
  option abortonclose
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
  timeout connect 1s
  timeout check 2s
  timeout client 120s
  timeout server 120s
frontend api
  bind 127.0.0.1:${String(port)}
  option accept-invalid-http-request
  http-after-response set-header ${requestId} %[uuid()] if { res.hdr(Proxy-Status) -m found }
  use_backend jobs if { path_beg ${jobsPath}/ }
  default_backend router
backend router
${routerErrors}
  balance roundrobin
  http-request disable-l7-retry unless METH_GET
  option httpchk GET /health/ready
${servers((index) => `check port ${String(replicas[index]?.health ?? 0)} inter 200 fall 1 rise 1`)}
backend jobs
${jobsErrors}
  balance roundrobin
  http-request disable-l7-retry unless METH_GET
${servers((index) => `track router/r${String(index)}`)}
`;
}

// --- internal ---

/** Members nested by their dotted names. */
function nested(members: readonly (readonly [name: string, value: string])[]): object {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of members) {
    const steps = name.split('.');
    const last = steps.pop() ?? name;
    let at = whole;
    for (const step of steps) at = (at[step] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return whole;
}
