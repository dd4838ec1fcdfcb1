interface Ports {
  readonly port?: number;
  readonly controlPort?: number | false;
}

/** @throws {RangeError} for invalid ports, and for ports that callers cannot use */
export function checkPorts({ port, controlPort }: Ports): void {
  for (const given of [port, controlPort]) {
    if (typeof given === 'number' && BLOCKED.has(given))
      throw new RangeError(
        `Port ${String(given)} cannot be called from browsers or with fetch: the Fetch standard blocks it (https://fetch.spec.whatwg.org/#port-blocking). Take another one, or 0 for a free one`,
      );
  }
  if (port !== undefined && port !== 0 && port === controlPort)
    throw new RangeError(
      `The API and the control API cannot share port ${String(port)}: give one of them another port`,
    );
}

/** The port of the control API: the given one, the one after the API's, or any free one if that is in use. */
export function controlPortOf({ port = 0, controlPort }: Ports): number | false {
  if (controlPort !== undefined) return controlPort;
  const next = port + 1;
  return port === 0 || next > LAST || BLOCKED.has(next) ? 0 : next;
}

// --- internal ---

const LAST = 65_535;

/**
 * Ports that browsers and `fetch`, including Node's, refuse to use: those of well-known services, so that
 * pages cannot talk to them. From https://fetch.spec.whatwg.org/#port-blocking.
 */
const BLOCKED: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
