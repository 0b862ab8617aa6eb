import * as api from '../api/resources/custom-fields.js';
import type { FlagChange, Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

const columns = [
  'name',
  { path: 'type', lead: true },
  'title',
  'description',
  'options',
  'updatedAt',
  'id',
] as const;

const flags: Record<string, FlagChange> = {
  options: { name: 'option', value: '<option>', edited: true },
};

export const customFields: Group = {
  name: 'custom-fields',
  noun: 'custom field',
  summary: 'Define the custom fields of an organization',
  why: 'Defines each field once; docs spaces fields sets its value on a space.',
  commands: [
    command({
      name: 'list',
      operation: api.listCustomFields,
      why: 'Lists the fields that every space can have a value for, such as an owner or a review date.',
      columns,
      id: 'name',
      examples: { 'custom-fields list': 'list the custom fields' },
    }),
    command({
      name: 'create',
      operation: api.createCustomField,
      why: 'The name identifies the field and never changes; people see its title and placeholder.',
      args: { name: '<name>' },
      flags,
      columns,
      id: 'name',
      examples: {
        'custom-fields create owner --type text --title Owner': 'define a text field',
        'custom-fields create platform --type select --option web --option mobile':
          'define a field with two options',
      },
    }),
    command({
      name: 'get',
      operation: api.getCustomField,
      why: 'Shows the type, texts and options of a field.',
      args: { fieldName: '<name>' },
      columns,
      id: 'name',
      examples: { 'custom-fields get audience': 'show a custom field' },
    }),
    command({
      name: 'update',
      operation: api.updateCustomField,
      why: 'Changes only the fields you pass; spaces keep their values.',
      args: { fieldName: '<name>' },
      flags,
      textNotes: [
        'The order is that in which people choose. An option has no id beside its text:',
        'spaces lose the value of an option that is renamed or removed.',
      ],
      columns,
      id: 'name',
      examples: {
        'custom-fields update audience --option internal --option public --option partners':
          'replace the options',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteCustomField,
      why: 'Hides the values that spaces have for the field. List them first if you need them.',
      args: { fieldName: '<name...>' },
      examples: { 'custom-fields delete audience --yes': 'delete a field' },
    }),
  ],
};
