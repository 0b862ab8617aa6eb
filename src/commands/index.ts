import {
  type Command,
  camel,
  type Group,
  type GroupEntry,
  isGroup,
  type LazyGroup,
  type Topic,
} from '../cli/declare/command.js';
import { wholeOf } from '../cli/declare/outline.js';

const none: readonly string[] = [];
const around: Around = {};

/** Every start makes them all, and loads one: what loads it is made on access. */
class Entry implements GroupEntry {
  constructor(
    readonly topic: Topic,
    readonly name: string,
    readonly summary: string,
    readonly aliases: readonly string[],
    private readonly module: () => Promise<object>,
    readonly ways: GroupEntry['ways'],
    readonly ahead: GroupEntry['ahead'],
    private readonly parts: Around['parts'],
  ) {}

  get loadPart() {
    return async () => withParts(Reflect.get(await this.module(), camel(this.name)), this.parts);
  }

  get load() {
    return async () => wholeOf(await this.loadPart());
  }
}

/** By the headings of the root help, in its order. */
export const groups: readonly GroupEntry[] = [
  entry('Start', 'auth', 'Sign in, profiles', () => import('./auth.js')),
  entry('Start', 'status', 'Account and context', () => import('./status/index.js'), ['whoami']),
  entry('Start', 'overview', 'State at a glance', () => import('./orgs/index.js')),
  entry('Start', 'doctor', 'Check the setup', () => import('./doctor.js')),
  entry('Start', 'config', 'Defaults and aliases', () => import('./config/index.js')),
  entry('People', 'orgs', 'Organizations', () => import('./orgs/index.js'), ['org']),
  entry('People', 'members', 'People and their roles', () => import('./members/index.js'), ['member']),
  entry('People', 'teams', 'Teams, their members', () => import('./teams/index.js'), ['team']),
  entry('People', 'invites', 'Invite links', () => import('./invites.js'), ['invite']),
  entry('People', 'access', 'Who can do what, why', () => import('./access/index.js')),
  entry('People', 'sso', 'SSO and SAML', () => import('./sso/index.js')),
  entry('People', 'saml', 'SAML providers', () => import('./saml.js'), none, {
    ways: { 'sso saml': 'saml' },
  }),
  entry('Content', 'spaces', 'Spaces, fields, trash', () => import('./spaces/index.js'), ['space'], {
    ways: { trash: 'spaces trash' },
  }),
  entry('Content', 'collections', 'Collections of spaces', () => import('./spaces/collections.js'), [
    'collection',
  ]),
  entry('Content', 'content', 'Pages and files', () => import('./content/index.js')),
  entry(
    'Content',
    'change-requests',
    'Edit, review, merge',
    () => import('./change-requests/index.js'),
    ['cr', 'change-request'],
    { ahead: (_, { options }) => (options.allSpaces === true ? firstLists('sendSpaceLists') : undefined) },
  ),
  entry('Content', 'comments', 'Comments, replies', () => import('./comments/index.js'), ['comment']),
  entry('Content', 'links', 'Broken links', () => import('./links/index.js')),
  entry('Content', 'custom-fields', 'Fields of spaces', () => import('./custom-fields.js'), ['custom-field']),
  entry('Content', 'translations', 'Translation settings', () => import('./translations.js'), [
    'translation',
  ]),
  entry('Publishing', 'sites', 'Sites and their parts', () => import('./sites/index.js'), ['site'], {
    ways: { release: 'sites release' },
    parts: { release: async () => (await import('./release/index.js')).release },
  }),
  entry('Publishing', 'sections', 'Sections of a site', () => import('./sections.js'), ['section'], {
    ways: { 'sites sections': 'sections' },
  }),
  entry(
    'Publishing',
    'section-groups',
    'Groups of sections',
    () => import('./section-groups.js'),
    ['section-group'],
    { ways: { 'sites groups': 'section-groups' } },
  ),
  entry('Publishing', 'site-spaces', 'Spaces of a site', () => import('./site-spaces.js'), ['site-space'], {
    ways: { 'sites spaces': 'site-spaces' },
  }),
  entry('Publishing', 'openapi', 'API specs, versions', () => import('./openapi/index.js')),
  entry('Safe change', 'impact', 'See what would break', () => import('./impact/index.js'), none, {
    ways: { 'access what-if': 'impact access' },
    parts: { access: async () => (await import('./access/index.js')).whatIf },
  }),
  entry('Safe change', 'rehearse', 'Try it on a copy', () => import('./rehearse/index.js')),
  entry('Safe change', 'plan', 'Save, show, approve', () => import('./plan/index.js'), none, {
    ways: { approve: 'plan approve', adopt: 'plan adopt', drift: 'plan drift' },
    ahead: (path) => (path === 'plan' ? firstLists('sendFirstLists') : undefined),
    parts: { approve: async () => (await import('./approve/index.js')).approve },
  }),
  entry('Safe change', 'pull', 'Write org to files', () => import('./plan/index.js'), none, {
    ahead: () => firstLists('sendAllLists'),
  }),
  entry('Safe change', 'apply', 'Apply plan or files', () => import('./plan/index.js')),
  entry('Safe change', 'undo', 'Undo a job', () => import('./jobs/undo.js')),
  entry('Safe change', 'jobs', 'List, show, resume', () => import('./jobs/index.js'), ['job']),
  entry('Safe change', 'policy', 'Limit what may run', () => import('./policy/index.js')),
  entry('Safe change', 'audit', 'What was done, by whom', () => import('./audit/index.js')),
  entry('Safe change', 'backup', 'Back up and restore', () => import('./backup/index.js')),
  entry('Automation', 'api', 'Send a raw request', () => import('./api.js')),
  entry('Automation', 'bulk', 'A command per row', () => import('./bulk.js')),
  entry('Automation', 'find', 'Command for a task', () => import('./find.js')),
  entry('Automation', 'commands', 'All commands, schemas', () => import('./commands.js'), none, {
    ways: { schema: 'commands schema' },
    parts: { schema: async () => (await import('./schema.js')).schema },
  }),
  entry('Automation', 'mcp', 'Serve coding agents', () => import('./mcp/index.js'), none, {
    ways: { skill: 'mcp skill' },
    parts: { skill: async () => (await import('./skill.js')).skill },
  }),
  entry('Automation', 'completion', 'Shell completion', () => import('./completion.js')),
  entry('Automation', 'open', 'Open in the browser', () => import('./open.js')),
  entry('Automation', 'sandbox', 'Local test platform', () => import('./sandbox/index.js')),
];

