import { getOrg } from '../../api/resources/orgs.js';
import { getSite } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import type { Command } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/flags.js';
import type { Session } from '../../cli/declare/session.js';
import type { ContextName } from '../../cli/resolve/id-places.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { done, oneOf, text } from '../../output/printed-shapes.js';

/** `docs orgs use`, `docs spaces use`, `docs sites use`: the default of every command from now on. */

const nouns: Record<ContextName, string> = { org: 'organization', space: 'space', site: 'site' };

export const useOrg = useCommand('org');
export const useSpace = useCommand('space');
export const useSite = useCommand('site');

/** The `use` command of a group: looks the resource up, so that a wrong id is noticed now. */
function useCommand(name: ContextName): Command {
  const operation = { org: getOrg, space: getSpace, site: getSite }[name];
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
    async run(session, { args }) {
      const id = String(args[name]);
      const title = await titleOf(session, name, id);
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

async function titleOf(session: Session, name: ContextName, id: string): Promise<string> {
  const client = await session.client();
  if (name === 'org') return (await client.call(getOrg, { path: { organizationId: id } })).title;
  if (name === 'space') return (await client.call(getSpace, { path: { spaceId: id } })).title;
  const organizationId = await contextId(session, 'org');
  return (await client.call(getSite, { path: { organizationId, siteId: id } })).title;
}
