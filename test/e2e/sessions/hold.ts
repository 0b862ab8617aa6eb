import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { record, type Session } from './record.js';

/** Whether what is "just now" in the guide was shown later than that: on a busy machine a minute is soon over. */
const isSlow = (played: string) => /\b\d+ minutes? ago\b/.test(played);

/**
 * The sessions of the guide are what docs shows: each is played again and compared. After a change that
 * is meant, DOCS_RECORD=1 writes them anew; read what came of it before it is kept.
 * @param whole with all texts of the seed
 */
export function holdSessions(
  sessions: readonly (readonly [string, Session, number])[],
  { whole = false }: { whole?: boolean } = {},
): void {
  it.each(sessions)('$0, on a terminal of $2 columns', async (name, session, columns) => {
    const file = `docs/guide/sessions/${name}-${columns}.txt`;
    let played = '';
    for (let left = 3; left > 0 && (played === '' || isSlow(played)); left -= 1)
      played = `${await record(session, columns, whole)}\n`;
    if (process.env.DOCS_RECORD === '1') writeFileSync(file, played);
    expect(existsSync(file)).toBe(true);
    expect(played).toBe(readFileSync(file, 'utf8'));
    for (const line of played.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
  });
}
