import { describe, expect, it } from 'vitest';
import {
  checkMessage,
  dayOf,
  markerIn,
  markerLine,
  warningText,
} from '../../../src/workflows/stale/decide.js';
import { Exempt, entriesIn } from '../../../src/workflows/stale/find.js';
import { nowMs, request, user } from './stale-world.js';

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
