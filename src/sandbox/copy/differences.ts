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
    why: 'The address of the content is one of the copy itself, where that content is; the one of the platform would lead back to the platform.',
  },
  {
    files: /(?:^|\/)manifest\.json$/,
    field: 'startedAt, finishedAt, readAt, accessReadAt, repliesReadAt, platform, runs',
    why: 'They tell of the run, not of the organization.',
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
    why: 'The platform tells what each person can do in a space, not where it comes from; a copy holds a grant to the person where levels give less.',
  },
  {
    what: 'the place of collections among spaces',
    why: 'Lists have one or the other; in a copy, collections precede the spaces beside them.',
  },
  {
    what: 'invite links, tokens, closed change requests, drafts, older revisions, older contents of specs',
    why: 'Backups leave them out. Counts of them are as told.',
  },
  {
    what: 'site spaces, team members and collections that name something that is not in the backup',
    why: 'The token could not read it. Each is said when the copy is made.',
  },
  {
    what: 'texts of reusable contents',
    why: 'The API does not show them. Title and address are the real ones; the text is empty.',
  },
  {
    what: 'addresses of pages inside a change request that the copy makes',
    why: 'Addresses of a change request are those of the sandbox. Pages of one in the backup keep the addresses they had, until they move.',
  },
  {
    what: 'the computed part of a page, where it cannot be told from its own text',
    why: 'The page then keeps the text as told, and what it is computed from no longer changes it.',
  },
  {
    what: 'the content that an outdated change request is based on',
    why: 'The API does not show it. It is assumed from the times of the pages on both sides, so a merge in a copy may take a page where the platform finds a conflict, or the reverse.',
  },
  {
    what: 'digits beyond those of a double',
    why: 'The sandbox computes with doubles.',
  },
];
