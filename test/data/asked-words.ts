/** What people ask for in their own words, and the commands that answer it; [] where the API cannot do it. Written before any was tried. */
export type Asked = { words: string; leadsTo: readonly string[] };

export const ASKED: readonly Asked[] = [
  { words: 'invite someone', leadsTo: [] },
  { words: 'who can see this space', leadsTo: ['access who'] },
  { words: 'undo what I did', leadsTo: ['undo'] },
  { words: 'is the site up', leadsTo: ['sites published', 'sites get'] },
  { words: 'clear the cache', leadsTo: [] },
  { words: 'add a team to a space', leadsTo: [] },
  { words: 'hide a space', leadsTo: [] },
  { words: 'grant one person edit', leadsTo: [] },
  { words: 'make a new space', leadsTo: [] },
  { words: 'publish the site', leadsTo: [] },
  { words: 'edit a page', leadsTo: [] },
  { words: 'set a redirect', leadsTo: [] },
  { words: 'remove someone who left', leadsTo: ['members offboard', 'members delete'] },
  { words: 'bring back a deleted space', leadsTo: ['spaces restore', 'spaces trash restore'] },
  { words: 'who is admin', leadsTo: ['members list'] },
  { words: 'log in', leadsTo: ['auth login'] },
  { words: 'switch account', leadsTo: ['auth switch'] },
  { words: 'approve a change', leadsTo: ['plan approve', 'change-requests merge', 'change-requests review'] },
  { words: 'merge a change request', leadsTo: ['change-requests merge'] },
  { words: 'export all members', leadsTo: ['members list'] },
];

/** Ten more that nothing in the finder may be tuned to: they measure, they do not teach. */
export const HELD_BACK: readonly Asked[] = [
  { words: 'what changed since yesterday', leadsTo: ['audit list', 'plan drift', 'jobs list'] },
  { words: 'find dead links', leadsTo: ['links check'] },
  { words: 'make a colleague an admin', leadsTo: ['members update'] },
  { words: 'see what I am allowed to do', leadsTo: ['auth can-i'] },
  { words: 'upload an image to a page', leadsTo: [] },
  { words: 'rename a space', leadsTo: ['spaces update'] },
  { words: 'save a copy of everything', leadsTo: ['backup run'] },
  { words: 'delete a page', leadsTo: [] },
  { words: 'why can Ana open this space', leadsTo: ['access explain'] },
  { words: 'upload our API description', leadsTo: ['openapi publish', 'openapi create', 'openapi set'] },
];

/** Ten written down later, when completion was led by the same tables; they measure, too. */
export const FURTHER: readonly Asked[] = [
  { words: 'move a space to another collection', leadsTo: ['spaces move'] },
  { words: 'who is in the writers team', leadsTo: ['teams members list'] },
  { words: 'log out', leadsTo: ['auth logout'] },
  { words: 'turn off sso for a person', leadsTo: [] },
  { words: 'which spaces can Goran edit', leadsTo: ['members spaces', 'access explain'] },
  { words: 'cancel an invitation', leadsTo: ['invites delete'] },
  { words: 'translate a space', leadsTo: ['translations create'] },
  { words: 'print a space as PDF', leadsTo: [] },
  { words: 'close old drafts', leadsTo: ['change-requests stale'] },
  { words: 'reset the password of a user', leadsTo: [] },
];
