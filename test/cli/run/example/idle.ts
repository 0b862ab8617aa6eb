import { listTeams, Team } from '../../../../src/api/resources/teams.js';
import { contextOption, report, Type } from '../../../../src/cli/run/report.js';

export const idle = report({
  name: 'idle',
  summary: 'List teams without access to any space',
  why: 'Members of such a team get no access from it.',
  options: [contextOption('organizationId')],
  operations: [listTeams],
  media: ['markdown', 'html'],
  returns: Type.Array(Team),
  columns: ['title', 'members', 'createdAt', 'id'],
  examples: { 'teams idle': 'list the teams that nothing is shared with' },
  load: async () => (await import('./idle-report.js')).idleReport,
});
