/** Titles and names as people compare them: whatever the case, the spaces or the form of the characters. */
export function foldedName(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
