import { usageError } from '../errors.js';
import { getSetting, listSettings, setSetting, settingKeys, unsetSetting } from '../settings/keys.js';
import type { Group, ManualInput } from './command.js';
import { manual } from './define.js';

const keyNames = settingKeys.map((key) => key.name).join(', ');

function required(input: ManualInput, name: string): string {
  const value = input.args[name];
  if (typeof value !== 'string') throw usageError('missing_argument', `<${name}> is required; keys: ${keyNames}.`);
  return value;
}

const fields = ['name', 'value', 'source', 'where'];

const list = manual({
  name: 'list',
  aliases: ['ls'],
  summary: 'List all settings, with where each comes from',
  examples: [{ run: 'config list', does: 'what is set, and by what' }],
  async run(session) {
    const items = listSettings(session.settings);
    const view = { columns: fields.map((path) => ({ path })), fields, id: 'name' };
    await session.printer.check(view);
    async function* pages() {
      yield { items, count: items.length };
    }
    await session.printer.list(pages(), view);
  },
});

const get = manual({
  name: 'get',
  summary: 'Print one setting',
  args: { '<key>': `One of ${keyNames}` },
  examples: [{ run: 'config get org', does: 'the default organization' }],
  async run(session, input) {
    const found = getSetting(session.settings, required(input, 'key'));
    if (session.settings.output === undefined && session.globals.jq === undefined) {
      await session.printer.text(found.value === undefined ? '' : `${found.value}\n`);
    } else {
      await session.printer.one(found, { columns: fields.map((path) => ({ path })), fields, id: 'name' });
    }
  },
});

const set = manual({
  name: 'set',
  summary: 'Set a default',
  args: { '<key>': `One of ${keyNames}`, '<value>': 'Its value' },
  examples: [
    { run: 'config set org o1', does: 'the organization of every command without --org' },
    { run: 'config set output json', does: 'print JSON unless told otherwise' },
  ],
  danger: 'change',
  async run(session, input) {
    const [key, value] = [required(input, 'key'), required(input, 'value')];
    await setSetting(session.io, session.settings, key, value);
    await session.printer.done({ id: key, status: 'set', value }, `${key} is ${value}.`);
  },
});

const unset = manual({
  name: 'unset',
  summary: 'Remove a default',
  args: { '<key>': `One of ${keyNames}` },
  examples: [{ run: 'config unset space', does: 'no default space any more' }],
  danger: 'change',
  async run(session, input) {
    const key = required(input, 'key');
    await unsetSetting(session.io, session.settings, key);
    await session.printer.done({ id: key, status: 'unset' }, `${key} is no longer set.`);
  },
});

const path = manual({
  name: 'path',
  summary: 'Print the path of the settings file',
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
