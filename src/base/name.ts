/**
 * Texts that people use as names: when two are the same, what a search looks for, and the words of an address. File
 * names are another matter: their key is that of file systems (file-name.ts).
 */

/**
 * What the names that people take for one have in common: titles, labels, names of columns. Case, the form of the
 * characters and the kind and number of spaces make no difference. Two things may still have such names (`Docs`, `docs`):
 * whoever looks one up by name tries the exact text first.
 */
export function nameKey(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

export function sameName(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

/**
 * Exactly the same text, whatever form its characters have: `é` may be one code point or two. For titles in files, which
 * the platform shall have as they are written, and of which `Docs` and `docs` may be two.
 */
export function exactKey(text: string): string {
  return text.normalize('NFC');
}

/** Emails are the same in any case. Letters of full width are another address, so NFKC would be wrong. */
export function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

export function sameEmail(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && emailKey(one) === emailKey(other);
}

/**
 * What a text is searched in: without case, and without the accents of Latin, Greek and Cyrillic letters. Marks of other
 * scripts stay, since there they are vowels. The keys of the characters of a text make up its key.
 */
export function searchKey(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');
}

/**
 * A text as a segment of an address: `Café & Bar` → `cafe-bar`. Empty where nothing is left.
 * @param options.most characters
 * @param options.others what becomes a hyphen; default: all but ASCII letters and digits
 */
export function slug(text: string, { most = Number.POSITIVE_INFINITY, others = /[^a-z0-9]+/g } = {}): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(others, '-')
    .slice(0, most)
    .replaceAll(/^-+|-+$/g, '');
}

/** The anchor that GitHub gives a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** `space` → `spaces`, `reply` → `replies`; `translation settings` are that already. */
export function pluralOf(noun: string): string {
  if (noun.endsWith('s')) return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
