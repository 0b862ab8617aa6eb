/** Text as searches compare it: regardless of case, in any script, which SQLite alone cannot do. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
