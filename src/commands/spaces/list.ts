import {
  type Missed,
  once,
  spaceListOperations,
  spacePagesOf,
  spacesIn,
} from '../../api/organization-spaces.js';
import { Space } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, listOptions } from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/option.js';
import { wholeNumber } from '../../cli/parse/plain-values.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { counted } from '../../output/text.js';
import { spaceColumns } from '../shared/declarations.js';

/**
 * `docs spaces list`: the platform has no such operation, so this is a view over others
 * (command-tree, "Notes"). Every space comes once, as soon as it is found.
 */

export const listSpaces = manual({
  name: 'list',
  summary: 'List spaces',
  why:
    'Without a flag, lists the spaces of all collections (nested ones included) and sites, and those that ' +
    'up to three admins can access. The API has no list of all spaces; stderr names what the token may not ' +
    'see.',
  options: [
    option('--collection <id>', 'Only the spaces of this collection', { kind: 'collection' }),
    option('--member <user>', 'Only spaces that this member can access', { conflicts: ['collection'] }),
    ...listOptions().filter((option) => option.name !== 'page'),
    contextOption('organizationId'),
  ],
  operations: [...spaceListOperations],
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
    const missed: Missed[] = [];
    const pages =
      collection !== undefined
        ? spacesIn(client, org, { kind: 'collection', id: collection }, query)
        : member !== undefined
          ? spacesIn(client, org, { kind: 'member', id: member }, query)
          : spacePagesOf(client, org, query, (one) => missed.push(one));
    await session.printer.list(once(pages, most), view, { limit: most });
    for (const line of missedLines(missed)) session.printer.note(line);
  },
});

/** What the token may not see, a sentence each. */
function missedLines(missed: readonly Missed[]): string[] {
  const of = (wanted: Missed['kind']) => missed.filter(({ kind }) => kind === wanted);
  const named = (items: readonly Missed[]) =>
    items.map(({ id, title }) => `${title ?? id} (${id})`).join(', ');
  const [hidden, members] = [of('site-space'), of('member')];
  const some = 'Spaces in no collection and no site may be missing: this token cannot list';
  const lines: string[] = [];
  if (hidden.length > 0)
    lines.push(
      `This token cannot see the space of ${counted(hidden.length, 'site space')}: ${named(hidden)}.`,
    );
  if (of('administrators').length > 0) lines.push(`${some} the administrators.`);
  if (members.length > 0) lines.push(`${some} the spaces of ${named(members)}.`);
  return lines;
}

function pageSize(typed: unknown): number {
  const size = wholeNumber('--page-size', typed);
  if (size > 1000)
    throw usageError('invalid_input', `--page-size must be a number from 1 to 1000, not ${size}`);
  return size;
}
