import { docsTeamSite } from './docs-team-site.js';
import { holdSessions } from './hold.js';

// An editor is another program.
holdSessions([['docs-team-site', docsTeamSite, 80]]);
