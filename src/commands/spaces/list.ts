import { once, spacePagesOf, spacesIn } from '../../api/organization-spaces.js';
import { listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { listMemberSpaces } from '../../api/resources/members.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import { Space } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, listOptions, option } from '../../cli/declare/standing-flags.js';
import { wholeNumber } from '../../cli/parse/values.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { usageError } from '../../errors.js';

/**
 * `docs spaces list`: the platform has no such operation, so this is a view over others
 * (command-tree, "Notes"). Every space comes once, as soon as it is found.
 */

export const spaceColumns = [
  'title',
  'visibility',
  { path: 'editMode', short: 'EDIT' },
  { path: 'changeRequestsOpen', short: 'OPEN CRS' },
  'comments',
  'updatedAt',
  'id',
] as const;

export const listSpaces = manual({
  name: 'list',
  summary: 'List spaces',
  why:
    'Without a flag, lists every space in the collections (nested ones included) and sites of the ' +
    'organization. The platform has no list of all spaces, so a space in neither is missing.',
  options: [
    option('--collection <id>', 'Only the spaces of this collection', { kind: 'collection' }),
    option('--member <user>', 'Only what this member can access', { conflicts: ['collection'] }),
    ...listOptions().filter((option) => option.name !== 'page'),
    contextOption('organizationId'),
  ],
  operations: [listCollections, listCollectionSpaces, listSites, listSiteSpaces, listMemberSpaces],
  returns: Type.Array(Space),
  columns: spaceColumns,
  empty: 'No spaces.',
  examples: {
    'spaces list': 'list every space of the organization',
    'spaces list --collection c1 -o id': 'print the ids of the spaces in a collection',
    'spaces list --member u1': 'list the spaces a member can access',
  },
  async run(session, { options }, { view }) {
    const { collection, member } = options as { collection?: string; member?: string };
    const most = options.limit === undefined ? undefined : wholeNumber('--limit', options.limit);
    const limit = options.pageSize === undefined ? undefined : pageSize(options.pageSize);
    await session.printer.check(view);
    const org = collection === undefined ? await contextId(session, 'org') : '';
    const client = await session.client({ timeoutPerRequest: true });
    const query = limit === undefined ? {} : { limit };
    const pages =
      collection !== undefined
        ? spacesIn(client, org, { kind: 'collection', id: collection }, query)
        : member !== undefined
          ? spacesIn(client, org, { kind: 'member', id: member }, query)
          : spacePagesOf(client, org, query);
    await session.printer.list(once(pages, most), view, most === undefined ? {} : { limit: most });
  },
});

function pageSize(typed: unknown): number {
  const size = wholeNumber('--page-size', typed);
  if (size > 1000)
    throw usageError('invalid_input', `--page-size must be a number from 1 to 1000, not ${size}.`);
  return size;
}
