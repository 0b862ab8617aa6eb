/** Folds case for searches, in any script; SQLite folds ASCII only. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
