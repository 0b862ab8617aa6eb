import { listTeams, Team } from '../../../../src/api/resources/teams.js';
import { Type } from '../../../../src/api/type.js';
import { contextOption } from '../../../../src/cli/declare/flags.js';
import { report } from '../../../../src/cli/run/report.js';

/** The declaration of the report of CONTRIBUTING. */

export const idleTeams = report({
  name: 'idle-teams',
  summary: 'List teams without access to any space',
  why: 'Nobody gets anything by such a team, but its members may think so.',
  options: [contextOption('organizationId')],
  operations: [listTeams],
  media: ['markdown', 'html'],
  returns: Type.Array(Team),
  columns: ['title', 'members', 'createdAt', 'id'],
  examples: { 'orgs idle-teams': 'list the teams that nothing is shared with' },
  load: async () => (await import('./idle-teams.js')).idleTeamsReport,
});
