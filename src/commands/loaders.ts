import { type Command, camel, type Group, isGroup, type LazyGroup } from '../cli/declare/command.js';

/** `site-spaces` → `siteSpaces`: what its module exports it as. */
type Exported<Name> = Name extends `${infer A}-${infer B}` ? `${A}${Capitalize<B>}` : Name;
type Exporting<Name extends string> = Promise<Record<Exported<Name>, LazyGroup | Command>>;
type Loaders<M> = { [Name in keyof M]: () => Exporting<Name & string> };

/** The modules of what stands at the root (index.ts), by name. A run from a record needs none. */
const modules = loaders({
  auth: () => import('./auth.js'),
  status: () => import('./status/index.js'),
  overview: () => import('./orgs/index.js'),
  doctor: () => import('./doctor.js'),
  config: () => import('./config/index.js'),
  orgs: () => import('./orgs/index.js'),
  members: () => import('./members/index.js'),
  teams: () => import('./teams/index.js'),
  invites: () => import('./invites.js'),
  access: () => import('./access/index.js'),
  sso: () => import('./sso/index.js'),
  saml: () => import('./saml.js'),
  spaces: () => import('./spaces/index.js'),
  collections: () => import('./spaces/collections.js'),
  content: () => import('./content/index.js'),
  'change-requests': () => import('./change-requests/index.js'),
  comments: () => import('./comments/index.js'),
  links: () => import('./links/index.js'),
  'custom-fields': () => import('./custom-fields.js'),
  translations: () => import('./translations.js'),
  sites: () => import('./sites/index.js'),
  sections: () => import('./sections.js'),
  'section-groups': () => import('./section-groups.js'),
  'site-spaces': () => import('./site-spaces.js'),
  openapi: () => import('./openapi/index.js'),
  impact: () => import('./impact/index.js'),
  rehearse: () => import('./rehearse/index.js'),
  plan: () => import('./plan/index.js'),
  pull: () => import('./plan/index.js'),
  apply: () => import('./plan/index.js'),
  undo: () => import('./jobs/undo.js'),
  jobs: () => import('./jobs/index.js'),
  policy: () => import('./policy/index.js'),
  audit: () => import('./audit/index.js'),
  backup: () => import('./backup/index.js'),
  api: () => import('./api.js'),
  bulk: () => import('./bulk.js'),
  find: () => import('./find.js'),
  commands: () => import('./commands.js'),
  mcp: () => import('./mcp/index.js'),
  completion: () => import('./completion.js'),
  open: () => import('./open.js'),
  sandbox: () => import('./sandbox/index.js'),
});

export type EntryName = keyof typeof modules;

/** The commands and groups of other files that stand in a group. */
const parts: Partial<Record<EntryName, Readonly<Record<string, () => Promise<Command | Group>>>>> = {
  sites: { release: async () => (await import('./release/index.js')).release },
  impact: { access: async () => (await import('./access/index.js')).whatIf },
  plan: { approve: async () => (await import('./approve/index.js')).approve },
  commands: { schema: async () => (await import('./schema.js')).schema },
  mcp: { skill: async () => (await import('./skill.js')).skill },
};

function loaders<M extends Loaders<M>>(table: M): M {
  return table;
}

/** A group or command of the root; what of other files stands in it is loaded when it is named. */
export async function loadEntry(name: EntryName): Promise<LazyGroup | Command> {
  const node: LazyGroup | Command = Reflect.get(await modules[name](), camel(name));
  const further = parts[name];
  if (further === undefined || !isGroup(node)) return node;
  const lazies = Object.entries(further).map(([part, load]) => ({ name: part, args: [], options: [], load }));
  return { ...node, commands: [...node.commands, ...lazies] };
}
