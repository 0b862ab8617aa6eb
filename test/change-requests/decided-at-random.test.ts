import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Comment } from '../../src/api/resources/comments.js';
import { decide, markerLine, type Terms } from '../../src/change-requests/stale.js';
import { runs } from '../runs.js';
import { ago, comment, dayMs, discussion, nowMs, request, user } from './stale-world.js';

/**
 * Months of random events on a change request, with the command run each day: it is never archived without a warning
 * of that run's member that is old enough, nor with anything new since; and what is exempt is never touched.
 */

type Event =
  | { kind: 'revision' | 'subject' | 'status' | 'resolve'; day: number }
  | { kind: 'comment' | 'forgery'; day: number; by: string };

const isSaid = (one: Event): one is Extract<Event, { by: string }> => 'by' in one;

const day = fc.integer({ min: 0, max: 200 });
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constantFrom('revision', 'subject', 'status', 'resolve'), day }),
  fc.record({ kind: fc.constantFrom('comment', 'forgery'), day, by: fc.constantFrom('ada', 'bo') }),
);

const history = fc.record({
  events: fc.array(event, { maxLength: 6 }),
  olderThan: fc.integer({ min: 5, max: 60 }),
  warn: fc.integer({ min: 1, max: 20 }),
  /** Whether a comment moves `updatedAt`, which the platform does not say. */
  moves: fc.boolean(),
  exempt: fc.boolean(),
  every: fc.integer({ min: 1, max: 9 }),
});

/** Days go up in a history; `ago` counts them down to the last one. */
const lastDay = 200;
const at = (days: number) => ago(lastDay - days);

test('never archived without a warning, nor with anything new since', () => {
  fc.assert(
    fc.property(history, ({ events, olderThan, warn, moves, exempt, every }) => {
      let now = request({ createdAt: at(0), updatedAt: at(0), comments: 0 });
      const comments: Comment[] = [];
      let [lastLife, warnedOn] = [0, undefined as number | undefined];
      for (let today = 0; today <= lastDay; today += 1) {
        for (const one of events.filter((other) => other.day === today && isPossible(other, comments))) {
          lastLife = today;
          if (isSaid(one))
            comments.push(posted(one.by, today, one.kind === 'forgery' ? marker(now, today, warn) : 'Hm.'));
          else if (one.kind === 'resolve') resolveOne(comments, at(today));
          else if (one.kind === 'revision') now = { ...now, revision: `r${today}` };
          else if (one.kind === 'subject') now = { ...now, subject: `Subject of day ${today}` };
          else now = { ...now, status: now.status === 'open' ? 'draft' : 'open' };
          if (moves || !['comment', 'forgery', 'resolve'].includes(one.kind))
            now = { ...now, updatedAt: at(today) };
        }
        if (today % every !== 0) continue;
        const terms: Terms = {
          ...{ nowMs: nowMs - (lastDay - today) * dayMs + 1, archive: true, warner: 'lead' },
          ...{ olderThanMs: olderThan * dayMs, warnMs: warn * dayMs },
        };
        const found = decide(now, discussion(comments), terms, exempt ? 'named' : undefined);
        if (exempt) expect([undefined, 'exempt']).toContain(found?.action);
        else if (found?.action === 'archive') {
          expect(warnedOn).toBeDefined();
          expect(today - (warnedOn ?? today)).toBeGreaterThanOrEqual(warn);
          expect(lastLife).toBeLessThan(warnedOn ?? 0);
          return;
        } else if (found?.action === 'warn') {
          expect(today - lastLife).toBeGreaterThanOrEqual(olderThan);
          // Never twice for one silence.
          expect(warnedOn === undefined || lastLife >= warnedOn).toBe(true);
          comments.push(posted('lead', today, marker(now, today, warn)));
          if (moves) now = { ...now, updatedAt: at(today) };
          warnedOn = today;
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

function posted(by: string, today: number, markdown: string): Comment {
  // The warning of a day comes after what happened on it.
  const postedAt = new Date(Date.parse(at(today)) + (by === 'lead' ? 1 : 0)).toISOString();
  return comment(0, { postedBy: user(by), postedAt, body: { markdown } });
}

function marker(now: Parameters<typeof markerLine>[0], today: number, warn: number): string {
  const ms = Date.parse(at(today));
  return markerLine(now, ms, new Date(ms + warn * dayMs).toISOString().slice(0, 10));
}

function isPossible({ kind }: Event, comments: readonly Comment[]): boolean {
  return kind !== 'resolve' || comments.some(({ status }) => status === 'open');
}

function resolveOne(comments: Comment[], resolvedAt: string): void {
  const index = comments.findIndex(({ status }) => status === 'open');
  const found = comments[index];
  if (found !== undefined) comments[index] = { ...found, status: 'resolved', resolvedAt };
}
