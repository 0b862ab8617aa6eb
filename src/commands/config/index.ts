import { Type } from '../../api/type.js';
import type { Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import type { Session } from '../../cli/declare/session.js';
import type { Offers } from '../../cli/declare/takers.js';
import { withMark } from '../../output/messages.js';
import { closed, done, flag, maybe, oneOf, orNull, text } from '../../output/printed-shapes.js';
import {
  getSetting,
  listSettings,
  type SettingChange,
  setSetting,
  settingKey,
  unsetSetting,
} from '../../settings/change-setting.js';
import { parseSetting, type SettingValue, valueSources } from '../../settings/keys.js';
import { settingKeys } from '../../settings/setting-keys.js';
import { configAlias } from './alias.js';

const settingNames = settingKeys.map(({ name }) => name);
const keyNames = settingNames.join(', ');

const keyArgument = { '<key>': { description: `One of ${keyNames}`, choices: settingNames } } as const;

const settingValue = orNull(Type.Union([text, Type.Number(), flag, Type.Array(text)]));

const Setting = closed({
  name: oneOf(...settingNames),
  value: settingValue,
  source: oneOf(...valueSources),
  where: text,
  builtIn: Type.String({ description: 'The built-in value, in words' }),
  description: text,
});

const settingColumns = ['name', { path: 'value', lead: true }, 'source', 'where'] as const;

const settingChange = (status: string) =>
  done(oneOf(status, 'not-changed'), {
    value: settingValue,
    where: Type.String({ description: 'The settings file' }),
    profile: maybe,
    changed: flag,
  });

const list = manual({
  name: 'list',
  summary: 'List all settings with the source of each',
  why:
    'Use it to check the settings before you run a command. If several sources set a value, it shows the ' +
    'one that applies.',
  returns: Type.Array(Setting),
  columns: settingColumns,
  id: 'name',
  examples: { 'config list': 'list the settings in effect and their sources' },
  async run(session, _, { view }) {
    const items = listSettings(session.settings);
    await session.printer.check(view);
    await session.printer.list(items, view);
  },
});

const get = manual({
  name: 'get',
  summary: 'Print one setting',
  why: 'Prints the value alone, or nothing if the setting has no value.',
  args: keyArgument,
  returns: Setting,
  columns: settingColumns,
  id: 'name',
  examples: { 'config get org': 'print the default organization' },
  async run(session, { args }, { view }) {
    const { name } = settingKey(String(args.key));
    const found = listSettings(session.settings).find((row) => row.name === name);
    const plain = session.settings.output === undefined && session.globals.jq === undefined;
    if (!plain) return session.printer.one(found, view);
    const value = found?.value ?? null;
    await session.printer.text(value === null ? '' : `${value}\n`);
  },
});

/** The values of a setting that has only some; the one in effect is under the cursor. */
const valueOffers: Offers = {
  none: 'The setting has no values.',
  async list({ settings }, { args }) {
    const key = settingKey(String(args.key));
    const now = getSetting(settings, key.name)?.value;
    return key.values?.map((value) => {
      const current = parseSetting(key, value, '') === now;
      return { value, name: current ? `${value}, as it is now` : value, current };
    });
  },
};

/** The settings that the settings file sets. */
const setKeys: Offers = {
  none: 'The settings file sets nothing.',
  async list({ settings }) {
    const rows = listSettings(settings).filter(({ source }) => source === 'profile' || source === 'settings');
    return rows.map(({ name, value }) => ({ value: name, name: `${name}  ${value}` }));
  },
};

/** Says what a change did, and what still overrides it. */
async function printChange(session: Session, status: string, change: SettingChange): Promise<void> {
  const { name, value, overriddenBy, ...rest } = change;
  const isTerminal = session.io.stdout.isTTY === true;
  const plain = value === null ? `${name} is no longer set.` : `${name} is ${value}.`;
  const said = value === null ? `Unset ${name}` : `Set ${name} to ${value}`;
  const sentence = isTerminal ? withMark(said) : plain;
  await session.printer.done({ id: name, status, value, ...rest }, sentence);
  if (overriddenBy !== undefined) {
    session.printer.warn(`${overriddenBy.where} still sets ${name} to ${overriddenBy.value}.`);
  }
}

/** `--dry-run`: says what would change and writes nothing. */
async function printRehearsal(session: Session, name: string, value: SettingValue | null): Promise<void> {
  const where = session.settings.paths.configFile;
  const result = { id: name, status: 'not-changed', value, where, changed: false };
  const would = value === null ? `${name} would no longer be set` : `${name} would be ${value}`;
  await session.printer.done(result, `Dry run: ${would} in ${where}.`);
}

const set = manual({
  name: 'set',
  summary: 'Set a default',
  why:
    'Address, organization, space, site and policy are set for the profile; all other settings apply to ' +
    'every profile.',
  args: {
    ...keyArgument,
    '<value>': {
      description: 'New value',
      completes: 'setting-value',
      offers: async () => valueOffers,
      check:
        async () =>
        (typed, session, { args }) => {
          parseSetting(settingKey(String(args.key)), typed, session.io.cwd);
        },
    },
  },
  returns: settingChange('set'),
  examples: {
    'config set org o1': 'set the default organization',
    'config set output json': 'print JSON by default',
  },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['settings'] },
  async run(session, { args }) {
    const [key, value] = [String(args.key), String(args.value)];
    if (session.globals.dryRun) {
      const { name } = settingKey(key);
      return printRehearsal(session, name, parseSetting(settingKey(key), value, session.io.cwd));
    }
    await printChange(session, 'set', await setSetting(session.io, session.settings, key, value));
  },
});

const unset = manual({
  name: 'unset',
  summary: 'Remove a default',
  why:
    'A flag, the environment or the project file may still set a value; docs config list shows the one in ' +
    'effect.',
  args: { '<key>': { ...keyArgument['<key>'], offers: async () => setKeys } },
  returns: settingChange('unset'),
  examples: { 'config unset space': 'remove the default space' },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['settings'] },
  async run(session, { args, chosen = [] }) {
    const key = String(args.key);
    if (session.globals.dryRun) return printRehearsal(session, settingKey(key).name, null);
    if (chosen.includes('key'))
      await (await import('../../cli/resolve/prompts.js')).confirmChosen(session, `Unset ${key}`);
    await printChange(session, 'unset', await unsetSetting(session.io, session.settings, key));
  },
});

const path = manual({
  name: 'path',
  summary: 'Print the path of the settings file',
  why: 'Use it to edit or back up the settings. Tokens are stored elsewhere.',
  returns: text,
  examples: { 'config path': 'print the path of the settings file' },
  local: true,
  async run(session) {
    await session.printer.text(`${session.settings.paths.configFile}\n`);
  },
});

export const config: Group = {
  name: 'config',
  noun: 'setting',
  summary: 'Manage defaults: organization, space, site, output',
  why: 'Precedence: flag, then environment, then the project file .docs.json, then these settings.',
  commands: [list, get, set, unset, path, configAlias],
};
