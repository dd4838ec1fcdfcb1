/** Rules of the twins that fail on the faithful mock, each with the reason why no template is at fault. */
export const knownAlarms: Readonly<Record<string, string>> = {};
