/** Noted in place of an operation: a space that was deleted before the copy began was to be restored. */
export const unrestored = 'spaces.restore refused';

export interface Difference {
  /** Ids of the operations after which it is one. */
  after: RegExp;
  sentence: string;
}

/** The platform shows what each member may do in a space, and not which of it comes through a team. */
const accessThroughTeams: Difference = {
  after: /^(team-members\.(update|set|delete)|teams\.(create|delete))$/,
  sentence:
    'Access through teams stays as it was: in the copy, who leaves a team keeps it, and who joins gets none.',
};

/** What a copy that is filled from a backup differs in from the organization after some changes. */
export const backupDifferences: readonly Difference[] = [
  accessThroughTeams,
  {
    // The grants of teams are in no backup, only their number.
    after: /^(spaces|collections)\.(delete|restore|duplicate|move|transfer)$/,
    sentence: 'Counts of the spaces of teams are as before the change.',
  },
];

/** What a copy that reads as it is asked differs in from the organization after some changes. */
export const lazyDifferences: readonly Difference[] = [
  accessThroughTeams,
  {
    // They are read of the platform, which still has the space where it was.
    after: /^(spaces\.(delete|restore|transfer)|collections\.(delete|transfer))$/,
    sentence:
      'Links from other spaces to one that was deleted, restored or transferred: in the copy they are missing, or as before.',
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

/** What differs after changes that a copy took. @param changes ids of their operations */
export function gapsAfter(differences: readonly Difference[], changes: Iterable<string>): string[] {
  const ids = [...changes];
  return differences.filter(({ after }) => ids.some((id) => after.test(id))).map(({ sentence }) => sentence);
}
