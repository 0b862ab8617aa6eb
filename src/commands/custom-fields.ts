import {
  createCustomField,
  deleteCustomField,
  getCustomField,
  listCustomFields,
  updateCustomField,
} from '../api/resources/custom-fields.js';
import type { FlagChange, Group } from './command.js';
import { command } from './define.js';

const columns = ['name', 'type', 'title', 'description', 'options', 'updatedAt', 'id'] as const;

const flags: Record<string, FlagChange> = {
  options: { name: 'option', value: '<option>' },
};

export const customFields: Group = {
  name: 'custom-fields',
  noun: 'custom field',
  summary: 'Custom fields of an organization',
  why: 'A custom field is defined here, once; docs spaces fields sets its value on a space.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listCustomFields,
      columns,
      id: 'name',
      examples: [{ run: 'custom-fields list', does: 'what can be known of a space' }],
    }),
    command({
      name: 'create',
      operation: createCustomField,
      args: { name: '<name>' },
      flags,
      columns,
      id: 'name',
      examples: [
        { run: 'custom-fields create owner --type text --title Owner', does: 'a field for any text' },
        {
          run: 'custom-fields create audience --type select --option internal --option public',
          does: 'a field with two values to choose from',
        },
      ],
    }),
    command({
      name: 'get',
      operation: getCustomField,
      args: { fieldName: '<name>' },
      columns,
      id: 'name',
      examples: [{ run: 'custom-fields get audience', does: 'one field' }],
    }),
    command({
      name: 'update',
      operation: updateCustomField,
      args: { fieldName: '<name>' },
      flags,
      columns,
      id: 'name',
      examples: [
        {
          run: 'custom-fields update audience --option internal --option public --option partners',
          does: 'replace the values to choose from',
        },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteCustomField,
      args: { fieldName: '<name...>' },
      examples: [{ run: 'custom-fields delete audience --yes', does: 'delete a field and its values' }],
    }),
  ],
};
