import type { Team } from '../../../../src/api/resources/teams.js';
import { type Report, type Unread, unreadEnding } from '../../../../src/cli/run/run-report.js';
import { tablePart } from '../../../../src/document/document.js';
import { counted } from '../../../../src/output/text.js';
import { organization } from '../../../../src/snapshot/organization.js';
import { readPartly } from '../../../../src/snapshot/unread.js';

interface IdleTeams {
  teams: readonly Team[];
  unread: readonly Unread[];
}

export const idleReport: Report<IdleTeams> = {
  async read(asked) {
    const reading = await asked.reading();
    const what = { kind: 'teams-of', id: reading.organizationId };
    const { items, unread } = await asked.progress('Reading teams', () =>
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
