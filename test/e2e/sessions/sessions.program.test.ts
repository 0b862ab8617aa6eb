import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { docsTeam } from './docs-team.js';
import { docsTeamSite } from './docs-team-site.js';
import { firstDay } from './first-day.js';
import { orgAsCode } from './org-as-code.js';
import { record, type Session } from './record.js';
import { terminal } from './terminal.js';

/** Whether what is "just now" in the guide was shown later than that: on a busy machine a minute is soon over. */
const isSlow = (played: string) => /\b\d+ minutes? ago\b/.test(played);

/**
 * The sessions of the guide are what docs shows: each is played again and compared. After a change that
 * is meant, DOCS_RECORD=1 writes them anew; read what came of it before it is kept.
 */
it.each<[string, Session, number]>([
  ['first-day', firstDay, 60],
  ['first-day', firstDay, 80],
  ['first-day', firstDay, 140],
  ['org-as-code', orgAsCode, 80],
  ['docs-team', docsTeam, 80],
  ['docs-team-site', docsTeamSite, 80],
  ['terminal', terminal, 60],
  ['terminal', terminal, 80],
  ['terminal', terminal, 120],
  ['terminal', terminal, 200],
])(
  '$0, on a terminal of $2 columns',
  async (name, session, columns) => {
    const file = `docs/guide/sessions/${name}-${columns}.txt`;
    let played = '';
    for (let left = 3; left > 0 && (played === '' || isSlow(played)); left -= 1)
      played = `${await record(session, columns)}\n`;
    if (process.env.DOCS_RECORD === '1') writeFileSync(file, played);
    expect(existsSync(file)).toBe(true);
    expect(played).toBe(readFileSync(file, 'utf8'));
    for (const line of played.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
  },
  300_000,
);
