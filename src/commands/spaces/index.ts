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
  summary: 'Custom field values of a space',
  why: 'The fields are defined once for the organization, by docs custom-fields; their values belong to a space.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSpaceFields,
      why: 'What custom-fields define for the organization, with the values of this space.',
      args: { spaceId: '<space>' },
      columns: ['customField.name', 'value', 'customField.type', 'customField.title', 'customField.id'],
      id: 'customField.id',
      examples: [{ run: 'spaces fields list s1', does: 'what is known of a space' }],
    }),
    command({
      name: 'set',
      operation: setSpaceFields,
      why: 'Only the fields that are named change. The values are a JSON object in --input, by the names of the fields.',
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
  summary: 'Spaces, their fields and links',
  why: 'A space holds pages and files. A deleted one can be restored for 7 days.',
  commands: [
    listSpaces,
    command({
      name: 'get',
      operation: getSpace,
      why: 'Title, visibility, edit mode, and how many comments and change requests wait.',
      args: { spaceId: '<space>' },
      columns,
      examples: [{ run: 'spaces get s1', does: 'one space' }],
    }),
    command({
      name: 'update',
      operation: updateSpace,
      why: 'For titles, icons and what people may do by default; --edit-mode locked stops all edits.',
      args: { spaceId: '<space>' },
      flags: { icon: { value: '<url>' } },
      columns,
      examples: [
        { run: 'spaces update s1 --edit-mode locked', does: 'let nobody edit' },
        { run: 'spaces update s1 --title Handbook --emoji 📘', does: 'rename it' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteSpace,
      why: 'It vanishes from every list at once. docs trash list shows what can still be brought back, and until when.',
      args: { spaceId: '<space...>' },
      danger: 'type-title',
      titleFrom: getSpace,
      examples: [
        { run: 'spaces delete s1 --yes', does: 'delete a space; docs spaces restore brings it back' },
      ],
    }),
    command({
      name: 'duplicate',
      operation: duplicateSpace,
      why: 'A copy to try things on; the space itself stays as it is.',
      args: { spaceId: '<space>' },
      columns,
      examples: [{ run: 'spaces duplicate s1', does: 'a copy to try things on' }],
    }),
    command({
      name: 'restore',
      operation: restoreSpace,
      why: 'It takes the id of the deleted space; docs trash list tells those that were deleted from this machine.',
      args: { spaceId: '<space...>' },
      flags: { spaceId: { asTyped: true } },
      columns,
      examples: [{ run: 'spaces restore s1', does: 'bring back a space deleted within the last 7 days' }],
    }),
    command({
      name: 'move',
      operation: moveSpace,
      why: '--parent names a collection, --unset parent is the top level; --before and --after name a neighbour there.',
      args: { spaceId: '<space>' },
      flags: {
        parent: { value: '<collection>' },
        ...besideSpace('space'),
      },
      columns: ['title', 'parent', 'organization', 'id'],
      examples: [
        { run: 'spaces move s1 --parent c1', does: 'into a collection' },
        { run: 'spaces move s1 --unset parent', does: 'to the top level' },
        { run: 'spaces move s1 --before s2', does: 'in front of another space' },
      ],
    }),
    command({
      name: 'transfer',
      operation: transferSpace,
      why: 'Where the other organization cannot take it, nothing changes and the exit code is 7.',
      args: { spaceId: '<space>' },
      flags: { organization: { name: 'to-org', value: '<org>' } },
      danger: 'confirm',
      columns: ['title', 'organization', 'parent', 'id'],
      examples: [
        { run: 'spaces transfer s1 --to-org o2 --yes', does: 'hand a space to another organization' },
      ],
    }),
    command({
      name: 'search',
      operation: searchSpace,
      why: 'docs orgs search looks into all spaces.',
      args: { spaceId: '<space>', query: '<query>' },
      columns: ['title', 'path', { path: 'sections.title', label: 'SECTIONS' }, 'urls.app', 'id'],
      examples: [{ run: 'spaces search s1 "single sign-on"', does: 'the pages of a space with these words' }],
    }),
    command({
      name: 'links',
      operation: listSpaceLinks,
      why: '--status broken is what to mend; docs links check looks at many spaces at once.',
      args: { spaceId: '<space>' },
      columns: linkColumns,
      examples: [{ run: 'spaces links s1 --status broken', does: 'what no longer leads anywhere' }],
    }),
    fields,
    useCommand('space'),
  ],
};
