/**
 * Which of the two documented forms an image has (document 2, "Skin enhancer request"); `undefined` for
 * neither. A data URL counts as Base64. The content of the image is not checked.
 */
export function imageForm(text: string): 'base64' | 'url' | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !text.startsWith('data:'))
    return isHttpsAddress(text) ? 'url' : undefined;
  const encoded = text.startsWith('data:') ? dataOf(text) : text;
  return encoded !== undefined && isBase64(encoded) ? 'base64' : undefined;
}

// --- internal ---

function isHttpsAddress(text: string): boolean {
  return URL.canParse(text) && !/\s/.test(text) && new URL(text).protocol === 'https:';
}

function dataOf(url: string): string | undefined {
  return /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,/.exec(url) === null
    ? undefined
    : url.slice(url.indexOf(',') + 1);
}

/** It may contain line breaks, and the padding is optional. */
function isBase64(text: string): boolean {
  const dense = text.replaceAll(/[\r\n]/g, '');
  if (dense === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(dense)) return false;
  const rest = dense.length % 4;
  return dense.endsWith('=') ? rest === 0 : rest !== 1;
}
