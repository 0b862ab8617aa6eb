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

/**
 * By group: what the root help says of it, in at most 22 characters; what loads it; other names; other ways to its parts.
 */
export const groups: readonly GroupEntry[] = [
  ...under('Start', {
    auth: ['Sign in, profiles', () => import('./auth.js')],
    status: ['Account and context', () => import('./status/index.js'), 'whoami'],
    overview: ['State at a glance', () => import('./orgs/index.js')],
    doctor: ['Check the setup', () => import('./doctor.js')],
    config: ['Defaults and aliases', () => import('./config/index.js')],
  }),
  ...under('People', {
    orgs: ['Organizations', () => import('./orgs/index.js'), 'org'],
    members: ['People and their roles', () => import('./members/index.js'), 'member'],
    teams: ['Teams, their members', () => import('./teams/index.js'), 'team'],
    invites: ['Invite links', () => import('./invites.js'), 'invite'],
    access: ['Who can do what, why', () => import('./access/index.js')],
    sso: ['SSO and SAML', () => import('./sso/index.js')],
    saml: ['SAML providers', () => import('./saml.js'), { ways: { 'sso saml': 'saml' } }],
  }),
  ...under('Content', {
    spaces: [
      'Spaces, fields, trash',
      () => import('./spaces/index.js'),
      'space',
      { ways: { trash: 'spaces trash' } },
    ],
    collections: ['Collections of spaces', () => import('./spaces/collections.js'), 'collection'],
    content: ['Pages and files', () => import('./content/index.js')],
    'change-requests': [
      'Edit, review, merge',
      () => import('./change-requests/index.js'),
      'cr',
      'change-request',
    ],
    comments: ['Comments, replies', () => import('./comments/index.js'), 'comment'],
    links: ['Broken links', () => import('./links/index.js')],
    'custom-fields': ['Fields of spaces', () => import('./custom-fields.js'), 'custom-field'],
    translations: ['Translation settings', () => import('./translations.js'), 'translation'],
  }),
  ...under('Publishing', {
    sites: [
      'Sites and their parts',
      () => import('./sites/index.js'),
      'site',
      {
        ways: { release: 'sites release' },
        parts: { release: async () => (await import('./release/index.js')).release },
      },
    ],
    sections: [
      'Sections of a site',
      () => import('./sections.js'),
      'section',
      { ways: { 'sites sections': 'sections' } },
    ],
    'section-groups': [
      'Groups of sections',
      () => import('./section-groups.js'),
      'section-group',
      { ways: { 'sites groups': 'section-groups' } },
    ],
    'site-spaces': [
      'Spaces of a site',
      () => import('./site-spaces.js'),
      'site-space',
      { ways: { 'sites spaces': 'site-spaces' } },
    ],
    openapi: ['API specs, versions', () => import('./openapi/index.js')],
  }),
  ...under('Safe change', {
    impact: [
      'See what would break',
      () => import('./impact/index.js'),
      {
        ways: { 'access what-if': 'impact access' },
        parts: { access: async () => (await import('./access/index.js')).whatIf },
      },
    ],
    rehearse: ['Try it on a copy', () => import('./rehearse/index.js')],
    plan: [
      'Save, show, approve',
      () => import('./plan/index.js'),
      {
        ways: { approve: 'plan approve', adopt: 'plan adopt', drift: 'plan drift' },
        ahead: async () => (await import('./first-lists.js')).sendFirstLists,
        parts: { approve: async () => (await import('./approve/index.js')).approve },
      },
    ],
    pull: [
      'Write org to files',
      () => import('./plan/index.js'),
      { ahead: async () => (await import('./first-lists.js')).sendAllLists },
    ],
    apply: ['Apply plan or files', () => import('./plan/index.js')],
    undo: ['Undo a job', () => import('./jobs/undo.js')],
    jobs: ['List, show, resume', () => import('./jobs/index.js'), 'job'],
    policy: ['Limit what may run', () => import('./policy/index.js')],
    audit: ['What was done, by whom', () => import('./audit/index.js')],
    backup: ['Back up and restore', () => import('./backup/index.js')],
  }),
  ...under('Automation', {
    api: ['Send a raw request', () => import('./api.js')],
    bulk: ['A command per row', () => import('./bulk.js')],
    find: ['Command for a task', () => import('./find.js')],
    commands: [
      'All commands, schemas',
      () => import('./commands.js'),
      {
        ways: { schema: 'commands schema' },
        parts: { schema: async () => (await import('./schema.js')).schema },
      },
    ],
    mcp: [
      'Serve coding agents',
      () => import('./mcp/index.js'),
      { ways: { skill: 'mcp skill' }, parts: { skill: async () => (await import('./skill.js')).skill } },
    ],
    completion: ['Shell completion', () => import('./completion.js')],
    open: ['Open in the browser', () => import('./open.js')],
    sandbox: ['Local test platform', () => import('./sandbox/index.js')],
  }),
];

/** `site-spaces` → `siteSpaces`: what its module exports it as. */
type Exported<Name> = Name extends `${infer A}-${infer B}` ? `${A}${Capitalize<B>}` : Name;

/** What leads to a group or into it, and the commands and groups of other files that stand in it. */
interface Around extends Pick<GroupEntry, 'ways' | 'ahead'> {
  parts?: Readonly<Record<string, () => Promise<Command | Group>>>;
}

/** A summary, the module, and other names. */
type Entries<Names extends string> = {
  [N in Names]: [string, () => Promise<{ [E in Exported<N>]: LazyGroup | Command }>, ...(string | Around)[]];
};

/** The groups under a heading of the root help. */
function under<Names extends string>(topic: Topic, entries: Entries<Names>): GroupEntry[] {
  return Object.entries<[string, () => Promise<object>, ...(string | Around)[]]>(entries).map(
    ([name, [summary, load, ...others]]) => {
      const aliases = others.filter((one) => typeof one === 'string');
      const { ways, parts, ahead }: Around = others.find((one) => typeof one === 'object') ?? {};
      const loadPart = async () => withParts(Reflect.get(await load(), camel(name)), parts);
      const whole = async () => wholeOf(await loadPart());
      return { name, topic, summary, aliases, ways, ahead, loadPart, load: whole };
    },
  );
}

/** A group with what of other files stands in it, each loaded when it is named. */
function withParts(node: LazyGroup | Command, parts: Around['parts']): LazyGroup | Command {
  if (parts === undefined || !isGroup(node)) return node;
  const lazies = Object.entries(parts).map(([name, load]) => ({ name, args: [], options: [], load }));
  return { ...node, commands: [...node.commands, ...lazies] };
}
