import { jsonOrNothing } from '../../api/input-json.js';
import { RawNumber } from '../../api/transport/json-text.js';
import type { Parse } from '../../cli/declare/command.js';

const others = 'the platform cannot clear other values';

/**
 * `name=value` pairs of custom fields (command-tree, "Notes"): a value that is a JSON number, true,
 * false or list of texts is sent as such, anything else as text; `name:=json` insists on JSON,
 * `name=@file` reads a file. `name=` clears a text and `name:=[]` a list.
 * @throws Error with the rest of a sentence that begins with the positional
 */
export const fieldValues: Parse = async (typed, read) => {
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
