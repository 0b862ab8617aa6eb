import { Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import type { Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import type { Session } from '../../cli/declare/session.js';
import type { Offers } from '../../cli/declare/takers.js';
import { aliasFault, nameFault, textFault } from '../../cli/parse/alias.js';
import { withMark } from '../../output/messages.js';
import { closed, done, flag, oneOf, orNull, text } from '../../output/printed-shapes.js';
import { readAliases, updateSettingsFile } from '../../settings/settings-file.js';

/** `docs config alias`: names of a person for the beginnings of command lines. */

const Alias = closed({
  name: text,
  expansion: orNull(Type.String({ description: 'The command without "docs"; null if not text' })),
  problem: orNull(Type.String({ description: 'Why it cannot be used' })),
});

const aliasChange = (...statuses: string[]) =>
  done(oneOf(...statuses, 'not-changed'), {
    expansion: orNull(text),
    where: Type.String({ description: 'The settings file' }),
    changed: flag,
  });

const list = manual({
  name: 'list',
  summary: 'List your aliases',
  why: 'Shows the command of each alias, and why an alias cannot be used.',
  returns: Type.Array(Alias),
  columns: ['name', 'expansion', 'problem'],
  id: 'name',
  examples: { 'config alias list': 'list your aliases and their commands' },
  local: true,
  async run({ io, settings, printer }, _, { view, groups }) {
    const aliases = readAliases(io, settings.paths);
    const around = { groups, aliases, platform: io.platform };
    const rows = [...aliases].map(async ([name, value]) => ({
      name,
      expansion: typeof value === 'string' ? value : null,
      problem: (await aliasFault(name, value, around)) ?? null,
    }));
    await printer.check(view);
    await printer.list(await Promise.all(rows), view);
  },
});

/** Prints what became of an alias. */
async function printChange(
  { io, globals, printer, settings }: Session,
  change: { name: string; status: string; expansion: string | null; changed: boolean },
  said: { did: string; would: string },
): Promise<void> {
  const { name: id, expansion, changed } = change;
  const where = settings.paths.configFile;
  if (globals.dryRun) {
    const result = { id, status: 'not-changed', expansion, where, changed: false };
    return printer.done(result, `Dry run: ${said.would} in ${where}.`);
  }
  const sentence = io.stdout.isTTY === true ? withMark(said.did) : `${said.did}.`;
  await printer.done({ id, status: change.status, expansion, where, changed }, sentence);
}

const set = manual({
  name: 'set',
  summary: 'Set an alias for a command',
  why:
    '$1, $2 … are the arguments of the alias; others are added at the end. Scripts expand aliases ' +
    'only with DOCS_ALIASES=on.',
  args: {
    '<name>': {
      description: 'Name of the alias: lowercase letters, digits, dashes',
      check: async () => (typed) => refuseFault(typed, nameFault(typed)),
    },
    '<expansion>': {
      description: 'The command without "docs", in quotes',
      check:
        async () =>
        (typed, _, { args }) =>
          refuseFault(String(args.name), textFault(commandIn(typed))),
    },
  },
  returns: aliasChange('set'),
  examples: {
    "config alias set co 'change-requests list --all-spaces'": 'list all change requests with docs co',
    "config alias set admins 'members list --role admin'": 'list the admins with docs admins',
    "config alias set rename 'spaces update $1 --title $2'":
      'rename a space with docs rename <space> <title>',
  },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['settings'] },
  async run(session, { args }, { groups }) {
    const { io, settings, globals } = session;
    const name = String(args.name);
    const expansion = commandIn(String(args.expansion));
    const aliases = readAliases(io, settings.paths);
    refuseFault(name, await aliasFault(name, expansion, { groups, aliases, platform: io.platform }));
    const changed =
      !globals.dryRun &&
      (await updateSettingsFile(io, settings.paths, (draft) => {
        const before = readAliases(io, settings.paths).get(name);
        draft.setAlias(name, expansion);
        return before !== expansion;
      }));
    const did = `Set alias ${name} to "${expansion}"`;
    const would = `alias ${name} would be "${expansion}"`;
    await printChange(session, { name, status: 'set', expansion, changed }, { did, would });
  },
});

function commandIn(typed: string): string {
  return typed.trim().replace(/^docs\s+/, '');
}

function refuseFault(name: string, fault: string | undefined): void {
  if (fault === undefined) return;
  const message = `cannot set alias ${JSON.stringify(name.slice(0, 60))}: ${fault}`;
  throw usageError('invalid_alias', message, { hint: 'docs config alias set --help' });
}

/** The aliases of the settings file, to choose from. */
const ownAliases: Offers = {
  none: 'You have no aliases.',
  async list({ io, settings }) {
    return [...readAliases(io, settings.paths)].map(([name, expansion]) => ({
      value: name,
      name: `${name}  ${typeof expansion === 'string' ? expansion : ''}`,
    }));
  },
};

const remove = manual({
  name: 'delete',
  summary: 'Delete an alias',
  why: 'Removes the alias from your settings; its command remains.',
  args: {
    '<name>': {
      description: 'Name of the alias',
      completes: 'aliases',
      listedBy: 'config alias list',
      offers: async () => ownAliases,
    },
  },
  returns: aliasChange('deleted'),
  examples: { 'config alias delete co': 'delete the alias co' },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['settings'] },
  async run(session, { args, chosen = [] }) {
    const { io, settings, globals } = session;
    const name = String(args.name);
    refuseUnknown(name, readAliases(io, settings.paths));
    if (!globals.dryRun) {
      if (chosen.includes('name'))
        await (await import('../../cli/resolve/prompts.js')).confirmChosen(session, `Delete alias ${name}`);
      await updateSettingsFile(io, settings.paths, (draft) => {
        refuseUnknown(name, readAliases(io, settings.paths));
        draft.setAlias(name, undefined);
      });
    }
    const said = { did: `Deleted alias ${name}`, would: `alias ${name} would be deleted` };
    await printChange(session, { name, status: 'deleted', expansion: null, changed: true }, said);
  },
});

function refuseUnknown(name: string, aliases: ReadonlyMap<string, unknown>): void {
  if (aliases.has(name)) return;
  const meant = nearest(name, [...aliases.keys()]);
  const message = `alias ${JSON.stringify(name.slice(0, 60))} not found${didYouMean(meant && JSON.stringify(meant))}`;
  throw usageError('unknown_alias', message, { hint: 'docs config alias list' });
}

export const configAlias: Group = {
  name: 'alias',
  noun: 'alias',
  summary: 'Manage short names for commands',
  why:
    'An alias replaces the beginning of a command line. Commands of docs always come first, and no shell runs ' +
    'an alias.',
  commands: [list, set, remove],
};
