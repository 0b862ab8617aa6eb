import { describe, expect, it } from 'vitest';
import { checkMessage, decide, warningText } from '../../../src/workflows/stale/decide.js';
import { ago, comment, discussion, nowMs, request, terms, user, warning } from './stale-world.js';

/** Warnings that the platform did not keep whole: nobody is commented on for ever. */

const lead = { postedBy: user('lead') };
const own = request();
const text = warningText({ request: own, nowMs, lastMs: nowMs, archiveAfter: '2026-12-07' });
const changed = (markdown: string) => comment(70, { ...lead, body: { markdown } });
const action = (...comments: Parameters<typeof discussion>[0] & object) =>
  decide(own, discussion(comments), terms)?.action;

describe('a warning whose marker is damaged', () => {
  it.each([
    ['cut off', text.replace(/, state .*/s, '`')],
    ['removed', text.replace(/`docs-stale.*/s, '')],
    ['followed by a line', `${text}\n\nSent by a robot`],
    [
      'escaped and wrapped',
      text.replace('docs-stale: warned', 'docs\\-stale:\nwarned').replace('state', 'st'),
    ],
  ])('is not followed by another: %s', (_, markdown) => {
    const found = changed(markdown);
    expect(decide(own, discussion([found]), terms)).toMatchObject({
      ...{ action: 'damaged', comment: found.id, why: 'the warning of 2026-09-14 has lost its marker' },
    });
  });

  it('matters only where a warning would be posted', () => {
    const young = request({ updatedAt: ago(3) });
    expect(decide(young, discussion([changed(text.slice(0, -9))]), terms)).toBeUndefined();
  });

  it('is settled once somebody resolves or edits it, or a whole warning follows', () => {
    const broken = changed(text.slice(0, -9));
    expect(action({ ...broken, status: 'resolved', resolvedAt: ago(69) })).toBe('warn');
    expect(action({ ...broken, editedAt: ago(69) })).toBe('warn');
    expect(action(broken, warning(20, own))).toBe('archive');
  });

  it('is nothing where somebody else wrote it', () => {
    expect(action({ ...changed(text.slice(0, -9)), postedBy: user('mallory') })).toBe('warn');
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
