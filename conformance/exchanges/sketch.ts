import type { Exchange } from './exchange.ts';
import { Unreadable, isObject } from './exchange.ts';

/** An exchange's answer on one line: `200 {"limit":500,"data":[…500]}`. */
export function sketchAnswer(exchange: Exchange): string {
  const known = sketches.get(exchange) ?? sketchOf(exchange);
  sketches.set(exchange, known);
  return known;
}

/** A value as short JSON: long arrays become their length, long texts are cut. */
export function sketch(value: unknown, room = 160): string {
  for (const depth of [4, 3, 2, 1]) {
    const text = atDepth(value, depth);
    if (text.length <= room) return text;
  }
  return cut(atDepth(value, 1), room);
}

/** Text truncated to a length, with an ellipsis if something is missing. */
export function cut(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

// --- internal ---

/** Cached, because many checks are about one answer. */
const sketches = new WeakMap<Exchange, string>();

function sketchOf(exchange: Exchange): string {
  const { answer } = exchange;
  if (answer === undefined) return exchange.failure ?? 'no answer';
  const body = sketchBody(exchange, answer.body);
  return body === '' ? String(answer.status) : `${answer.status} ${body}`;
}

function atDepth(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, 60));
  if (Array.isArray(value)) {
    if (value.length > 3 || depth === 0) return `[…${value.length}]`;
    return `[${value.map((item) => atDepth(item, depth - 1)).join(',')}]`;
  }
  if (isObject(value)) {
    const names = Object.keys(value);
    if (depth === 0) return names.length === 0 ? '{}' : '{…}';
    const shown = names
      .slice(0, 8)
      .map((name) => `${JSON.stringify(cut(name, 60))}:${atDepth(value[name], depth - 1)}`);
    return `{${shown.join(',')}${names.length > 8 ? ',…' : ''}}`;
  }
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function sketchBody(exchange: Exchange, bytes: Uint8Array): string {
  try {
    return exchange.json === undefined ? sketchBytes(bytes) : sketch(exchange.json);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return `${sketchBytes(bytes)}; ${error.message}`;
  }
}

function sketchBytes(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  return `${cut(JSON.stringify(new TextDecoder().decode(bytes.subarray(0, 80))), 60)} (${bytes.length} bytes)`;
}