async function firstLists<Name extends keyof typeof import('./first-lists.js')>(name: Name) {
  return (await import('./first-lists.js'))[name];
}

/** `site-spaces` → `siteSpaces`: what its module exports it as. */
type Exported<Name> = Name extends `${infer A}-${infer B}` ? `${A}${Capitalize<B>}` : Name;

/** What leads to a group or into it, and the commands and groups of other files that stand in it. */
interface Around extends Pick<GroupEntry, 'ways' | 'ahead'> {
  parts?: Readonly<Record<string, () => Promise<Command | Group>>>;
}

/**
 * What stands at the root under a name.
 * @param summary what the root help says of it, in at most 22 characters
 * @param module loads it
 * @param aliases other names
 */
function entry<Name extends string>(
  topic: Topic,
  name: Name,
  summary: string,
  module: () => Promise<{ [E in Exported<Name>]: LazyGroup | Command }>,
  aliases = none,
  { ways, parts, ahead }: Around = around,
): GroupEntry {
  return new Entry(topic, name, summary, aliases, module, ways, ahead, parts);
}

/** A group with what of other files stands in it, each loaded when it is named. */
function withParts(node: LazyGroup | Command, parts: Around['parts']): LazyGroup | Command {
  if (parts === undefined || !isGroup(node)) return node;
  const lazies = Object.entries(parts).map(([name, load]) => ({ name, args: [], options: [], load }));
  return { ...node, commands: [...node.commands, ...lazies] };
}
