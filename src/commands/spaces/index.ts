import { listSpaceFields, setSpaceFields } from '../../api/resources/space-fields.js';
import {
  deleteSpace,
  duplicateSpace,
  getSpace,
  listSpaceLinks,
  moveSpace,
  restoreSpace,
  searchSpace,
  transferSpace,
  updateSpace,
} from '../../api/resources/spaces.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { fieldValues } from '../../cli/declare/field-values.js';
import { linkColumns } from '../links/columns.js';
import { besideSpace } from '../position-flags.js';
import { useCommand } from '../use-command.js';
import { listSpaces, spaceColumns } from './list.js';

const columns = spaceColumns;

const fields: Group = {
  name: 'fields',
  noun: 'space',
  summary: 'Manage the custom field values of a space',
  why: 'docs custom-fields defines the fields once for the organization; each space has its own values.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSpaceFields,
      why: 'Shows each custom field of the organization with its value for this space.',
      args: { spaceId: '<space>' },
      columns: ['customField.name', 'value', 'customField.type', 'customField.title', 'customField.id'],
      id: 'customField.id',
      examples: [{ run: 'spaces fields list s1', does: 'list the custom field values of a space' }],
    }),
    command({
      name: 'set',
      operation: setSpaceFields,
      why: 'Changes only the fields you name. --input takes a JSON object with field names as keys.',
      args: { spaceId: '<space>', values: '<name=value...>' },
      flags: { values: { parse: fieldValues } },
      examples: [
        { run: 'spaces fields set s1 owner=ada audience=internal', does: 'set two values' },
        { run: 'spaces fields set s1 \'tags:=["api","beta"]\'', does: 'set a list of texts' },
      ],
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
      operation: getSpace,
      why: 'Shows the title, visibility and edit mode, and the number of open comments and change requests.',
      args: { spaceId: '<space>' },
      columns,
      examples: [{ run: 'spaces get s1', does: 'show a space' }],
    }),
    command({
      name: 'update',
      operation: updateSpace,
      why: 'Changes the title, icon and default permissions. --edit-mode locked blocks all edits.',
      args: { spaceId: '<space>' },
      flags: { icon: { value: '<url>' } },
      columns,
      examples: [
        { run: 'spaces update s1 --edit-mode locked', does: 'block all edits' },
        { run: 'spaces update s1 --title Handbook --emoji 📘', does: 'rename a space and set its emoji' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteSpace,
      why:
        'The space disappears from all lists immediately. docs trash list shows which deleted spaces can ' +
        'be restored, and until when.',
      args: { spaceId: '<space...>' },
      danger: 'type-title',
      titleFrom: getSpace,
      consequences: async () => (await import('../consequences.js')).ofSpace,
      examples: [{ run: 'spaces delete s1 --yes', does: 'delete a space' }],
    }),
    command({
      name: 'duplicate',
      operation: duplicateSpace,
      why: 'Use the copy for experiments; the original stays unchanged.',
      args: { spaceId: '<space>' },
      columns,
      examples: [{ run: 'spaces duplicate s1', does: 'copy a space' }],
    }),
    command({
      name: 'restore',
      operation: restoreSpace,
      listedBy: 'docs trash list',
      why: 'Takes the id of the deleted space. docs trash list shows the spaces deleted from this machine.',
      args: { spaceId: '<space...>' },
      flags: { spaceId: { asTyped: true } },
      columns,
      examples: [{ run: 'spaces restore s1', does: 'restore a space deleted within the last 7 days' }],
    }),
    command({
      name: 'move',
      operation: moveSpace,
      why:
        '--parent names a collection and --unset parent moves the space to the top level; --before and ' +
        '--after name a neighbour there.',
      args: { spaceId: '<space>' },
      flags: {
        parent: { value: '<collection>' },
        ...besideSpace('space'),
      },
      columns: ['title', 'parent', 'organization', 'id'],
      examples: [
        { run: 'spaces move s1 --parent c1', does: 'move a space into a collection' },
        { run: 'spaces move s1 --unset parent', does: 'move a space to the top level' },
        { run: 'spaces move s1 --before s2', does: 'move a space before another one' },
      ],
    }),
    command({
      name: 'transfer',
      operation: transferSpace,
      why: 'If the other organization cannot take the space, nothing changes and the exit code is 7.',
      args: { spaceId: '<space>' },
      flags: { organization: { name: 'to-org', value: '<org>' } },
      danger: 'confirm',
      columns: ['title', 'organization', 'parent', 'id'],
      examples: [
        { run: 'spaces transfer s1 --to-org o2 --yes', does: 'transfer a space to another organization' },
      ],
    }),
    command({
      name: 'search',
      operation: searchSpace,
      why: 'To search all spaces, use docs orgs search.',
      args: { spaceId: '<space>', query: '<query>' },
      columns: ['title', 'path', { path: 'sections.title', label: 'SECTIONS' }, 'urls.app', 'id'],
      examples: [{ run: 'spaces search s1 "single sign-on"', does: 'search the pages of a space' }],
    }),
    command({
      name: 'links',
      operation: listSpaceLinks,
      why: '--status broken lists only broken links. To check many spaces at once, use docs links check.',
      args: { spaceId: '<space>' },
      columns: linkColumns,
      examples: [{ run: 'spaces links s1 --status broken', does: 'list the broken links of a space' }],
    }),
    fields,
    useCommand('space'),
  ],
};
