import { docsTeam } from './docs-team.js';
import { holdSessions } from './hold.js';
import { orgAsCode } from './org-as-code.js';

// A shell is another program.
holdSessions([
  ['org-as-code', orgAsCode, 80],
  ['docs-team', docsTeam, 80],
]);
