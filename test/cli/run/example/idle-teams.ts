import type { Team } from '../../../../src/api/resources/teams.js';
import { checkedReadingOf } from '../../../../src/cli/run/reading-of.js';
import { type Report, unreadEnding } from '../../../../src/cli/run/run-report.js';
import { tablePart } from '../../../../src/document/document.js';
import { showProgress } from '../../../../src/output/progress.js';
import { counted } from '../../../../src/output/text.js';
import { organization } from '../../../../src/snapshot/organization.js';
import { readPartly, type Unread } from '../../../../src/snapshot/unread.js';

/** The report of CONTRIBUTING: what it reads, and what it says. */

interface IdleTeams {
  teams: readonly Team[];
  unread: readonly Unread[];
}

export const idleTeamsReport: Report<IdleTeams> = {
  async read({ session, input }) {
    const reading = await checkedReadingOf(session, input);
    const what = { kind: 'teams-of', id: reading.organizationId };
    const { items, unread } = await showProgress(session, 'Reading teams', () =>
      readPartly(organization(reading).teams(), reading, what),
    );
    return { teams: items.filter(({ spaces }) => spaces === 0), unread };
  },
  document: ({ teams }) => ({
    title: 'Teams without access',
    parts: [
      tablePart(
        'Teams',
        { Team: 'text', Members: 'count', ID: 'id' },
        {
          rows: teams.map(({ title, members, id }) => [title, members, id]),
          empty: 'Every team has access.',
        },
      ),
    ],
  }),
  rows: ({ teams }) => teams,
  end: ({ teams, unread }) => ({
    note: `${counted(teams.length, 'team')} without access.`,
    ...unreadEnding(unread, 'Not all teams were read.', 'docs teams list'),
  }),
};
