import { jsonOrNothing } from '../../api/input-json.js';
import { listSpaceFields, setSpaceFields } from '../../api/resources/custom-fields.js';
import { RawNumber } from '../../api/transport/json-text.js';
import type { Group, Parse } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';

const others = 'the platform cannot clear other values';

/**
 * `name=value` pairs of custom fields (command-tree, "Notes"): a value that is a JSON number, true,
 * false or list of texts is sent as such, anything else as text; `name:=json` insists on JSON,
 * `name=@file` reads a file. `name=` clears a text and `name:=[]` a list.
 * @throws Error with the rest of a sentence that begins with the positional
 */
const fieldValues: Parse = async (typed, read) => {
  const entries = await Promise.all(
    [typed].flat().map(async (pair) => {
      const [, name = '', colon, text = ''] = /^([^=]*?)(:?)=(.*)$/s.exec(pair) ?? [];
      if (name === '') throw new Error(`must be name=value, not "${pair}"`);
      const value = colon === ':' ? asJson(name, text) : await plainValue(text, read);
      if (value === null)
        throw new Error(`cannot be null: ${name}= clears a text and ${name}:=[] a list; ${others}`);
      return [name, { value }] as const;
    }),
  );
  return Object.fromEntries(entries);
};

function asJson(name: string, text: string): unknown {
  const value = jsonOrNothing(text);
  if (value !== undefined) return value;
  throw new Error(`must have JSON after ${name}:=, not "${text}"`);
}

async function plainValue(text: string, read: (source: string) => Promise<string>): Promise<unknown> {
  if (text.startsWith('@')) return read(text.slice(1));
  const value = jsonOrNothing(text);
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const isNumber = typeof value === 'number' || value instanceof RawNumber;
  return isNumber || typeof value === 'boolean' || isTexts ? value : text;
}

export const fields: Group = {
  name: 'fields',
  noun: 'space',
  summary: 'Manage the custom field values of a space',
  why: 'docs custom-fields defines the fields once for the organization; each space has its own values.',
  commands: [
    command({
      name: 'list',
      operation: listSpaceFields,
      why: 'Shows each custom field of the organization with its value for this space.',
      args: { spaceId: '<space>' },
      columns: [
        'customField.name',
        { path: 'value', lead: true },
        'customField.type',
        'customField.title',
        'customField.id',
      ],
      id: 'customField.id',
      examples: { 'spaces fields list s1': 'list the custom field values of a space' },
    }),
    command({
      name: 'set',
      operation: setSpaceFields,
      why:
        'Changes only the fields you name; --input takes a JSON object with field names as keys. name= clears ' +
        'a text and name:=[] a list; the API cannot clear other values.',
      args: { spaceId: '<space>', values: '<name=value...>' },
      flags: { values: { parse: fieldValues, reads: 'pair' } },
      says: ({ what, sent }) => {
        const names = Object.keys(sent('values') ?? {});
        return `Set ${names.length === 1 ? 'custom field' : 'custom fields'} ${names.join(', ')} of ${what}`;
      },
      examples: {
        'spaces fields set s1 owner-team=Platform audience=staff': 'set two values',
        'spaces fields set s1 \'topics:=["api","billing"]\'': 'set a list of texts',
        "spaces fields set s1 owner-team= 'topics:=[]'": 'clear a text and a list',
      },
    }),
  ],
};
