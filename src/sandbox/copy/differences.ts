/** What a copy does not answer as the platform did, and why. Tests of copies and the guide read this list. */

export interface CopyDifference {
  /** Files of a backup, as a pattern of their paths; `manifest.json` also is the one of each space. */
  files: RegExp;
  /** What of them: a field, or words. */
  field: string;
  why: string;
}

export const copyDifferences: readonly CopyDifference[] = [
  {
    files: /^openapi\/[^/]+\/(?:versions|content)\.json$/,
    field: 'url',
    why: 'Addresses of content point to the copy, since those of the platform would lead back to the platform.',
  },
  {
    files: /(?:^|\/)manifest\.json$/,
    field: 'startedAt, finishedAt, readAt, accessReadAt, repliesReadAt, platform, runs',
    why: 'They belong to the run, not to the organization.',
  },
  {
    files: /(?:^|\/)manifest\.json$/,
    field: 'sha256, bytes',
    why: 'Hashes and sizes of files that differ.',
  },
];

/** What a copy has not, so that no backup of it can show it. */
export const notInCopies: readonly { what: string; why: string }[] = [
  {
    what: 'grants to teams, and to whom a permission was given',
    why: 'The platform shows the role of each person in a space, not its source; a copy has a grant to the person if levels give less.',
  },
  {
    what: 'the place of collections among spaces',
    why: 'Lists have one or the other; in a copy, collections precede the spaces beside them.',
  },
  {
    what: 'invite links, tokens, closed change requests, drafts, older revisions, older contents of specs',
    why: 'Backups leave them out. Their counts are those that the platform reports.',
  },
  {
    what: 'site spaces, team members and collections that name something that is not in the backup',
    why: 'The token could not read it. The copy lists each of them.',
  },
  {
    what: 'texts of reusable contents',
    why: 'The API does not show them. Title and address are the real ones; the text is empty.',
  },
  {
    what: 'addresses of pages inside a change request that the copy makes',
    why: 'Addresses of a change request belong to the sandbox. Pages of one in the backup keep the addresses they had, until they move.',
  },
  {
    what: 'the computed part of a page, if it cannot be separated from its own text',
    why: 'The page then keeps its text, and changes to the source no longer update it.',
  },
  {
    what: 'the content that an outdated change request is based on',
    why: 'The API does not show it. It is assumed from the times of the pages on both sides, so a merge in a copy may succeed when the platform finds a conflict, or the reverse.',
  },
  {
    what: 'digits beyond those of a double',
    why: 'The sandbox computes with doubles.',
  },
];
