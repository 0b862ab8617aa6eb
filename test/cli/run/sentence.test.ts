import { describe, expect, it } from 'vitest';
import { type Command, isGroup, type LazyGroup } from '../../../src/cli/declare/command.js';
import { nameOf, saidFields, titleIn } from '../../../src/cli/run/sentence.js';
import { members } from '../../../src/commands/members/index.js';
import { sites } from '../../../src/commands/sites/index.js';
import { resources } from '../../../src/model/resources.js';

const updateOf = ({ commands }: LazyGroup): Command => {
  const found = commands.find(({ name }) => name === 'update');
  if (found === undefined || 'load' in found || isGroup(found)) throw new Error('no update');
  return found;
};

describe('the fields of a change', () => {
  it('have the values of the answer, not those that were sent', () => {
    expect(saidFields(updateOf(members), { role: 'admin' }, { id: 'u1', role: 'read' })).toEqual({
      words: ['role now read'],
      contradictions: ['The platform answered role read, not admin as sent; read it again to be sure.'],
    });
  });

  it('that the answer leaves out are named without a value', () => {
    const body = { visibility: 'public', title: 'Docs', adaptiveContent: { enabled: true } };
    expect(saidFields(updateOf(sites), body, { id: 'w1' })).toEqual({
      words: ['title', 'visibility', 'adaptive content'],
      contradictions: [],
    });
    expect(saidFields(updateOf(sites), body, undefined).words).toHaveLength(3);
  });

  it('that were unset are removed; an answer that has them still is told', () => {
    expect(saidFields(updateOf(sites), { proxy: null }, { id: 'w1' }).words).toEqual(['proxy removed']);
    const kept = saidFields(updateOf(sites), { proxy: null }, { id: 'w1', proxy: 'acme.com/docs' });
    expect(kept.contradictions).toEqual([
      'The platform answered proxy acme.com/docs, not none as sent; read it again to be sure.',
    ]);
    // An empty text is none: so the platform answers of a space without an emoji.
    const empty = saidFields(updateOf(sites), { proxy: null }, { id: 'w1', proxy: '' });
    expect(empty).toEqual({ words: ['proxy removed'], contradictions: [] });
  });

  it('of a file of input that no flag fills are named, too', () => {
    expect(saidFields(updateOf(sites), { someNewThing: 1 }, {}).words).toEqual(['some new thing']);
  });

  it('survive any answer', () => {
    for (const answer of [null, 7, 'text', [], { role: { a: 1 } }, { role: ['x'] }])
      expect(saidFields(updateOf(members), { role: 'admin' }, answer).words).toEqual(['role']);
  });
});

describe('the name of what was changed', () => {
  it.each([
    [['team', 't1', { title: 'Writers' }], 'team Writers (t1)'],
    [['team', 't1', {}], 'team t1'],
    [['custom field', 'owner', { title: 'owner' }], 'custom field owner'],
    [['change request', 'c1', { title: '"Fix"', number: '#12' }], 'change request #12 "Fix" (c1)'],
    [['change request', '12', {}], 'change request #12'],
    [['change request', '12', { title: '"Fix"' }], 'change request #12 "Fix"'],
    [['change request', '12', { title: '"Fix"', number: '#12' }], 'change request #12 "Fix"'],
    [['team', '\u001b]0;x', { title: 'a' }], 'team a (␛]0;x)'],
  ] as const)('%o', ([noun, id, more], expected) => {
    expect(nameOf(noun, id, more)).toBe(expected);
  });

  it('is a title on one line; a text of somebody in quotes, cut between words', () => {
    expect(titleIn(resources.team, [{ title: 'A\nb\u001b[31m' }])).toBe('A b␛[31m');
    expect(titleIn(resources.comment, [{ body: { markdown: '# Hello\nWorld' } }])).toBe('"Hello…"');
    const long = { body: { markdown: 'word '.repeat(40) } };
    expect(titleIn(resources.comment, [long])).toMatch(/^"(word ){10,}word…"$/);
    expect(titleIn(resources.comment, [{ body: null }, null, 'x'])).toBeUndefined();
  });
});
