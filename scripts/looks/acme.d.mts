/** A home with the seed acme, in which commands write pages. */
export interface Acme {
  path: string;
  docs(...words: string[]): string;
  close(): void;
}
/** @param path default: a folder for temporary files */
export function acme(path?: string): Acme;
/** Makes the page of each command. @returns their files by name */
export function pagesOf(home: Acme, wanted?: (name: string) => boolean): Record<string, string>;
