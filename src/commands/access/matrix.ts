import { Pair } from '../../access/pair.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import { getCollection } from '../../api/resources/collections.js';
import { getOrg } from '../../api/resources/orgs.js';
import { getSpace } from '../../api/resources/spaces.js';
import { roles } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import {
  concurrencyOption,
  contextOption,
  htmlOption,
  option,
  paceOption,
  partsOptions,
  shardOption,
} from '../../cli/declare/standing-flags.js';
import { limitOption } from './limit.js';

/** `docs access matrix`. */
export const matrix = manual({
  name: 'matrix',
  summary: 'Show the role of every person in every space',
  why:
    'A table and CSV have people as rows and spaces as columns; JSON and --fields have one row for each pair, ' +
    'with role null for none. Save the JSON to compare it later with docs access diff.',
  options: [
    option('--space <space>...', 'Only this space'),
    option('--collection <collection>...', 'Only the spaces in this collection and those inside it'),
    option('--role <role>...', 'Only pairs with this role', { choices: [...roles, 'none'], closed: true }),
    shardOption,
    ...partsOptions(),
    concurrencyOption,
    paceOption,
    { ...limitOption, conflicts: ['shard'] },
    { ...htmlOption, conflicts: [limitOption.name] },
    contextOption('organizationId'),
  ],
  operations: [...spaceListOperations, getSpace, getCollection, getOrg],
  returns: Type.Array(Pair),
  columns: [
    { path: 'person.displayName', label: 'PERSON' },
    { path: 'person.email', label: 'EMAIL' },
    { path: 'space.title', label: 'SPACE' },
    'role',
    { path: 'person.id', as: 'id' },
    { path: 'space.id', as: 'id' },
  ],
  id: 'person.id',
  empty: 'No members.',
  exits: ['partial'],
  examples: {
    'access matrix -o csv': 'export people by spaces for a spreadsheet',
    'access matrix --json > monday.json': 'save the matrix to compare it later',
    'access matrix --quiet --html access.html': 'make a page that shows why people have their roles',
    'access matrix --shard 1/2 --parts parts': 'read one half of the people, to join both later',
    'access matrix --collection c1 --role admin': 'show the admins of the spaces of a collection',
    'access matrix -o csv --fields person.email,space.title,role': 'export one row for each pair',
  },
  async run(session, input, { view }) {
    await (await import('./matrix-run.js')).showMatrix(session, input, view);
  },
});
