import { WhatIfRow } from '../../access/person.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import { getCollection } from '../../api/resources/collections.js';
import { getMember, listTeamMembers } from '../../api/resources/members.js';
import { getSpace } from '../../api/resources/spaces.js';
import { getTeam, listTeams } from '../../api/resources/teams.js';
import { concurrencyOption, contextOption, option, report, Type } from '../../cli/run/report.js';

export const limitOption = option('-L, --limit <n>', 'Maximum number of rows; default: all', {
  number: 'count',
});

/** `docs impact access`. */
export const whatIf = report({
  name: 'access',
  summary: 'Show who gains and who loses access by a change',
  why:
    'Changes nothing; flags can be repeated and combined. The platform does not tell grants, so where one may ' +
    'still give the role, the change is not certain, and to is the role that the person has at least.',
  options: [
    option('--remove-team <person=team>...', 'Take this person out of this team'),
    option('--role <person=role>...', 'Set the organization role: a role, or guest'),
    option(
      '--level <space=role>...',
      'Set the default level of a space or collection: a role, inherit or none',
    ),
    option('--delete-team <team>...', 'Delete this team', { kind: 'team' }),
    concurrencyOption,
    limitOption,
    contextOption('organizationId'),
  ],
  operations: [
    ...spaceListOperations,
    getSpace,
    getCollection,
    getMember,
    getTeam,
    listTeams,
    listTeamMembers,
  ],
  returns: Type.Array(WhatIfRow),
  columns: [
    { path: 'person.displayName', label: 'PERSON', keep: true },
    { path: 'space.title', label: 'SPACE', keep: true },
    'from',
    { path: 'to', keep: true },
    { path: 'certain', keep: true },
    { path: 'change', as: 'state' },
    { path: 'most', label: 'AT MOST' },
    { path: 'person.email', label: 'EMAIL' },
    { path: 'person.id', as: 'id' },
    { path: 'space.id', as: 'id' },
  ],
  id: 'person.id',
  empty: 'Nobody gains or loses access.',
  examples: {
    'impact access --role ada@acme.example=read': 'show what a member loses with a lower role',
    'impact access --level s1=none': 'show who loses access when a space is closed to the organization',
    'impact access --remove-team u1=t1 --delete-team t2': 'combine two changes of teams',
    "impact access --delete-team t1 --jq 'map(select(.certain | not))'": 'list what may be lost with a team',
  },
  load: async () => (await import('./lists.js')).whatIfReport,
});
