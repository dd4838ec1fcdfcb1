import type { LinkForm, Surface } from './assumptions.ts';
import type { NodeClass } from './node-classes.ts';

/** The options for the jobs of a mock. */
export interface JobsOptions {
  /** Default: the cloud (open point A-86). */
  readonly surface?: Surface;
  /** If a self-hosted instance has a token, it accepts only this one. */
  readonly staticToken?: string;
  /**
   * The prefix of all routes of the jobs, such as `/deployment/d-42`. Default: a path of its own on the
   * surfaces that are deployments, none on the others.
   */
  readonly mountPrefix?: string;
  /** The form of the links in a job; default: that of open point A-76. */
  readonly links?: LinkForm;
  /** Additional node classes; `any` accepts every class. */
  readonly nodeClasses?: readonly NodeClass[] | 'any';
  /** Additional assets. */
  readonly assets?: readonly AssetOption[];
  /** How many jobs of one caller run at the same time. */
  readonly slots?: number;
  /** How many more may wait. */
  readonly queueLimit?: number;
  /** The minimum time of a job in the queue, in milliseconds. */
  readonly queueMs?: number;
  /** How many event streams one caller may have open. */
  readonly streamLimit?: number;
}

export interface AssetOption {
  readonly id: string;
  /** The key that owns it; if left out, every caller may use it. */
  readonly owner?: string;
}

export interface JobSettings {
  readonly surface: Surface;
  readonly staticToken: string | undefined;
  /** Empty, or with a leading and without a trailing slash. */
  readonly mountPrefix: string;
  readonly links: LinkForm;
  readonly slots: number;
  readonly queueLimit: number;
  readonly queueMs: number;
  /** How long a cancelled job takes to stop, in milliseconds. */
  readonly cancelMs: number;
  readonly streamLimit: number;
}

/**
 * @throws {RangeError} for a mount prefix that is not a path, and for a static token on a surface that is not
 * self-hosted
 */
export function jobSettings(
  options: JobsOptions,
  usual: { readonly surface: Surface; readonly links: LinkForm },
): JobSettings {
  const surface = options.surface ?? usual.surface;
  if (options.staticToken !== undefined && surface !== 'self-hosted')
    throw new RangeError(`jobs.staticToken belongs to the surface self-hosted, and this one is ${surface}.`);
  const isDeployment = surface === 'serverless' || surface === 'demo';
  const mountPrefix = (options.mountPrefix ?? (isDeployment ? '/deployment/mock' : '')).replace(/\/$/, '');
  if (!/^(\/[\w.~-]+)*$/.test(mountPrefix))
    throw new RangeError(
      `jobs.mountPrefix is a path such as /deployment/d-42, got ${JSON.stringify(mountPrefix)}.`,
    );
  return {
    surface,
    staticToken: options.staticToken,
    mountPrefix,
    links: options.links ?? usual.links,
    slots: options.slots ?? 8,
    queueLimit: options.queueLimit ?? 1_000,
    queueMs: options.queueMs ?? 300,
    cancelMs: 300,
    streamLimit: options.streamLimit ?? 10_000,
  };
}
