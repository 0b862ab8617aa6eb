import { Holder } from '../../access/pair.js';
import { getCollection } from '../../api/resources/collections.js';
import { listMemberSpaces, listMembers, listMemberTeams } from '../../api/resources/members.js';
import { getSpace } from '../../api/resources/spaces.js';
import { listTeamMembers } from '../../api/resources/team-members.js';
import { listTeams } from '../../api/resources/teams.js';
import { roles } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, option } from '../../cli/declare/standing-flags.js';
import { limitOption } from './limit.js';

/** `docs access who`. */
export const who = manual({
  name: 'who',
  summary: 'List everybody with a role in a space, by role',
  why:
    'Asks the platform for the role of every member, and tells what gives it: the organization role, a ' +
    'default level or a grant.',
  args: { '<space...>': { description: 'Spaces, by id or title', kind: 'space' } },
  options: [
    option('--role <role>...', 'Only people with this role', { choices: roles, closed: true }),
    concurrencyOption,
    limitOption,
    contextOption('organizationId'),
  ],
  operations: [
    listMembers,
    listMemberSpaces,
    getSpace,
    getCollection,
    listTeams,
    listTeamMembers,
    listMemberTeams,
  ],
  returns: Type.Array(Holder),
  columns: [
    { path: 'person.displayName', label: 'PERSON', keep: true },
    { path: 'role', keep: true },
    { path: 'via', as: 'state', keep: true },
    { path: 'space.title', label: 'SPACE', keep: true },
    { path: 'person.email', label: 'EMAIL' },
    { path: 'person.id', as: 'id' },
  ],
  id: 'person.id',
  empty: 'Nobody has a role.',
  exits: ['partial'],
  examples: {
    'access who s1': 'list everybody with a role in a space',
    'access who s1 s2 --role admin -o csv': 'export the admins of two spaces',
    'access who s1 --jq \'map(select(.via == "granted"))\'': 'find the roles that no default level explains',
  },
  async run(session, input, { view }) {
    await (await import('./who-run.js')).listHolders(session, input, view);
  },
});
