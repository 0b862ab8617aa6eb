import type { Command, Group } from './command.js';

/** A group in the root help: what is needed before it is loaded. */
export interface GroupEntry {
  name: string;
  aliases?: readonly string[];
  /** Heading in the root help. */
  topic: Topic;
  summary: string;
  hidden?: boolean;
  load(): Promise<Group | Command>;
}

export const topics = ['Sign in', 'People', 'Content', 'Publishing', 'Tools'] as const;
export type Topic = (typeof topics)[number];

/** One line a group; the group itself is loaded when it is named. */
export const groups: readonly GroupEntry[] = [
  {
    name: 'auth',
    topic: 'Sign in',
    summary: 'Sign in and out, switch profiles',
    load: () => import('./auth.js').then((m) => m.auth),
  },
  {
    name: 'status',
    topic: 'Sign in',
    summary: 'Show who you are signed in as, and the current context',
    load: () => import('./status.js').then((m) => m.status),
  },
  {
    name: 'config',
    topic: 'Sign in',
    summary: 'Manage defaults: organization, space, site, output',
    load: () => import('./config.js').then((m) => m.config),
  },
  {
    name: 'orgs',
    topic: 'People',
    aliases: ['org'],
    summary: 'Manage organizations',
    load: () => import('./orgs.js').then((m) => m.orgs),
  },
  {
    name: 'members',
    topic: 'People',
    aliases: ['member'],
    summary: 'Manage members of an organization',
    load: () => import('./members.js').then((m) => m.members),
  },
  {
    name: 'teams',
    topic: 'People',
    aliases: ['team'],
    summary: 'Manage teams and their members',
    load: () => import('./teams.js').then((m) => m.teams),
  },
  {
    name: 'invites',
    topic: 'People',
    aliases: ['invite'],
    summary: 'Manage link invites',
    load: () => import('./invites.js').then((m) => m.invites),
  },
  {
    name: 'saml',
    topic: 'People',
    summary: 'Manage the SAML providers of an organization',
    load: () => import('./saml.js').then((m) => m.saml),
  },
  {
    name: 'sso',
    topic: 'People',
    summary: 'List the SSO logins of an organization',
    load: () => import('./sso.js').then((m) => m.sso),
  },
  {
    name: 'spaces',
    topic: 'Content',
    aliases: ['space'],
    summary: 'Manage spaces, their custom field values and links',
    load: () => import('./spaces.js').then((m) => m.spaces),
  },
  {
    name: 'collections',
    topic: 'Content',
    aliases: ['collection'],
    summary: 'Manage collections of spaces',
    load: () => import('./collections.js').then((m) => m.collections),
  },
  {
    name: 'content',
    topic: 'Content',
    summary: 'Read and import pages and files',
    load: () => import('./content.js').then((m) => m.content),
  },
  {
    name: 'change-requests',
    topic: 'Content',
    aliases: ['cr', 'change-request'],
    summary: 'Manage the change requests of a space',
    load: () => import('./change-requests.js').then((m) => m.changeRequests),
  },
  {
    name: 'comments',
    topic: 'Content',
    aliases: ['comment'],
    summary: 'Manage comments and replies',
    load: () => import('./comments.js').then((m) => m.comments),
  },
  {
    name: 'links',
    topic: 'Content',
    summary: 'Find broken links across spaces',
    load: () => import('./links.js').then((m) => m.links),
  },
  {
    name: 'custom-fields',
    topic: 'Content',
    aliases: ['custom-field'],
    summary: 'Define the custom fields of an organization',
    load: () => import('./custom-fields.js').then((m) => m.customFields),
  },
  {
    name: 'translations',
    topic: 'Content',
    aliases: ['translation'],
    summary: 'Manage the translation settings of an organization',
    load: () => import('./translations.js').then((m) => m.translations),
  },
  {
    name: 'sites',
    topic: 'Publishing',
    aliases: ['site'],
    summary: 'Manage docs sites and their adaptive schemas',
    load: () => import('./sites.js').then((m) => m.sites),
  },
  {
    name: 'sections',
    topic: 'Publishing',
    aliases: ['section'],
    summary: 'Manage the sections of a site',
    load: () => import('./sections.js').then((m) => m.sections),
  },
  {
    name: 'section-groups',
    topic: 'Publishing',
    aliases: ['section-group'],
    summary: 'Manage the section groups of a site',
    load: () => import('./section-groups.js').then((m) => m.sectionGroups),
  },
  {
    name: 'site-spaces',
    topic: 'Publishing',
    aliases: ['site-space'],
    summary: 'Manage the spaces of a site',
    load: () => import('./site-spaces.js').then((m) => m.siteSpaces),
  },
  {
    name: 'openapi',
    topic: 'Publishing',
    summary: 'Manage OpenAPI specs and their versions',
    load: () => import('./openapi.js').then((m) => m.openapi),
  },
  {
    name: 'api',
    topic: 'Tools',
    summary: 'Send any request',
    load: () => import('./api.js').then((m) => m.api),
  },
  {
    name: 'open',
    topic: 'Tools',
    summary: 'Open a resource in the browser',
    load: () => import('./open.js').then((m) => m.open),
  },
  {
    name: 'doctor',
    topic: 'Tools',
    summary: 'Check settings, sign-in, connection and clock',
    load: () => import('./doctor.js').then((m) => m.doctor),
  },
  {
    name: 'bulk',
    topic: 'Tools',
    summary: 'Run a command for each row of a file',
    load: () => import('./bulk.js').then((m) => m.bulk),
  },
  {
    name: 'jobs',
    topic: 'Tools',
    aliases: ['job'],
    summary: 'List, show and resume changes made from this machine',
    load: () => import('./jobs.js').then((m) => m.jobs),
  },
  {
    name: 'undo',
    topic: 'Tools',
    summary: 'Undo a job',
    load: () => import('./undo.js').then((m) => m.undo),
  },
  {
    name: 'backup',
    topic: 'Tools',
    summary: 'Back up an organization, verify and compare backups',
    load: () => import('./backup.js').then((m) => m.backup),
  },
  {
    name: 'trash',
    topic: 'Tools',
    summary: 'List and restore deleted spaces',
    load: () => import('./trash.js').then((m) => m.trash),
  },
  {
    name: 'commands',
    topic: 'Tools',
    summary: 'List all commands',
    load: () => import('./commands.js').then((m) => m.commands),
  },
  {
    name: 'schema',
    topic: 'Tools',
    summary: 'Print the JSON Schemas of a command',
    load: () => import('./schema.js').then((m) => m.schema),
  },
  {
    name: 'completion',
    topic: 'Tools',
    summary: 'Set up shell completion',
    load: () => import('./completion.js').then((m) => m.completion),
  },
  {
    name: 'sandbox',
    topic: 'Tools',
    summary: 'Run a local copy of the platform',
    load: () => import('./sandbox.js').then((m) => m.sandbox),
  },
];
