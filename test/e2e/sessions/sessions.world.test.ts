import { docsTeam } from './docs-team.js';
import { firstDay } from './first-day.js';
import { holdSessions } from './hold.js';
import { orgAsCode } from './org-as-code.js';
import { terminal } from './terminal.js';

holdSessions([
  ['first-day', firstDay, 80],
  ['org-as-code', orgAsCode, 80],
  ['docs-team', docsTeam, 80],
  ['terminal', terminal, 60],
  ['terminal', terminal, 80],
  ['terminal', terminal, 200],
]);
