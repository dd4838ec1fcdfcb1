/** Rules of the twins that fail on the faithful mock, each with the reason why no template is at fault. */
export const knownAlarms: Readonly<Record<string, string>> = {
  'document.listModels.bad-parameter':
    'the document bounds the page size, and a rule of the sheet says that more is brought down; the twin has no rules',
};
