import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/workflows/stale/decide.js';
import {
  ago,
  comment,
  dayMs,
  discussion,
  nowMs,
  reply,
  request,
  terms,
  user,
  warning,
} from './stale-world.js';

/** What becomes of a change request: each kind of sign of life, and each way to count it wrongly. */

const action = (...given: Parameters<typeof decide>) => decide(...given)?.action;

describe('without a warning', () => {
  it('warns once nothing happened for the whole time, to the millisecond', () => {
    const at = (ms: number) => request({ updatedAt: new Date(nowMs - ms).toISOString() });
    expect(decide(at(terms.olderThanMs), discussion(), terms)).toEqual({
      action: 'warn',
      why: 'nothing new for 60 days',
      lastMs: nowMs - terms.olderThanMs,
      archiveAfter: '2026-12-07',
    });
    expect(decide(at(terms.olderThanMs - 1), discussion(), terms)).toBeUndefined();
  });

  it('counts every sign of life, on old comments, too', () => {
    const reaction = { emoji: '👍', count: 1, users: [{ user: user('bo'), reactedAt: ago(3) }] };
    const old = comment(80, { replies: 1 });
    for (const lively of [
      discussion([comment(3)]),
      discussion([comment(80, { editedAt: ago(3) })]),
      discussion([comment(80, { status: 'resolved', resolvedAt: ago(3) })]),
      discussion([comment(80, { reactions: [reaction] })]),
      discussion([old], [[old.id, [reply(3)]]]),
      discussion([old], [[old.id, [reply(70, { reactions: [reaction] })]]]),
    ])
      expect(decide(request(), lively, terms)).toBeUndefined();
    expect(action(request(), discussion([old], [[old.id, [reply(70)]]]), terms)).toBe('warn');
  });

  it('takes a time that it cannot read for now', () => {
    expect(decide(request({ updatedAt: 'yesterday' }), discussion(), terms)).toBeUndefined();
    expect(decide(request(), discussion([comment(80, { postedAt: '' })]), terms)).toBeUndefined();
  });

  it('takes no comment of somebody else for a warning, whatever its text', () => {
    const forged = warning(70, request(), { postedBy: user('mallory') });
    expect(action(request(), discussion([forged]), terms)).toBe('warn');
    expect(
      action(request(), discussion([warning(20, request(), { postedBy: user('mallory') })]), terms),
    ).toBe(undefined);
  });

  it('takes no comment that became a warning by an edit for one', () => {
    const edited = warning(70, request(), { editedAt: ago(65) });
    expect(action(request(), discussion([edited]), terms)).toBe('warn');
  });
});

describe('with a warning', () => {
  const about = request();
  const at = (days: number) => discussion([warning(days, about)]);

  it('waits until both its time and its promise are over', () => {
    expect(decide(about, at(13.9), terms)).toMatchObject({ action: 'warned', archiveAfter: '2026-11-23' });
    expect(action(about, at(14), terms)).toBe('archive');
    expect(action(about, at(14), { ...terms, archive: false })).toBe('due');
    // Whoever was told two weeks has two weeks, and a longer time of a later run counts, too.
    expect(action(about, at(8), { ...terms, warnMs: 7 * dayMs })).toBe('warned');
    expect(action(about, at(14), { ...terms, warnMs: 30 * dayMs })).toBe('warned');
  });

  it('does not take the time that the warning itself left for news', () => {
    const moved = request({ updatedAt: ago(20), comments: 1 });
    expect(action(moved, discussion([warning(20, moved)]), terms)).toBe('archive');
    expect(decide(request({ updatedAt: ago(19.9) }), at(20), terms)).toMatchObject({
      action: 'spared',
      why: 'an update since the warning of 2026-11-03',
    });
  });

  it.each([
    ['a new revision', request({ revision: 'r2' }), []],
    ['another subject', request({ subject: 'Fix it' }), []],
    ['another status', request({ status: 'draft' }), []],
    ['a comment', about, [comment(10)]],
    ['a comment of the very moment', about, [comment(20)]],
    ['an old comment that was resolved', about, [comment(80, { status: 'resolved', resolvedAt: ago(10) })]],
  ] as const)('spares what has %s since', (_, now, more) => {
    expect(action(now, discussion([...more, warning(20, about)]), terms)).toBe('spared');
  });

  it('spares what was answered by a reply, a reaction or by resolving the warning', () => {
    const answered = warning(20, about, { replies: 1 });
    expect(action(about, discussion([answered], [[answered.id, [reply(10)]]]), terms)).toBe('spared');
    const resolved = warning(20, about, { status: 'resolved', resolvedAt: ago(10) });
    expect(action(about, discussion([resolved]), terms)).toBe('spared');
    const reactions = [{ emoji: '👍', count: 1, users: [{ user: user('ada'), reactedAt: ago(10) }] }];
    expect(action(about, discussion([warning(20, about, { reactions })]), terms)).toBe('spared');
  });

  it('starts again after it was spared: warned from the newest sign of life on, archived from the new warning on', () => {
    const spared = [comment(62), warning(80, about)];
    expect(action(about, discussion([comment(59), warning(80, about)]), terms)).toBe('spared');
    expect(action(about, discussion(spared), terms)).toBe('warn');
    expect(action(about, discussion([warning(1, about), ...spared]), terms)).toBe('warned');
    expect(action(about, discussion([warning(15, about), ...spared]), terms)).toBe('archive');
  });

  it('leaves alone what is exempt, and says why', () => {
    expect(decide(about, at(20), terms, 'named by --exempt')).toMatchObject({
      action: 'exempt',
      why: 'named by --exempt',
    });
    expect(decide(request({ updatedAt: ago(1) }), discussion(), terms, 'named by --exempt')).toBeUndefined();
  });
});
