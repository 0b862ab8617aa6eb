/** The seeds, as a command line names them. */
export const seedNames = ['tiny', 'acme', 'huge'] as const;
export type SeedName = (typeof seedNames)[number];
