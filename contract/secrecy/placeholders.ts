export const HEADER_PLACEHOLDERS = [
  '$HEADER_1',
  '$HEADER_2',
  '$HEADER_3',
  '$HEADER_4',
  '$HEADER_5',
  '$HEADER_6',
  '$HEADER_7',
  '$HEADER_8',
  '$HEADER_9',
] as const;

/**
 * The placeholders for secrets. The set is closed: any other text that looks like a variable comes from a
 * server. A shell must not expand it, and a replay must not replace it.
 */
export const placeholders = [
  '$API_KEY',
  '$JWT',
  '$FORBIDDEN_KEY',
  '$SECOND_KEY',
  '$SECOND_JWT',
  '$NO_CREDITS_KEY',
  '$NARROW_KEY',
  '$CONCURRENCY_KEY',
  '$SPEND_KEY',
  '$STATIC_TOKEN',
  '$PAT',
  '$REFUSED_KEY',
  '$OTHER_KEY',
  ...HEADER_PLACEHOLDERS,
] as const;
export type Placeholder = (typeof placeholders)[number];

/** What replaces a secret without a placeholder. */
export const HIDDEN = '…';

const NAMES = placeholders.map((name) => name.slice(1)).join('|');

/** The placeholders in a text. */
export const placeholderPattern = new RegExp(`\\$(?:${NAMES})(?!\\w)`, 'g');

/** Whether nothing of a text is left to mask. A text of a server that only begins like a placeholder is not masked. */
export function isMasked(text: string): boolean {
  return MASKED.test(text);
}

// --- internal ---

const MASKED = new RegExp(`^(?:${HIDDEN}|\\$(?:${NAMES}))+$`);
