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
  summary: 'Custom fields of an organization',
  why: 'A custom field is defined here, once; docs spaces fields sets its value on a space.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listCustomFields,
      why: 'What can be said of every space, such as an owner or a review date.',
      columns,
      id: 'name',
      examples: [{ run: 'custom-fields list', does: 'what can be known of a space' }],
    }),
    command({
      name: 'create',
      operation: createCustomField,
      why: 'A field is known by its name, which never changes; title and placeholder are what people see.',
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
      why: 'Its type, its texts and, where one chooses, the options.',
      args: { fieldName: '<name>' },
      columns,
      id: 'name',
      examples: [{ run: 'custom-fields get audience', does: 'one field' }],
    }),
    command({
      name: 'update',
      operation: updateCustomField,
      why: 'What is not given stays. Values that spaces have are kept.',
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
      why: 'The values that spaces have for it are no longer shown anywhere: list them first if they are needed.',
      args: { fieldName: '<name...>' },
      examples: [{ run: 'custom-fields delete audience --yes', does: 'delete a field and its values' }],
    }),
  ],
};
