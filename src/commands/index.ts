import { type Command, camel, type GroupEntry, type LazyGroup, type Topic } from '../cli/declare/command.js';
import { wholeOf } from '../cli/declare/outline.js';

/** One line a group; the group itself is loaded when it is named. */
export const groups: readonly GroupEntry[] = [
  ...under('Sign in', {
    auth: ['Sign in and out, switch profiles', () => import('./auth.js')],
    status: [
      'Show who you are signed in as and the current context',
      () => import('./status/index.js'),
      'whoami',
    ],
    overview: ['Show the state of an organization at a glance', () => import('./orgs/index.js')],
    config: ['Manage defaults: organization, space, site, output', () => import('./config/index.js')],
  }),
  ...under('People', {
    orgs: ['Manage organizations', () => import('./orgs/index.js'), 'org'],
    members: ['Manage members of an organization', () => import('./members/index.js'), 'member'],
    teams: ['Manage teams and their members', () => import('./teams/index.js'), 'team'],
    invites: ['Manage link invites', () => import('./invites.js'), 'invite'],
    saml: ['Manage the SAML providers of an organization', () => import('./saml.js')],
    access: ['Explain who can do what, and why', () => import('./access/index.js')],
    sso: ['List SSO logins, check readiness, link members', () => import('./sso/index.js')],
  }),
  ...under('Content', {
    spaces: [
      'Manage spaces, their custom field values and links',
      () => import('./spaces/index.js'),
      'space',
    ],
    collections: ['Manage collections of spaces', () => import('./spaces/collections.js'), 'collection'],
    content: ['Read and import pages and files', () => import('./content/index.js')],
    'change-requests': [
      'Manage the change requests of a space',
      () => import('./change-requests/index.js'),
      'cr',
      'change-request',
    ],
    comments: ['Manage comments and replies', () => import('./comments/index.js'), 'comment'],
    links: ['Find broken links across spaces', () => import('./links/index.js')],
    'custom-fields': [
      'Define the custom fields of an organization',
      () => import('./custom-fields.js'),
      'custom-field',
    ],
    translations: [
      'Manage the translation settings of an organization',
      () => import('./translations.js'),
      'translation',
    ],
  }),
  ...under('Publishing', {
    sites: ['Manage docs sites and their adaptive schemas', () => import('./sites/index.js'), 'site'],
    sections: ['Manage the sections of a site', () => import('./sections.js'), 'section'],
    'section-groups': [
      'Manage the section groups of a site',
      () => import('./section-groups.js'),
      'section-group',
    ],
    'site-spaces': ['Manage the spaces of a site', () => import('./site-spaces.js'), 'site-space'],
    release: ['Create a version of the docs on a site', () => import('./release/index.js')],
    openapi: ['Manage OpenAPI specs and their versions', () => import('./openapi/index.js')],
  }),
  ...under('Tools', {
    impact: ['Show what a change would break before you make it', () => import('./impact/index.js')],
    api: ['Send a request to the platform', () => import('./api.js')],
    open: ['Open a resource in the browser', () => import('./open.js')],
    doctor: ['Check settings, sign-in, connection and clock', () => import('./doctor.js')],
    bulk: ['Run a command for each row of a file', () => import('./bulk.js')],
    plan: ['Make and show plans of changes', () => import('./plan/index.js')],
    approve: ['Approve a plan where a policy requires it', () => import('./approve/index.js')],
    apply: ['Apply a plan, or the files of a folder', () => import('./plan/index.js')],
    rehearse: ['Run a command on a copy, and report what changed', () => import('./rehearse/index.js')],
    pull: ['Pull the organization into files', () => import('./plan/index.js')],
    drift: ['Find what was changed by hand since the last apply', () => import('./plan/index.js')],
    adopt: ['Adopt items of the platform that files name', () => import('./plan/index.js')],
    jobs: ['List, show and resume changes made from this machine', () => import('./jobs/index.js'), 'job'],
    undo: ['Undo a job', () => import('./jobs/undo.js')],
    audit: ['List and verify what was done from this machine', () => import('./audit/index.js')],
    backup: ['Back up an organization, verify and compare backups', () => import('./backup/index.js')],
    trash: ['List and restore deleted spaces', () => import('./spaces/trash.js')],
    find: ['Find the command for a task', () => import('./find.js')],
    commands: ['List all commands', () => import('./commands.js')],
    policy: ['Test, explain and write policies', () => import('./policy/index.js')],
    skill: ['Print or install the skill for coding agents', () => import('./skill.js')],
    schema: ['Print the JSON Schemas of a command', () => import('./schema.js')],
    completion: ['Set up shell completion', () => import('./completion.js')],
    mcp: ['Run a server of the Model Context Protocol for agents', () => import('./mcp/index.js')],
    sandbox: ['Run a local copy of the platform', () => import('./sandbox/index.js')],
  }),
];

/** `site-spaces` → `siteSpaces`: what its module exports it as. */
type Exported<Name> = Name extends `${infer A}-${infer B}` ? `${A}${Capitalize<B>}` : Name;

/** A summary, the module, and other names. */
type Entries<Names extends string> = {
  [N in Names]: [string, () => Promise<{ [E in Exported<N>]: LazyGroup | Command }>, ...string[]];
};

/** The groups under a heading of the root help. */
function under<Names extends string>(topic: Topic, entries: Entries<Names>): GroupEntry[] {
  return Object.entries<[string, () => Promise<object>, ...string[]]>(entries).map(
    ([name, [summary, load, ...aliases]]) => {
      const loadPart = async () => Reflect.get(await load(), camel(name));
      return { name, topic, summary, aliases, loadPart, load: async () => wholeOf(await loadPart()) };
    },
  );
}
