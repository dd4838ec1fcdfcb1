/** The relative links of a page, without what follows a `#`. */
export function linksOf(markdown: string): string[] {
  const targets = [
    ...markdown.matchAll(/\]\(([^)\s]+)\)/g),
    ...markdown.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g),
  ].map(([, link = '']) => link.replace(/#.*$/, ''));
  return targets.filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}
