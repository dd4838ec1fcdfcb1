/** A command of ours as a person types it at a shell. With `--no`, npx never downloads a package of that name. */
export function shellLine(...words: readonly string[]): string {
  return ['npx --no -- tallystick', ...words.map((word) => shellWord(word))].join(' ');
}

// --- internal ---

/** Quoted for POSIX shells and PowerShell, and for cmd on Windows. */
function shellWord(word: string): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  if (process.platform === 'win32') return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
