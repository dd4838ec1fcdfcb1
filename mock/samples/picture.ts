/**
 * A picture that shows its input, as SVG: with any width and height, a title, and a text below it.
 *
 * @param seed equal seeds result in equal colours
 */
export function labelledPicture(options: {
  readonly title: string;
  readonly text: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
}): string {
  const { title, text, seed, width, height } = options;
  const hue = Math.abs(Math.trunc(seed) * 47) % 360;
  const lines = wrapped(text).map(
    (line, index) => `<tspan x="50%" dy="${index === 0 ? '1.8em' : '1.3em'}">${escaped(line)}</tspan>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}">`,
    `<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${String(hue)} 55% 32%)"/><stop offset="1" stop-color="hsl(${String((hue + 60) % 360)} 60% 18%)"/></linearGradient></defs>`,
    `<rect width="100%" height="100%" fill="url(#g)"/>`,
    `<text x="50%" y="42%" fill="#fff" font-family="system-ui, sans-serif" font-size="${String(Math.round(width / 24))}" text-anchor="middle">`,
    `<tspan font-weight="700">${escaped(title)}</tspan>${lines.join('')}</text></svg>`,
  ].join('');
}

// --- internal ---

const LINE = 34;
const MOST_LINES = 5;

function wrapped(text: string): readonly string[] {
  const lines = [''];
  for (const word of text.slice(0, LINE * MOST_LINES).split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= LINE) lines.push(word.slice(0, LINE));
    else lines[lines.length - 1] = line === '' ? word.slice(0, LINE) : `${line} ${word}`;
  }
  return lines.slice(0, MOST_LINES);
}

/** Characters that XML does not allow are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => `&#${String(character.codePointAt(0))};`);
}
