import { docsTeamSite } from './docs-team-site.js';
import { firstDay } from './first-day.js';
import { holdSessions } from './hold.js';
import { orgAsCode } from './org-as-code.js';
import { terminal } from './terminal.js';

// With every text of the seed, at the widths that show the least that is new, and the one that reads all links most often.
holdSessions(
  [
    ['first-day', firstDay, 60],
    ['first-day', firstDay, 80],
    ['first-day', firstDay, 140],
    ['org-as-code', orgAsCode, 80],
    ['docs-team-site', docsTeamSite, 80],
    ['terminal', terminal, 120],
  ],
  { whole: true },
);
