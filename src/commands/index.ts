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
  { name: 'auth', topic: 'Sign in', summary: 'Sign in and out, switch profiles', load: () => import('./auth.js').then((m) => m.auth) },
  { name: 'config', topic: 'Sign in', summary: 'Defaults: organization, space, site, output', load: () => import('./config.js').then((m) => m.config) },
  { name: 'orgs', topic: 'People', aliases: ['org'], summary: 'Organizations', load: () => import('./orgs.js').then((m) => m.orgs) },
  { name: 'members', topic: 'People', aliases: ['member'], summary: 'Members of an organization', load: () => import('./members.js').then((m) => m.members) },
  { name: 'teams', topic: 'People', aliases: ['team'], summary: 'Teams and their members', load: () => import('./teams.js').then((m) => m.teams) },
  { name: 'invites', topic: 'People', aliases: ['invite'], summary: 'Link invites', load: () => import('./invites.js').then((m) => m.invites) },
  { name: 'spaces', topic: 'Content', aliases: ['space'], summary: 'Spaces, their fields and links', load: () => import('./spaces.js').then((m) => m.spaces) },
  { name: 'api', topic: 'Tools', summary: 'Send any request', load: () => import('./api.js').then((m) => m.api) },
  { name: 'commands', topic: 'Tools', summary: 'List all commands, for people and agents', load: () => import('./commands.js').then((m) => m.commands) },
  { name: 'sandbox', topic: 'Tools', summary: 'The platform on your own machine', load: () => import('./sandbox.js').then((m) => m.sandbox) },
];
