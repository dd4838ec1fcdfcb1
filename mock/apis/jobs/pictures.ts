/** Small pictures, so that the outputs and previews of a job can be displayed. */
import { crc32, deflateSync } from 'node:zlib';

/** A square of one grey as a baseline JPEG; `brightness` from 0 to 1. */
export function greyJpeg(brightness: number): Uint8Array {
  const level = Math.round(Math.min(Math.max(brightness, 0), 1) * 255) - 128;
  // With a quantiser of 8 and 8 x 8 pixels, the single coefficient is the level itself.
  const size = level === 0 ? 0 : 32 - Math.clz32(Math.abs(level));
  const coefficient = level < 0 ? level + 2 ** size - 1 : level;
  const bits = `0${size === 0 ? '' : coefficient.toString(2).padStart(size, '0')}0`;
  const scan = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xdb, [0, ...Array<number>(64).fill(8)]),
    ...segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    // Tables with one code each: "0" for the size of the coefficient, "0" for the end of the block.
    ...segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), size]),
    ...segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0]),
    ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    ...scan.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])),
    ...[0xff, 0xd9],
  ]);
}

/**
 * A square as a PNG that is large enough to look at; red, green and blue of its top edge, from 0 to 255. Each
 * is made only once, because jobs are read often.
 */
export function colouredPng(red: number, green: number, blue: number): Uint8Array {
  const name = [red, green, blue].join(' ');
  const known = made.get(name);
  if (known !== undefined) return known;
  const rows = Array.from({ length: SIDE }, (_, y) => {
    const shade = 1 - y / SIDE / 2;
    const pixel = [red, green, blue].map((level) => Math.round(level * shade));
    return Buffer.concat([Buffer.from([0]), Buffer.alloc(SIDE * 3, Buffer.from(pixel))]);
  });
  const side = [0, 0, SIDE >> 8, SIDE & 0xff];
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.from([...side, ...side, 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  if (made.size < MOST_KEPT) made.set(name, png);
  return png;
}

// --- internal ---

/** In pixels. */
const SIDE = 512;
const MOST_KEPT = 256;
const made = new Map<string, Uint8Array>();

function segment(marker: number, content: readonly number[]): number[] {
  const length = content.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...content];
}

function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(named.length + 8);
  frame.writeUInt32BE(content.length, 0);
  frame.set(named, 4);
  frame.writeUInt32BE(crc32(named), named.length + 4);
  return frame;
}
