/**
 * Mutants of the sample (scripts/mutants.mjs) that no test can notice, by their texts. `nth` is for the file that has the
 * same texts more than once.
 */
export const equivalents = [];
