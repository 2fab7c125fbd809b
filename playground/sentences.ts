/** Verdicts for people who do not know whether "allowed" is good or bad. */
export const SENTENCES: Readonly<Record<string, string>> = {
  allowed: 'Yes, this can happen',
  forbidden: 'No, this cannot happen',
  holds: 'Yes, this is always so',
  fails: 'No, this is not always so',
  unknown: 'Nobody knows yet whether this can happen',
  vacuous: 'No run of this program ends, so that nothing can happen',
  untranslatable: 'The program has something that the model does not know',
};
