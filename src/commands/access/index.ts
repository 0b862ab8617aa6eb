import { AccessDifference, Explanation, Holder, Pair, WhatIfRow } from '../../access/person.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import { getCollection } from '../../api/resources/collections.js';
import {
  getMember,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  listTeamMembers,
} from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSectionGroups, listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { getSite, listSites } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { getTeam, listTeams } from '../../api/resources/teams.js';
import { roles } from '../../api/shapes.js';
import {
  concurrencyOption,
  contextOption,
  exitCodeOption,
  failOnChange,
  type Group,
  htmlOption,
  option,
  paceOption,
  partsOptions,
  report,
  shardOption,
  Type,
} from '../../cli/run/report.js';

const limitOption = option('-L, --limit <n>', 'Maximum number of rows; default: all', {
  number: 'count',
});

/** `docs impact access`. */
export const whatIf = report({
  name: 'access',
  summary: 'Show who gains and who loses access by a change',
  why:
    'Changes nothing; flags can be repeated and combined. The API does not return grants: if one may still ' +
    'give the role, the change is marked as not certain, and to is the lowest role that the person can ' +
    'have.',
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
    { path: 'from', lead: true },
    { path: 'to', keep: true },
    { path: 'certain', keep: true },
    { path: 'change', as: 'state' },
    { path: 'most', label: 'AT MOST' },
    { path: 'person.email', label: 'EMAIL' },
    { path: 'person.id', as: 'id' },
    { path: 'space.id', as: 'id' },
  ],
  id: 'person.id',
  empty: 'No one gains or loses access.',
  examples: {
    'impact access --role ada@acme.example=read': 'show the access that a member loses with a lower role',
    'impact access --level s1=none': 'show who loses access when a space is closed to the organization',
    'impact access --remove-team u1=t1 --delete-team t2': 'combine two changes of teams',
    "impact access --delete-team t1 --jq 'map(select(.certain | not))'":
      'list the roles that may be lost with a team',
  },
  load: async () => (await import('./lists.js')).whatIfReport,
});

/** `docs access matrix`. */
const matrix = report({
  name: 'matrix',
  summary: 'Show the role of every person in every space',
  why:
    'A table or CSV has a row per person and a column per space; JSON and --fields have a row per pair, ' +
    'with role null for none. Save the JSON to compare it later with docs access diff.',
  options: [
    option('-s, --space <space>...', 'Only this space'),
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
  media: ['html'],
  returns: Type.Array(Pair),
  columns: [
    { path: 'person.displayName', label: 'PERSON' },
    { path: 'person.email', label: 'EMAIL' },
    { path: 'space.title', label: 'SPACE', lead: true },
    { path: 'role', lead: true },
    { path: 'person.id', as: 'id' },
    { path: 'space.id', as: 'id' },
  ],
  id: 'person.id',
  empty: 'No members.',
  examples: {
    'access matrix -o csv': 'export people by spaces for a spreadsheet',
    'access matrix --json > monday.json': 'save the matrix to compare it later',
    'access matrix --quiet --html access.html': 'make a page that shows why people have their roles',
    'access matrix --shard 1/2 --parts parts': 'read one half of the people, to join both later',
    'access matrix --collection c1 --role admin': 'show the admins of the spaces of a collection',
    'access matrix -o csv --fields person.email,space.title,role': 'export one row for each pair',
  },
  load: async () => (await import('./matrix.js')).matrixReport,
});

/** `docs access explain`. */
const explain = report({
  name: 'explain',
  summary: 'Explain the role of a person in a space or on a site',
  why:
    'Prints each layer in order of precedence, with the one that decides and those it shadows. A grant ' +
    'lists the teams it may have come through, since the API does not return which.',
  args: {
    '<person>': { description: 'Member, by id or email', kind: 'member' },
    '<resource>': {
      description: 'Space, collection or site; space:<id>, collection:<id> and site:<id> save requests',
      kind: 'space',
      otherKinds: ['collection', 'site'],
    },
  },
  options: [contextOption('organizationId')],
  operations: [
    getMember,
    listMembers,
    listMemberSpaces,
    listMemberTeams,
    getSpace,
    getCollection,
    getSite,
    listSites,
    listSiteSpaces,
    listSections,
    listSectionGroups,
  ],
  returns: Explanation,
  columns: [
    { path: 'person.email', label: 'PERSON' },
    { path: 'resource.object', label: 'KIND' },
    { path: 'resource.title', label: 'RESOURCE' },
    'role',
    'reason',
    'why',
    { path: 'person.id', as: 'id' },
    { path: 'resource.id', as: 'id' },
  ],
  id: 'resource.id',
  examples: {
    'access explain ada@acme.example s1': 'explain the role of a member in a space',
    'access explain u1 collection:c1 --json': 'print the layers as JSON',
    'access explain u1 site:w1': 'show the role of a member on a site, and who can read it',
  },
  load: async () => (await import('./explain.js')).explainReport,
});

/** `docs access who`. */
const who = report({
  name: 'who',
  summary: 'List the people with a role in a space, by role',
  why: 'Reads the role of every member and shows its source: the organization role, a default level or a grant.',
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
  empty: 'No one has a role.',
  examples: {
    'access who s1': 'list the people with a role in a space',
    'access who s1 s2 --role admin -o csv': 'export the admins of two spaces',
    'access who s1 --jq \'map(select(.via == "granted"))\'': 'find the roles that no default level explains',
  },
  load: async () => (await import('./lists.js')).whoReport,
});

/** `docs access diff`. */
const diff = report({
  name: 'diff',
  summary: 'List the changes between two saved access matrices',
  why:
    'Compares two outputs of docs access matrix (JSON, NDJSON or CSV) made with the same flags. A role ' +
    'that is unknown or missing in either matrix is shown but not counted as a change.',
  args: {
    '<a>': { description: 'The earlier matrix; - for stdin', path: { use: 'reads' } },
    '<b>': { description: 'The later one; - for stdin', path: { use: 'reads' } },
  },
  options: [failOnChange, exitCodeOption, limitOption],
  returns: Type.Array(AccessDifference),
  columns: [
    { path: 'change', as: 'state', lead: true },
    { path: 'person.displayName', label: 'PERSON', keep: true },
    { path: 'space.title', label: 'SPACE', keep: true },
    { path: 'from', lead: true },
    { path: 'to', lead: true },
    { path: 'person.email', label: 'EMAIL' },
    { path: 'person.id', as: 'id' },
    { path: 'space.id', as: 'id' },
  ],
  id: 'person.id',
  empty: 'No differences.',
  exits: ['findings'],
  examples: {
    'access diff monday.json tuesday.json': 'list the access that people gained and lost in a day',
    'access diff approved.json - --fail-on change < today.json': 'fail a pipeline on changes of access',
    'access diff monday.json tuesday.json --jq \'.[] | select(.change == "lost")\'': 'list only lost access',
  },
  load: async () => (await import('./diff.js')).diffReport,
});

export const access: Group = {
  name: 'access',
  summary: 'Explain who can do what, and why',
  guide: 'access',
  why:
    'Works out roles from organization roles, default levels, teams, and the role of each member in each ' +
    'space. Roles that could not be read are listed as unknown, and the exit code is 3.',
  commands: [explain, who, matrix, diff],
};
