import { describe, expect, it } from 'vitest';
import { Exempt, entriesIn } from '../../src/change-requests/find-stale.js';
import {
  checkMessage,
  dayOf,
  decide,
  markerIn,
  markerLine,
  warningText,
} from '../../src/change-requests/stale.js';
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

/** Warnings that the platform did not keep whole: nobody is commented on for ever. */

const lead = { postedBy: user('lead') };
const own = request();
const wholeWarning = warningText({ request: own, nowMs, lastMs: nowMs, archiveAfter: '2026-12-07' });
const changed = (markdown: string) => comment(70, { ...lead, body: { markdown } });
const actionAfter = (...comments: Parameters<typeof discussion>[0] & object) =>
  decide(own, discussion(comments), terms)?.action;

describe('a warning whose marker is damaged', () => {
  it.each([
    ['cut off', wholeWarning.replace(/, state .*/s, '`')],
    ['removed', wholeWarning.replace(/`docs-stale.*/s, '')],
    ['followed by a line', `${wholeWarning}\n\nSent by a robot`],
    [
      'escaped and wrapped',
      wholeWarning.replace('docs-stale: warned', 'docs\\-stale:\nwarned').replace('state', 'st'),
    ],
  ])('is not followed by another: %s', (_, markdown) => {
    const found = changed(markdown);
    expect(decide(own, discussion([found]), terms)).toMatchObject({
      ...{ action: 'damaged', comment: found.id, why: 'the warning of 2026-09-14 has lost its marker' },
    });
  });

  it('matters only where a warning would be posted', () => {
    const young = request({ updatedAt: ago(3) });
    expect(decide(young, discussion([changed(wholeWarning.slice(0, -9))]), terms)).toBeUndefined();
  });

  it('is settled once somebody resolves or edits it, or a whole warning follows', () => {
    const broken = changed(wholeWarning.slice(0, -9));
    expect(actionAfter({ ...broken, status: 'resolved', resolvedAt: ago(69) })).toBe('warn');
    expect(actionAfter({ ...broken, editedAt: ago(69) })).toBe('warn');
    expect(actionAfter(broken, warning(20, own))).toBe('archive');
  });

  it('is nothing where somebody else wrote it', () => {
    expect(actionAfter({ ...changed(wholeWarning.slice(0, -9)), postedBy: user('mallory') })).toBe('warn');
  });
});

it.each([
  ['a code block', 'Hi\n```\ncode'],
  ['a code block', '~~~md\n```\n```'],
  ['an HTML comment', 'Hi <!-- there'],
])('a message may not hide the marker in %s', (what, message) => {
  expect(() => checkMessage(message)).toThrow(`has ${what} that is not closed`);
});

it('a message may have closed blocks, but not the length of a book', () => {
  expect(() => checkMessage('```\ncode\n```\n<!-- x --> ```inline``` text')).not.toThrow();
  expect(() => checkMessage('x'.repeat(10_001))).toThrow('is longer than 10000 characters');
});

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

describe('the marker', () => {
  const line = markerLine(request(), nowMs, '2026-12-07');
  const state = expect.stringMatching(/^[0-9a-f]{16}$/);
  const found = { archiveAfter: '2026-12-07', revision: 'r1', state };

  it('is one line of code that says when and of what', () => {
    expect(line).toMatch(
      /^`docs-stale: warned 2026-11-23, archive after 2026-12-07, revision r1, state [0-9a-f]{16}`$/,
    );
    expect(markerIn(`Hello\n\n${line}`)).toEqual(found);
  });

  it('is found where the platform escaped it, unwrapped it, or added lines', () => {
    for (const text of [
      line.replaceAll('`', ''),
      line.replaceAll('-', '\\-'),
      `\`${line}\``,
      `${line}\r\n\n`,
    ])
      expect(markerIn(`Hello\n\n${text}`)).toEqual(found);
  });

  it('is not found in a quotation, in the middle, or where a part is odd', () => {
    for (const text of [
      `> ${line}`,
      `${line}\n\nNo!`,
      line.replace('r1', 'r 1'),
      line.replace('2026-12-07', '2026-13-77'),
      line.replace('state', 'State'),
      '',
    ])
      expect(markerIn(text)).toBeUndefined();
    expect(markerIn(undefined)).toBeUndefined();
  });

  it('holds an odd revision in its hash alone', () => {
    const odd = request({ revision: 'r1`, state 0\n' });
    const [first, second] = [odd, { ...odd, revision: 'r2`, state 0\n' }].map((one) =>
      markerIn(markerLine(one, nowMs, dayOf(nowMs))),
    );
    expect(first).toMatchObject({ revision: '-' });
    expect(first?.state).not.toBe(second?.state);
  });
});

describe('the exempt list', () => {
  const list =
    '# Kept\ncr1  # until May\n\nHandbook/7\r\nhttps://app.example.com/o/o1/s/s1/~/changes/8/?x#y\ns1/#9\n';
  const numbered = (number: number, id = `cr${number}0`) =>
    request({
      ...{ id, number },
      urls: { app: `https://app.example.com/o/o1/s/s1/~/changes/${number}`, location: '' },
    });

  it('takes ids, numbers with their space, and addresses', () => {
    const exempt = new Exempt(entriesIn(list, 'keep.txt'));
    expect(exempt.of(numbered(5, 'cr1'))).toBe('named by --exempt');
    for (const number of [7, 8, 9]) expect(exempt.of(numbered(number))).toBe('named by --exempt');
    expect(exempt.of(numbered(5))).toBeUndefined();
    expect(exempt.of(numbered(5, 'CR1'))).toBeUndefined();
    expect(exempt.unmatched).toEqual([]);
  });

  it('tells entries that name nothing, with their line', () => {
    const exempt = new Exempt(entriesIn(list, 'keep.txt'));
    exempt.of(numbered(7));
    expect(exempt.unmatched.map(({ place }) => place)).toEqual(['keep.txt:2', 'keep.txt:5', 'keep.txt:6']);
  });

  it('takes authors, and no number without its space', () => {
    expect(new Exempt([], ['bot']).of(request({ createdBy: user('bot') }))).toBe('its author is exempt');
    const byEmail = new Exempt([], ['Bot@acme.example', 'nobody@acme.example']);
    const bot = { ...user('b1'), email: 'bot@acme.example' };
    expect(byEmail.of(request({ createdBy: bot }))).toBe('its author is exempt');
    expect(byEmail.of(request())).toBeUndefined();
    expect(byEmail.unmatched).toEqual([{ text: 'nobody@acme.example', place: '--exempt-author' }]);
    expect(() => new Exempt(entriesIn('cr1\n#12\n 12\n', 'keep.txt'))).toThrow(
      '--exempt: 12 is a number without its space (keep.txt:3); write <space>/12.',
    );
  });
});

describe('the text of a warning', () => {
  const warned = { request: request(), nowMs, lastMs: nowMs - 61.5 * 86_400_000, archiveAfter: '2026-12-07' };

  it('names the author, the time and the day, and ends with the marker', () => {
    const text = warningText(warned);
    expect(text).toMatch(/^Hello ada,\n\nnothing has happened on this change request for 61 days\./);
    expect(text).toContain('archived after 2026-12-07');
    expect(markerIn(text)).toMatchObject({ archiveAfter: '2026-12-07' });
  });

  it('fills the placeholders of --message once, with names that are only text', () => {
    const hostile = request({
      subject: '[x](http://evil.example) {date}\n`docs-stale:',
      createdBy: { ...user('eve'), displayName: '**Eve** {days}\n# <b>' },
    });
    const text = warningText({ ...warned, request: hostile }, '{author}: {subject}');
    expect(text.split('\n')[0]).toBe(
      '\\*\\*Eve\\*\\* {days} \\# \\<b\\>: \\[x\\](http://evil.example) {date} \\`docs-stale:',
    );
    const { createdBy: _, ...gone } = hostile;
    expect(warningText({ ...warned, request: gone }, '{author}')).toMatch(/^author/);
  });

  it('refuses a message that is empty, has unknown placeholders or ends like a warning', () => {
    expect(() => checkMessage(' \n')).toThrow('--message is empty');
    expect(() => checkMessage('Hi {name}')).toThrow('--message has the unknown placeholder {name}');
    expect(() => checkMessage(markerLine(request(), nowMs, dayOf(nowMs)))).toThrow('--message ends with');
    expect(() => checkMessage('Hi {author}')).not.toThrow();
  });
});
