import * as api from '../../api/resources/spaces.js';
import type { LazyGroup } from '../../cli/declare/command.js';
import { command, lazy } from '../../cli/declare/define.js';
import {
  besideSpace,
  spaceColumns as columns,
  linkColumns,
  saysTransfer,
  useCommand,
} from '../shared/declarations.js';

export const spaces: LazyGroup = {
  name: 'spaces',
  noun: 'space',
  summary: 'Manage spaces, their fields, links and trash',
  why: 'A space contains pages and files. A deleted space can be restored for 7 days.',
  commands: [
    lazy('list', async () => (await import('./list.js')).listSpaces),
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
        'The space disappears from all lists immediately. docs spaces trash list shows which deleted spaces can ' +
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
      listedBy: 'docs spaces trash list',
      why: 'Takes the id of the deleted space. docs spaces trash list shows the spaces deleted from this machine.',
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
    lazy('fields', async () => (await import('./fields.js')).fields),
    lazy('trash', async () => (await import('./trash.js')).trash),
    useCommand('space', api.getSpace),
  ],
};
