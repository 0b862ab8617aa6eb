/** Noted in place of an operation: a space that was deleted before the copy began was to be restored. */
export const unrestored = 'spaces.restore refused';

/** What a copy that reads as it is asked differs in from the organization after some changes, each a sentence. */
export const lazyDifferences: readonly { after: RegExp; sentence: string }[] = [
  {
    // The platform tells what each member may do in a space, and not which of it comes through a team.
    after: /^(team-members\.(update|set|delete)|teams\.(create|delete))$/,
    sentence:
      'Access through teams stays as it was: in the copy, who leaves a team keeps it, and who joins gets none.',
  },
  {
    // Only members and spaces that were changed, or asked for, are held.
    after:
      /^(spaces\.(update|delete|restore|duplicate|move|transfer)|collections\.(create|update|delete|move|transfer))$/,
    sentence:
      'Searches, and counts of the spaces of teams, and of members who were not changed, are as before the change.',
  },
  {
    after: new RegExp(`^${unrestored}$`),
    sentence:
      'A space that was deleted before cannot be restored in the copy: the platform shows nothing of deleted spaces.',
  },
  {
    after: /^openapi\./,
    sentence: 'Pages that are computed from an OpenAPI spec are as before the change.',
  },
  {
    after: /^(change-requests\.(merge|pull)|(change-request-)?content\.import)$/,
    sentence:
      'Links, search results, PDFs and comments on pages that were merged, pulled or imported are as before.',
  },
  {
    // Links come from the platform, with the addresses that it knows.
    after: /^sites\.(create|update|delete)$|^site-spaces\.|^sections\.|^section-groups\./,
    sentence: 'Published addresses in links of pages are as before the change.',
  },
];

/**
 * What differs after the changes that a copy took.
 * @param changes ids of their operations
 * @param caller what is not known of who made them
 */
export function gapsAfter(changes: ReadonlySet<string>, caller: string | undefined): string[] {
  if (changes.size === 0) return [];
  const ids = [...changes];
  const found = lazyDifferences.filter(({ after }) => ids.some((id) => after.test(id)));
  const sentences = found.map(({ sentence }) => sentence);
  return caller === undefined ? sentences : [...sentences, caller];
}
