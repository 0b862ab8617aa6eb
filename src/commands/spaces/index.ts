import { jsonOrNothing } from '../../api/input-json.js';
import { listSpaceFields, setSpaceFields } from '../../api/resources/custom-fields.js';
import * as api from '../../api/resources/spaces.js';
import { RawNumber } from '../../api/transport/json-text.js';
import type { Group, Parse } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { besideSpace, linkColumns, saysTransfer, useCommand } from '../shared/declarations.js';
import { listSpaces, spaceColumns } from './list.js';

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

const columns = spaceColumns;

const fields: Group = {
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
      columns: ['customField.name', 'value', 'customField.type', 'customField.title', 'customField.id'],
      id: 'customField.id',
      examples: { 'spaces fields list s1': 'list the custom field values of a space' },
    }),
    command({
      name: 'set',
      operation: setSpaceFields,
      why:
        'Changes only the fields you name; --input takes a JSON object with field names as keys. name= clears ' +
        'a text and name:=[] a list; the platform cannot clear other values.',
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

export const spaces: Group = {
  name: 'spaces',
  noun: 'space',
  summary: 'Manage spaces, their custom field values and links',
  why: 'A space holds pages and files. A deleted space can be restored for 7 days.',
  commands: [
    listSpaces,
    command({
      name: 'get',
      operation: api.getSpace,
      why: 'Shows the title, visibility and edit mode, and the number of open comments and change requests.',
      args: { spaceId: '<space>' },
      columns,
      examples: { 'spaces get s1': 'show a space' },
    }),
    command({
      name: 'update',
      operation: api.updateSpace,
      why: 'Changes the title, icon and default permissions. --edit-mode locked blocks all edits.',
      args: { spaceId: '<space>' },
      flags: { icon: { value: '<url>' } },
      columns,
      examples: {
        'spaces update s1 --edit-mode locked': 'block all edits',
        'spaces update s1 --title Handbook --emoji 📘': 'rename a space and set its emoji',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteSpace,
      why:
        'The space disappears from all lists immediately. docs trash list shows which deleted spaces can ' +
        'be restored, and until when.',
      args: { spaceId: '<space...>' },
      danger: 'type-title',
      titleFrom: api.getSpace,
      consequences: async () => (await import('../shared/consequences.js')).ofSpace,
      examples: { 'spaces delete s1 --yes': 'delete a space' },
    }),
    command({
      name: 'duplicate',
      operation: api.duplicateSpace,
      done: 'duplicated',
      says: ({ what, named, path }) => `Duplicated ${named('space', path('spaceId'))} as ${what}`,
      why: 'Use the copy for experiments; the original stays unchanged.',
      args: { spaceId: '<space>' },
      columns,
      examples: { 'spaces duplicate s1': 'copy a space' },
    }),
    command({
      name: 'restore',
      operation: api.restoreSpace,
      done: 'restored',
      listedBy: 'docs trash list',
      why: 'Takes the id of the deleted space. docs trash list shows the spaces deleted from this machine.',
      args: { spaceId: '<space...>' },
      flags: {
        spaceId: { asTyped: true, offers: async () => (await import('./trash.js')).deletedSpaceOffers },
      },
      columns,
      examples: { 'spaces restore s1': 'restore a space deleted within the last 7 days' },
    }),
    command({
      name: 'move',
      operation: api.moveSpace,
      why:
        '--parent names a collection and --unset parent moves the space to the top level; --before and ' +
        '--after name a neighbour there.',
      args: { spaceId: '<space>' },
      flags: {
        parent: { value: '<collection>' },
        ...besideSpace('space'),
      },
      columns: ['title', 'parent', 'organization', 'id'],
      examples: {
        'spaces move s1 --parent c1': 'move a space into a collection',
        'spaces move s1 --unset parent': 'move a space to the top level',
        'spaces move s1 --before s2': 'move a space before another one',
      },
    }),
    command({
      name: 'transfer',
      operation: api.transferSpace,
      done: 'transferred',
      why: 'If the other organization cannot take the space, nothing changes and the exit code is 7.',
      args: { spaceId: '<space>' },
      flags: { organization: { name: 'to-org', value: '<org>' } },
      says: saysTransfer,
      danger: 'confirm',
      columns: ['title', 'organization', 'parent', 'id'],
      examples: { 'spaces transfer s1 --to-org o2 --yes': 'transfer a space to another organization' },
    }),
    command({
      name: 'search',
      operation: api.searchSpace,
      why: 'To search all spaces, use docs orgs search.',
      args: { spaceId: '<space>', query: '<query>' },
      columns: ['title', 'path', { path: 'sections.title', label: 'SECTIONS' }, 'urls.app', 'id'],
      examples: { 'spaces search s1 "single sign-on"': 'search the pages of a space' },
    }),
    command({
      name: 'links',
      operation: api.listSpaceLinks,
      why: '--status broken lists only broken links. To check many spaces at once, use docs links check.',
      args: { spaceId: '<space>' },
      columns: linkColumns,
      examples: { 'spaces links s1 --status broken': 'list the broken links of a space' },
    }),
    fields,
    useCommand('space', api.getSpace),
  ],
};
