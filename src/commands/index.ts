import type { GroupEntry, Topic } from '../cli/declare/command.js';
import { wholeOf } from '../cli/declare/outline.js';
import type { EntryName } from './loaders.js';

const none: readonly string[] = [];
const around: Around = {};

/** Every start makes them all, and loads one: what loads it is made on access. */
class Entry implements GroupEntry {
  constructor(
    readonly topic: Topic,
    readonly name: EntryName,
    readonly summary: string,
    readonly aliases: readonly string[],
    readonly ways: GroupEntry['ways'],
    readonly ahead: GroupEntry['ahead'],
  ) {}

  get loadPart() {
    return async () => (await import('./loaders.js')).loadEntry(this.name);
  }

  get load() {
    return async () => wholeOf(await this.loadPart());
  }
}

/** By the headings of the root help, in its order. */
export const groups: readonly GroupEntry[] = [
  entry('Start', 'auth', 'Sign in, profiles'),
  entry('Start', 'status', 'Account and context', ['whoami']),
  entry('Start', 'overview', 'State at a glance'),
  entry('Start', 'doctor', 'Check the setup'),
  entry('Start', 'config', 'Defaults and aliases'),
  entry('People', 'orgs', 'Organizations', ['org']),
  entry('People', 'members', 'People and their roles', ['member']),
  entry('People', 'teams', 'Teams, their members', ['team']),
  entry('People', 'invites', 'Invite links', ['invite']),
  entry('People', 'access', 'Who can do what, why'),
  entry('People', 'sso', 'SSO and SAML'),
  entry('People', 'saml', 'SAML providers', none, {
    ways: { 'sso saml': 'saml' },
  }),
  entry('Content', 'spaces', 'Spaces, fields, trash', ['space'], {
    ways: { trash: 'spaces trash' },
  }),
  entry('Content', 'collections', 'Collections of spaces', ['collection']),
  entry('Content', 'content', 'Pages and files'),
  entry('Content', 'change-requests', 'Edit, review, merge', ['cr', 'change-request'], {
    ahead: (_, { options }) => (options.allSpaces === true ? firstLists('sendSpaceLists') : undefined),
  }),
  entry('Content', 'comments', 'Comments, replies', ['comment']),
  entry('Content', 'links', 'Broken links'),
  entry('Content', 'custom-fields', 'Fields of spaces', ['custom-field']),
  entry('Content', 'translations', 'Translation settings', ['translation']),
  entry('Publishing', 'sites', 'Sites and their parts', ['site'], {
    ways: { release: 'sites release' },
  }),
  entry('Publishing', 'sections', 'Sections of a site', ['section'], {
    ways: { 'sites sections': 'sections' },
  }),
  entry('Publishing', 'section-groups', 'Groups of sections', ['section-group'], {
    ways: { 'sites groups': 'section-groups' },
  }),
  entry('Publishing', 'site-spaces', 'Spaces of a site', ['site-space'], {
    ways: { 'sites spaces': 'site-spaces' },
  }),
  entry('Publishing', 'openapi', 'API specs, versions'),
  entry('Safe change', 'impact', 'See what would break', none, {
    ways: { 'access what-if': 'impact access' },
  }),
  entry('Safe change', 'rehearse', 'Try it on a copy'),
  entry('Safe change', 'plan', 'Save, show, approve', none, {
    ways: { approve: 'plan approve', adopt: 'plan adopt', drift: 'plan drift' },
    ahead: (path) => (path === 'plan' ? firstLists('sendFirstLists') : undefined),
  }),
  entry('Safe change', 'pull', 'Write org to files', none, {
    ahead: () => firstLists('sendAllLists'),
  }),
  entry('Safe change', 'apply', 'Apply plan or files'),
  entry('Safe change', 'undo', 'Undo a job'),
  entry('Safe change', 'jobs', 'List, show, resume', ['job']),
  entry('Safe change', 'policy', 'Limit what may run'),
  entry('Safe change', 'audit', 'What was done, by whom'),
  entry('Safe change', 'backup', 'Back up and restore'),
  entry('Automation', 'api', 'Send a raw request'),
  entry('Automation', 'bulk', 'A command per row'),
  entry('Automation', 'find', 'Command for a task'),
  entry('Automation', 'commands', 'All commands, schemas', none, {
    ways: { schema: 'commands schema' },
  }),
  entry('Automation', 'mcp', 'Serve coding agents', none, {
    ways: { skill: 'mcp skill' },
  }),
  entry('Automation', 'completion', 'Shell completion'),
  entry('Automation', 'open', 'Open in the browser'),
  entry('Automation', 'sandbox', 'Local test platform'),
];

async function firstLists<Name extends keyof typeof import('./first-lists.js')>(name: Name) {
  return (await import('./first-lists.js'))[name];
}

/** What leads to a group or into it. */
type Around = Pick<GroupEntry, 'ways' | 'ahead'>;

/**
 * What stands at the root under a name; `loaders.ts` loads it.
 * @param summary what the root help says of it, in at most 22 characters
 * @param aliases other names
 */
function entry(
  topic: Topic,
  name: EntryName,
  summary: string,
  aliases = none,
  { ways, ahead }: Around = around,
): GroupEntry {
  return new Entry(topic, name, summary, aliases, ways, ahead);
}
