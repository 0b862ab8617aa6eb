/** What a copy that reads as it is asked cannot know after changes of some tables, each a sentence. */
const unknown: readonly { tables: readonly string[]; sentence: string }[] = [
  {
    tables: ['teams', 'team_members'],
    sentence: 'Access that someone has through a team stays theirs in the copy when they leave the team.',
  },
  {
    tables: ['spaces', 'collections'],
    sentence: 'Searches, and counts of the spaces of members who were not changed, are as before the change.',
  },
  {
    tables: ['openapi_specs'],
    sentence: 'Pages that are computed from an OpenAPI spec are as before the change.',
  },
  {
    tables: ['revisions'],
    sentence: 'Links, search results and comments on pages that were merged or imported are as before.',
  },
];

/** @param changed tables with rows that the copy changed */
export function gapsAfter(changed: ReadonlySet<string>): string[] {
  return unknown.flatMap(({ tables, sentence }) =>
    tables.some((one) => changed.has(one)) ? [sentence] : [],
  );
}
