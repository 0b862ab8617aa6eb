import { describe, expect, it } from 'vitest';
import type { Impact, RoleChange } from '../../../src/access/impact/shapes.js';
import { countsOf, summaryOf, together } from '../../../src/access/impact/summary.js';
import { DocsError } from '../../../src/base/errors.js';
import { foundWords } from '../../../src/commands/impact/run.js';
import { lateError } from '../../../src/snapshot/tasks.js';

/** An impact in a few sentences. */

function impact(more: Partial<Impact>): Impact {
  return {
    question: { action: 'delete', things: [{ object: 'space', id: 's1' }] },
    things: [{ object: 'space', id: 's1', title: 'Handbook' }],
    ...{ links: [], urls: [], redirects: [], dependents: [], people: [], looked: [], unknown: [] },
    irreversible: [],
    ...more,
  };
}

function link(space: string, page = 'p1'): Impact['links'][number] {
  const from = { space: { id: space, title: space }, page: { id: page } };
  return { from, to: { kind: 'space', space: 's1' }, via: 'reference', status: 'ok' };
}

function role(id: string, from: RoleChange['from'], to: RoleChange['to'], certain = true): RoleChange {
  return { person: { id }, space: { id: 's1', title: 'Handbook' }, from, to, certain };
}

function url(at: number, becomes?: string): Impact['urls'][number] {
  const known = { url: `https://docs.example/${at}`, site: 'w1', kind: 'page', title: 'Page' } as const;
  return becomes === undefined ? known : { ...known, becomes };
}

it('what was found is counted in words, of each aspect that was looked at', () => {
  const looked: Impact['looked'] = ['links', 'urls', 'dependents', 'people'];
  const found = impact({
    looked,
    links: [link('s2')],
    urls: [url(1), url(2)],
    people: [role('u1', 'edit', 'read')],
  });
  expect(foundWords(found)).toBe('1 link, 2 URLs, 1 change of access');
  expect(foundWords(impact({ looked, urls: [url(1)] }))).toBe('1 URL');
});

describe('the summary', () => {
  it('is empty where nothing was found', () => {
    expect(summaryOf(impact({}))).toEqual([]);
  });

  it('says of a comment that its replies go with it', () => {
    const what = '2 replies to it go with it.';
    const things = [{ object: 'comment' as const, id: 'c1', title: 'c1' }];
    const reply = { kind: 'reply' as const, id: 'c1', title: 'c1', what };
    expect(summaryOf(impact({ things, dependents: [reply] }))).toEqual([what]);
    const more = [reply, { ...reply, id: 'c2', title: 'c2' }, { ...reply, id: 'c3', title: 'c3' }];
    expect(summaryOf(impact({ things, dependents: more }))).toEqual(['3 comments lose their replies.']);
  });

  it('counts links, addresses, what rests on it, and people, each in a sentence', () => {
    const found = impact({
      links: [link('s2'), link('s2', 'p2'), link('s3')],
      urls: [url(1), url(2), url(3, 'https://docs.example/new')],
      dependents: [
        { kind: 'change-request', id: 'r1', what: 'It goes.' },
        { kind: 'change-request', id: 'r2', what: 'It goes.' },
        { kind: 'default', id: 'x', title: 'Docs', what: 'It is the default section of site Docs.' },
      ],
      people: [role('u1', 'read', null), role('u2', 'edit', 'read'), role('u3', 'edit', null, false)],
      irreversible: ['It cannot be restored.'],
    });
    expect(summaryOf(found)).toEqual([
      '3 links in 2 other spaces lead here.',
      '2 published URLs stop working.',
      '1 published URL changes.',
      '2 change requests are pending.',
      'Docs: It is the default section of site Docs.',
      '1 person loses access.',
      '1 person may lose access.',
      '1 person gets a lower role.',
      'It cannot be restored.',
    ]);
    expect(summaryOf(found, { told: new Set(['change-request', 'irreversible', 'default']) })).toEqual([
      '3 links in 2 other spaces lead here.',
      '2 published URLs stop working.',
      '1 published URL changes.',
      '1 person loses access.',
      '1 person may lose access.',
      '1 person gets a lower role.',
    ]);
  });

  it('says what was not looked at, and why', () => {
    const forbidden = new DocsError('forbidden', 'forbidden', 'The platform refused it.');
    const unknown = [
      { kind: 'space', id: 's2', error: lateError() },
      { kind: 'space', id: 's3', error: lateError() },
      { kind: 'members', id: 'o1', error: lateError() },
      { kind: 'site', id: 'w1', error: forbidden },
    ];
    expect(summaryOf(impact({ unknown }), { seconds: 10 })).toEqual([
      'Could not look at 2 spaces and the members within 10 s.',
      'Could not look at 1 site.',
    ]);
  });

  it('lets no title command the terminal', () => {
    const what = 'It is \u001b[31mred\u202e\nand long.';
    const found = impact({ dependents: [{ kind: 'default', id: 'x', title: 'a\u0007b', what }] });
    expect(summaryOf(found)).toEqual(['a␇b: It is ␛[31mred<U+202E> and long.']);
  });
});

describe('several impacts', () => {
  it('are one: what two of them tell counts once, and of a person the gravest change', () => {
    const one = impact({ links: [link('s3')], urls: [url(1)], people: [role('u1', 'edit', 'read')] });
    const other = impact({
      things: [{ object: 'space', id: 's2', title: 'Guide' }],
      links: [link('s3'), link('s4')],
      urls: [url(1), url(2)],
      people: [role('u1', 'edit', null)],
    });
    const all = together([one, other]);
    expect(summaryOf(all)).toEqual([
      '2 links in 2 other spaces lead to these.',
      '2 published URLs stop working.',
      '1 person loses access.',
    ]);
    expect(countsOf(all)).toEqual({ links: 2, urls: 2, people: 1, dependents: {}, unknown: 0 });
  });
});
