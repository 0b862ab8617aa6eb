import { callOne } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import type { Command, FlagChange, Parse, Says } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/flags.js';
import type { Session } from '../../cli/declare/session.js';
import type { ContextName } from '../../cli/resolve/id-places.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import type { ResourceName } from '../../model/resources.js';
import { done, oneOf, text } from '../../output/printed-shapes.js';

/** `docs orgs use`, `docs spaces use`, `docs sites use`: the default of every command from now on. */

const nouns: Record<ContextName, string> = { org: 'organization', space: 'space', site: 'site' };

/** The `use` command of a group: looks the resource up, so that a wrong id is noticed now. @param operation reads it */
export function useCommand(name: ContextName, operation: AnyOperation): Command {
  return manual({
    name: 'use',
    summary: `Set the default ${nouns[name]}`,
    why:
      `Commands then need no --${name} flag. To choose another for a single command, pass --${name}; ` +
      `for one shell, set DOCS_${name.toUpperCase()}.`,
    args: { [`<${name}>`]: `${nouns[name].charAt(0).toUpperCase()}${nouns[name].slice(1)}` },
    options: name === 'site' ? [contextOption('organizationId')] : [],
    operations: [operation],
    returns: done(oneOf('in-use', 'not-changed'), { title: text, where: text }),
    examples: {
      [`${name}s use ${name === 'site' ? 'w' : name.charAt(0)}1`]: `set the default ${nouns[name]}`,
    },
    danger: 'change',
    effect: 'local',
    here: { keeps: ['settings'] },
    async run(session, { args }) {
      const id = String(args[name]);
      const title = await readTitle(session, operation, id);
      if (session.globals.dryRun) {
        const where = session.settings.paths.configFile;
        const sentence = `Dry run: ${title} (${id}) would be the default ${nouns[name]}.`;
        return session.printer.done({ id, status: 'not-changed', title, where }, sentence);
      }
      const [{ setSetting }, { checked }] = await Promise.all([
        import('../../settings/change-setting.js'),
        import('../../output/messages.js'),
      ]);
      const change = await setSetting(session.io, session.settings, name, id);
      await session.printer.done(
        { id, status: 'in-use', title, where: change.where },
        checked(session.io, `${title} (${id}) is now the default ${nouns[name]}.`),
      );
      if (change.overriddenBy !== undefined) {
        session.printer.warn(
          `${change.overriddenBy.where} still sets ${name} to ${String(change.overriddenBy.value)}.`,
        );
      }
    },
  });
}

async function readTitle(session: Session, operation: AnyOperation, id: string): Promise<string> {
  const client = await session.client();
  const parameters = pathParameters(operation.path);
  const own = { [parameters.at(-1) ?? '']: id };
  const path = parameters.length > 1 ? { organizationId: await contextId(session, 'org'), ...own } : own;
  return ((await callOne(client, { op: operation, input: { path } })) as { title: string }).title;
}

/** Sentences, columns and flags that several groups share. */

/** The organization that the answer names, else the one that was sent. */
export const saysTransfer: Says = ({ sentence, named, textOf, sent }) =>
  `${sentence} to ${named('organization', textOf('organization') ?? sent('organization'))}`;

/** Columns of spaces. */
export const spaceColumns = [
  'title',
  { path: 'visibility', lead: true },
  { path: 'editMode', short: 'EDIT' },
  { path: 'changeRequestsOpen', short: 'OPEN CRS' },
  'comments',
  'updatedAt',
  'id',
] as const;

/** Columns of the links of a space or page. */
export const linkColumns = [
  { path: 'status', as: 'state' },
  { path: 'targetReference.kind', label: 'TARGET' },
  { path: 'targetReference.url', label: 'URL', as: 'url', lead: true },
  { path: 'targetReference.page', label: 'PAGE', lead: true },
  { path: 'targetReference.file', label: 'FILE' },
  { path: 'targetReference.space', label: 'SPACE' },
  { path: 'locationReferences.page', label: 'ON PAGE' },
  'relation',
] as const;

/** `--before` and `--after`: the neighbour in a new order, as the platform's `position` wants it. */

/** The two flags, each filling its part of `position`. */
type PositionFlags = Record<'position.before' | 'position.after', FlagChange>;

/** Among spaces and collections: an id of either, with or without its kind. */
export function besideSpace(usual: 'space' | 'collection'): PositionFlags {
  const other = usual === 'space' ? 'collection' : 'space';
  return position('<id>', [usual, other], `this ${usual} or ${other}`, (typed) => {
    const { kind, id } = split(typed, usual, ['space', 'collection']);
    return { type: kind, [kind]: id };
  });
}

/** Among section groups and sections: an id of either, with or without its kind. */
export const besideGroup: PositionFlags = position(
  '<id>',
  ['section-group', 'section'],
  'this section group or section',
  (typed) => {
    const { kind, id } = split(typed, 'group', ['section', 'group']);
    return { type: kind === 'section' ? 'site-section' : 'site-section-group', id };
  },
);

/** Among the sections of a site: the id of a section. */
export const besideSection: PositionFlags = position('<section>', ['section'], 'this section', (id) => ({
  type: 'site-section',
  siteSection: id,
}));

/** Among the spaces of a site: the id of a site space. */
export const besideSiteSpace: PositionFlags = position(
  '<site-space>',
  ['site-space'],
  'this site space',
  (id) => ({
    type: 'site-space',
    siteSpace: id,
  }),
);

/** @param kinds of the neighbour; where there are several, `parse` gets its id with its kind */
function position(
  value: string,
  [kind, ...otherKinds]: readonly [ResourceName, ...ResourceName[]],
  what: string,
  parse: Parse,
): PositionFlags {
  const shared = { value, kind, parse, ...(otherKinds.length > 0 && { otherKinds }) } as const;
  return {
    'position.before': { ...shared, name: 'before', description: `Put it before ${what}` },
    'position.after': { ...shared, name: 'after', description: `Put it after ${what}` },
  };
}

/** Reads `kind:id`; an id that was not looked up is of the usual kind. */
function split(
  typed: string | string[],
  usual: string,
  kinds: readonly string[],
): { kind: string; id: string } {
  const [, kind = usual, id] = new RegExp(`^(?:(${kinds.join('|')}):)?([^:]+)$`).exec(String(typed)) ?? [];
  if (id === undefined) {
    throw new Error(`must be an id, ${kinds.map((name) => `${name}:<id>`).join(' or ')}, not "${typed}"`);
  }
  return { kind, id };
}
