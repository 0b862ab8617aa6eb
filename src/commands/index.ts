import type { Command, Group } from '../cli/declare/command.js';

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
    summary: 'Who you are, where, and in what context',
    load: () => import('./status.js').then((m) => m.status),
  },
  {
    name: 'config',
    topic: 'Sign in',
    summary: 'Defaults: organization, space, site, output',
    load: () => import('./config.js').then((m) => m.config),
  },
  {
    name: 'orgs',
    topic: 'People',
    aliases: ['org'],
    summary: 'Organizations',
    load: () => import('./orgs.js').then((m) => m.orgs),
  },
  {
    name: 'members',
    topic: 'People',
    aliases: ['member'],
    summary: 'Members of an organization',
    load: () => import('./members/index.js').then((m) => m.members),
  },
  {
    name: 'teams',
    topic: 'People',
    aliases: ['team'],
    summary: 'Teams and their members',
    load: () => import('./teams.js').then((m) => m.teams),
  },
  {
    name: 'invites',
    topic: 'People',
    aliases: ['invite'],
    summary: 'Link invites',
    load: () => import('./invites.js').then((m) => m.invites),
  },
  {
    name: 'saml',
    topic: 'People',
    summary: 'SAML providers of an organization',
    load: () => import('./saml.js').then((m) => m.saml),
  },
  {
    name: 'sso',
    topic: 'People',
    summary: 'Single sign-on of an organization',
    load: () => import('./sso.js').then((m) => m.sso),
  },
  {
    name: 'spaces',
    topic: 'Content',
    aliases: ['space'],
    summary: 'Spaces, their fields and links',
    load: () => import('./spaces/index.js').then((m) => m.spaces),
  },
  {
    name: 'collections',
    topic: 'Content',
    aliases: ['collection'],
    summary: 'Collections of spaces',
    load: () => import('./collections.js').then((m) => m.collections),
  },
  {
    name: 'content',
    topic: 'Content',
    summary: 'Pages and files of a space or change request',
    load: () => import('./content/index.js').then((m) => m.content),
  },
  {
    name: 'change-requests',
    topic: 'Content',
    aliases: ['cr', 'change-request'],
    summary: 'Change requests of a space',
    load: () => import('./change-requests.js').then((m) => m.changeRequests),
  },
  {
    name: 'comments',
    topic: 'Content',
    aliases: ['comment'],
    summary: 'Comments on spaces and change requests, and replies',
    load: () => import('./comments/index.js').then((m) => m.comments),
  },
  {
    name: 'links',
    topic: 'Content',
    summary: 'Links of many spaces: find broken ones',
    load: () => import('./links/index.js').then((m) => m.links),
  },
  {
    name: 'custom-fields',
    topic: 'Content',
    aliases: ['custom-field'],
    summary: 'Custom fields of an organization',
    load: () => import('./custom-fields.js').then((m) => m.customFields),
  },
  {
    name: 'translations',
    topic: 'Content',
    aliases: ['translation'],
    summary: 'Translation settings of an organization',
    load: () => import('./translations.js').then((m) => m.translations),
  },
  {
    name: 'sites',
    topic: 'Publishing',
    aliases: ['site'],
    summary: 'Docs sites, what they publish and what they know of visitors',
    load: () => import('./sites/index.js').then((m) => m.sites),
  },
  {
    name: 'sections',
    topic: 'Publishing',
    aliases: ['section'],
    summary: 'Sections of a site',
    load: () => import('./sections.js').then((m) => m.sections),
  },
  {
    name: 'section-groups',
    topic: 'Publishing',
    aliases: ['section-group'],
    summary: 'Groups of sections of a site',
    load: () => import('./section-groups.js').then((m) => m.sectionGroups),
  },
  {
    name: 'site-spaces',
    topic: 'Publishing',
    aliases: ['site-space'],
    summary: 'Spaces of a site',
    load: () => import('./site-spaces.js').then((m) => m.siteSpaces),
  },
  {
    name: 'openapi',
    topic: 'Publishing',
    summary: 'OpenAPI specs and their versions',
    load: () => import('./openapi/index.js').then((m) => m.openapi),
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
    summary: 'Check settings, sign-in, connection, clock',
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
    summary: 'Changes made from here: list, show, resume',
    load: () => import('./jobs.js').then((m) => m.jobs),
  },
  {
    name: 'undo',
    topic: 'Tools',
    summary: 'Take back a job',
    load: () => import('./undo.js').then((m) => m.undo),
  },
  {
    name: 'backup',
    topic: 'Tools',
    summary: 'Back up an organization into a folder, check it, compare',
    load: () => import('./backup/index.js').then((m) => m.backup),
  },
  {
    name: 'trash',
    topic: 'Tools',
    summary: 'Deleted spaces: list and restore',
    load: () => import('./trash.js').then((m) => m.trash),
  },
  {
    name: 'commands',
    topic: 'Tools',
    summary: 'List all commands, for people and agents',
    load: () => import('./commands.js').then((m) => m.commands),
  },
  {
    name: 'schema',
    topic: 'Tools',
    summary: 'JSON Schemas of what a command takes and prints',
    load: () => import('./schema.js').then((m) => m.schema),
  },
  {
    name: 'completion',
    topic: 'Tools',
    summary: 'Completion of commands, flags and ids in your shell',
    load: () => import('./completion.js').then((m) => m.completion),
  },
  {
    name: 'sandbox',
    topic: 'Tools',
    summary: 'The platform on your own machine',
    load: () => import('./sandbox/index.js').then((m) => m.sandbox),
  },
];
