const longest = 90;

/** The title as a piece of a path: small Latin letters, digits and hyphens; `otherwise` where none is left. */
export function slugOf(title: string, otherwise: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').slice(0, longest);
  return slug.replaceAll(/^-|-$/g, '') || otherwise;
}

/** The slug, with the first number that makes it differ from those taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
