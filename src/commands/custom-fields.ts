import {
  createCustomField,
  deleteCustomField,
  getCustomField,
  listCustomFields,
  updateCustomField,
} from '../api/resources/custom-fields.js';
import type { FlagChange, Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

const columns = ['name', 'type', 'title', 'description', 'options', 'updatedAt', 'id'] as const;

const flags: Record<string, FlagChange> = {
  options: { name: 'option', value: '<option>' },
};

export const customFields: Group = {
  name: 'custom-fields',
  noun: 'custom field',
  summary: 'Define the custom fields of an organization',
  why: 'Defines each field once; docs spaces fields sets its value on a space.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listCustomFields,
      why: 'Lists the fields that every space can have a value for, such as an owner or a review date.',
      columns,
      id: 'name',
      examples: [{ run: 'custom-fields list', does: 'list the custom fields' }],
    }),
    command({
      name: 'create',
      operation: createCustomField,
      why: 'The name identifies the field and never changes; people see its title and placeholder.',
      args: { name: '<name>' },
      flags,
      columns,
      id: 'name',
      examples: [
        { run: 'custom-fields create owner --type text --title Owner', does: 'define a text field' },
        {
          run: 'custom-fields create audience --type select --option internal --option public',
          does: 'define a field with two options',
        },
      ],
    }),
    command({
      name: 'get',
      operation: getCustomField,
      why: 'Shows the type, texts and options of a field.',
      args: { fieldName: '<name>' },
      columns,
      id: 'name',
      examples: [{ run: 'custom-fields get audience', does: 'show a custom field' }],
    }),
    command({
      name: 'update',
      operation: updateCustomField,
      why: 'Changes only the fields you pass; spaces keep their values.',
      args: { fieldName: '<name>' },
      flags,
      columns,
      id: 'name',
      examples: [
        {
          run: 'custom-fields update audience --option internal --option public --option partners',
          does: 'replace the options',
        },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteCustomField,
      why: 'Values that spaces have for the field are no longer shown; list them first if you need them.',
      args: { fieldName: '<name...>' },
      examples: [{ run: 'custom-fields delete audience --yes', does: 'delete a field' }],
    }),
  ],
};
