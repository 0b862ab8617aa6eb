import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { closed, oneOf, text } from '../output/printed-shapes.js';
import { reads } from './plan/operations.js';
import { folderOptions } from './plan/options.js';

export const adopt = manual({
  name: 'adopt',
  summary: 'Adopt items of the platform that files name',
  guide: 'organization-as-code',
  why:
    'For items that docs plan could not match, since several have the same title, or none has: writes their ids ' +
    'into docs.lock.json. Checks that each exists, is of that kind, and belongs to no other key.',
  args: { '<item...>': 'Key and id: teams/writers=t1' },
  options: folderOptions(),
  operations: reads,
  returns: Type.Array(closed({ id: text, item: text, title: text, status: oneOf('adopted', 'kept') })),
  columns: ['item', 'id', 'title', 'status'],
  exits: ['not-found'],
  examples: {
    'adopt teams/writers=t1': 'tie the team writers to one that exists',
    'adopt sections/acme-docs/guides=x1 --dry-run': 'check it without writing',
  },
  danger: 'change',
  effect: 'local',
  async run(session, input, { view }) {
    await (await import('./plan/adopt.js')).adoptItems(session, input, view);
  },
});
