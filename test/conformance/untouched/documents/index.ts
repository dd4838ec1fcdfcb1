import type { Sample } from '../sample.ts';
import { actions } from './actions.ts';
import { bodies } from './bodies.ts';
import { keys } from './keys.ts';
import { rest } from './rest.ts';
import { rpc } from './rpc.ts';

/** Documents that name the same kinds of operations in different ways. */
export const samples: readonly Sample[] = [rest, rpc, actions, bodies, keys];
