import { ChangeRequest, listChangeRequests } from '../../api/resources/change-requests.js';
import { Type } from '../../api/type.js';
import type { Command } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { contextOption, option } from '../../cli/declare/standing-flags.js';
import { runOperation } from '../../cli/run/pipeline.js';
import { closed, text } from '../../output/printed-shapes.js';
import { columns } from './columns.js';
import { watchedRequests } from './watched.js';

/** A change request with the space that it belongs to. */
const SpaceRequest = Type.Object({
  ...ChangeRequest.properties,
  space: closed({ id: text, title: text }),
});

const further = [
  option('--all-spaces', 'List those of every space of the organization, the oldest update first', {
    conflicts: ['space', 'page'],
  }),
  option('--updated-before <time>', 'Only those last updated before this date or span ago: 2026-01-31, 60d'),
  option('--updated-after <time>', 'Only those updated since this date or within this span: 2026-01-31, 7d'),
  contextOption('organizationId'),
];

const inSpace = command({
  name: 'list',
  operation: listChangeRequests,
  why:
    'Lists open change requests unless --status says otherwise. With --all-spaces, spaces whose counters show ' +
    'none are skipped, and those that could not be read are named and exit 3.',
  flags: { contributor: { value: '<user>' } },
  columns,
  watch: watchedRequests,
  examples: {
    'change-requests list --space s1': 'list the open change requests',
    'cr list --space s1 --status draft --contributor u1': 'list the drafts of a contributor',
    'cr list --all-spaces --limit 5': 'list the five that waited longest in all spaces',
    'cr list --all-spaces --updated-before 60d -o csv': 'list those that nobody touched for 60 days',
    "cr list --all-spaces --jq '.[] | [.space.id, .id] | @tsv'": 'print the ids that a loop needs',
  },
});

/** `docs change-requests list`: of one space, as the platform lists them, or of all. */
export const list: Command = {
  ...inSpace,
  options: [...inSpace.options, ...further],
  returns: Type.Array(SpaceRequest),
  exits: ['partial'],
  async run(session, input) {
    const { allSpaces, updatedBefore, updatedAfter } = input.options;
    if ([allSpaces, updatedBefore, updatedAfter].every((typed) => typed === undefined))
      return runOperation(session, inSpace, input);
    const { listOfAll, listUpdated } = await import('./list-run.js');
    if (allSpaces === true) await listOfAll(session, inSpace, input, SpaceRequest);
    else await listUpdated(session, inSpace, input);
  },
};
