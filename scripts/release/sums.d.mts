/** Writes SHA256SUMS of all files of a folder. */
export function writeSums(folder: string): Promise<void>;
/** What is wrong in a folder by its SHA256SUMS, a sentence each. */
export function wrongSums(folder: string): Promise<string[]>;
