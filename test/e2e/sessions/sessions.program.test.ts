import { docsTeam } from './docs-team.js';
import { docsTeamSite } from './docs-team-site.js';
import { holdSessions } from './hold.js';
import { orgAsCode } from './org-as-code.js';

// An editor and a shell are other programs.
holdSessions([
  ['org-as-code', orgAsCode, 80],
  ['docs-team', docsTeam, 80],
  ['docs-team-site', docsTeamSite, 80],
]);
