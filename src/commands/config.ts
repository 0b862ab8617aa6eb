import { usageError } from '../errors.js';
import { parseSetting, type SettingValue, settingKey, settingKeys } from '../settings/keys.js';
import { listSettings, type SettingChange, setSetting, unsetSetting } from '../settings/values.js';
import type { Group, ManualInput } from './command.js';
import { manual } from './define.js';
import type { Session } from './session.js';

const keyNames = settingKeys.map((key) => key.name).join(', ');

function required(input: ManualInput, name: string): string {
  const value = input.args[name];
  if (typeof value !== 'string')
    throw usageError('missing_argument', `<${name}> is required; keys: ${keyNames}.`);
  return value;
}

const columns = ['name', 'value', 'source', 'where'].map((path) => ({ path }));
const view = { columns, fields: ['name', 'value', 'source', 'where', 'builtIn', 'description'], id: 'name' };

const list = manual({
  name: 'list',
  aliases: ['ls'],
  summary: 'List all settings, with where each comes from',
  why: 'To see what a command would use before it runs: where two places disagree, the one that wins is shown.',
  examples: [{ run: 'config list', does: 'what is set, and by what' }],
  async run(session) {
    const items = listSettings(session.settings);
    await session.printer.check(view);
    await session.printer.list(items, view);
  },
});

const get = manual({
  name: 'get',
  summary: 'Print one setting',
  why: 'For scripts that go on with a default: it prints the value alone, and nothing where there is none.',
  args: { '<key>': `One of ${keyNames}` },
  examples: [{ run: 'config get org', does: 'the default organization' }],
  async run(session, input) {
    const { name } = settingKey(required(input, 'key'));
    const found = listSettings(session.settings).find((row) => row.name === name);
    const plain = session.settings.output === undefined && session.globals.jq === undefined;
    if (!plain) return session.printer.one(found, view);
    const value = found?.value ?? null;
    await session.printer.text(value === null ? '' : `${value}\n`);
  },
});

/** Says what a change did, and what still wins over it. */
async function printChange(session: Session, status: string, change: SettingChange): Promise<void> {
  const { name, value, overriddenBy, ...rest } = change;
  const sentence = value === null ? `${name} is no longer set.` : `${name} is ${value}.`;
  await session.printer.done({ id: name, status, value, ...rest }, sentence);
  if (overriddenBy !== undefined) {
    session.printer.warn(`${overriddenBy.where} still sets ${name} to ${overriddenBy.value}.`);
  }
}

/** With `--dry-run` the file stays as it is; what it would hold is said. */
async function printRehearsal(session: Session, name: string, value: SettingValue | null): Promise<void> {
  const where = session.settings.paths.configFile;
  const result = { id: name, status: 'not-changed', value, where, changed: false };
  const would = value === null ? `${name} would no longer be set` : `${name} would be ${value}`;
  await session.printer.done(result, `Dry run: ${would} in ${where}.`);
}

const set = manual({
  name: 'set',
  summary: 'Set a default',
  why: 'It holds until it is unset: address, organization, space and site for the profile, the others for all profiles.',
  args: { '<key>': `One of ${keyNames}`, '<value>': 'Its value' },
  examples: [
    { run: 'config set org o1', does: 'the organization of every command without --org' },
    { run: 'config set output json', does: 'print JSON unless told otherwise' },
  ],
  danger: 'change',
  async run(session, input) {
    const [key, value] = [required(input, 'key'), required(input, 'value')];
    if (session.globals.dryRun) {
      const { name } = settingKey(key);
      return printRehearsal(session, name, parseSetting(settingKey(key), value));
    }
    await printChange(session, 'set', await setSetting(session.io, session.settings, key, value));
  },
});

const unset = manual({
  name: 'unset',
  summary: 'Remove a default',
  why: 'A flag, the environment or the project file may still name one: docs config list shows what holds then.',
  args: { '<key>': `One of ${keyNames}` },
  examples: [{ run: 'config unset space', does: 'no default space any more' }],
  danger: 'change',
  async run(session, input) {
    const key = required(input, 'key');
    if (session.globals.dryRun) return printRehearsal(session, settingKey(key).name, null);
    await printChange(session, 'unset', await unsetSetting(session.io, session.settings, key));
  },
});

const path = manual({
  name: 'path',
  summary: 'Print the path of the settings file',
  why: 'For an editor or a backup of settings; tokens are kept elsewhere.',
  examples: [{ run: 'config path', does: 'where the settings are' }],
  local: true,
  async run(session) {
    await session.printer.text(`${session.settings.paths.configFile}\n`);
  },
});

export const config: Group = {
  name: 'config',
  noun: 'setting',
  summary: 'Defaults: organization, space, site, output',
  why: 'A flag wins over the environment, that over the project file .docs.json, that over what is set here.',
  commands: [list, get, set, unset, path],
};
