/**
 * An emoji as its character. The platform takes and shows it so, or as its code points in hex, joined by hyphens:
 * `1f4d8`. Any other text stays as it is.
 */
export function emojiCharacter(text: string): string {
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/i.test(text)) return text;
  const points = text.split('-').map((point) => Number.parseInt(point, 16));
  return points.every(isCharacter) ? String.fromCodePoint(...points) : text;
}

/** Half of a surrogate pair is no character. */
function isCharacter(point: number): boolean {
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}
