import { describe, expect, test } from 'vitest';
import { AddressBook, type Link, targetOf } from '../../../src/access/links/reference.js';

/** What a link leads to, as the platform may tell it. */

const book = new AddressBook();
book.addSpace('s1', 'https://app.example.com/o/o1/s/s1/');
book.addSpace('s2', undefined);
book.addPublished('https://docs.example.com/', { kind: 'site', site: 'w1' });
book.addPublished('https://docs.example.com/guide/', { kind: 'space', space: 's1' });

const leads = (targetReference: object | undefined, status: Link['status'] = 'ok') => {
  const { to, via } = targetOf({ status, ...(targetReference && { targetReference }) }, 's9', book);
  return { ...to, via };
};

describe('references', () => {
  const page = { space: 's1', page: 'p1' };
  const whole = (id: string) => ({ object: 'x', id, title: `Title of ${id}` });

  test.each([
    ['a page', { kind: 'page', ...page }, { kind: 'page', ...page }],
    ['a page of its own space', { kind: 'page', page: 'p1' }, { kind: 'page', space: 's9', page: 'p1' }],
    [
      'an anchor',
      { kind: 'anchor', ...page, anchor: '#limits' },
      { kind: 'anchor', ...page, anchor: 'limits' },
    ],
    ['a file', { kind: 'file', space: 's1', file: 'f1' }, { kind: 'file', space: 's1', file: 'f1' }],
    ['a space', { kind: 'space', space: 's1' }, { kind: 'space', space: 's1' }],
    ['a space without a kind', { space: 's1' }, { kind: 'space', space: 's1' }],
    ['an odd anchor', { page: 'p1', anchor: { x: 1 } }, { kind: 'page', space: 's9', page: 'p1' }],
  ])('%s, by ids and as whole resources', (_, reference, expected) => {
    expect(leads(reference)).toEqual({ ...expected, via: 'reference' });
    const resources = Object.entries(reference).map(([key, value]) => [
      key,
      ['space', 'page', 'file'].includes(key) ? whole(String(value)) : value,
    ]);
    expect(leads(Object.fromEntries(resources))).toEqual({ ...expected, via: 'reference' });
  });

  test.each([
    ['/spaces/s1', { kind: 'space', space: 's1' }],
    ['/spaces/s1/pages/p1', { kind: 'page', space: 's1', page: 'p1' }],
    ['/spaces/s1/pages/p1?x=1#a%20b', { kind: 'anchor', space: 's1', page: 'p1', anchor: 'a b' }],
    ['/spaces/s1/files/f1', { kind: 'file', space: 's1', file: 'f1' }],
    ['/pages/p1', { kind: 'page', space: 's9', page: 'p1' }],
    ['../gone.md', { kind: 'address' }],
    ['/spaces', { kind: 'address' }],
    ['', { kind: 'address' }],
  ])('the address %s of what is not there', (url, expected) => {
    expect(leads({ kind: 'url', url }, 'broken')).toEqual({ ...expected, url, via: 'reference' });
  });

  test('no reference at all leads nowhere', () => {
    expect(leads(undefined, 'broken')).toEqual({ kind: 'address', via: 'reference' });
  });
});

describe('addresses', () => {
  const none = (url: string): [string, undefined, object] => [url, undefined, { kind: 'address' }];
  const inApp = 'app-address';
  const published = 'published-address';
  test.each<[url: string, via: string | undefined, to: object]>([
    ['https://app.example.com/o/o1/s/s1', inApp, { kind: 'space', space: 's1' }],
    ['HTTP://APP.example.com/s/s2/a/b?x#c', inApp, { kind: 'page', space: 's2', path: 'a/b', anchor: 'c' }],
    ['//app.example.com/s/s1/~/changes/4/a', inApp, { kind: 'page', space: 's1', path: 'a' }],
    ['https://eu.app.example.com/s/s1', inApp, { kind: 'space', space: 's1' }],
    ['https://docs.example.com', published, { kind: 'site', site: 'w1' }],
    ['https://docs.example.com/other/x', published, { kind: 'site', site: 'w1', path: 'other/x' }],
    ['https://docs.example.com/guide#top', published, { kind: 'space', space: 's1', anchor: 'top' }],
    ['http://docs.example.com/guide/a%20b', published, { kind: 'page', space: 's1', path: 'a b' }],
    ['https://docs.example.com/guides', published, { kind: 'site', site: 'w1', path: 'guides' }],
    ...['https://www.example.com/s1', 'https://notapp.example.com/s/s1', 'https://app.example.com/home'].map(
      none,
    ),
    ...['https://[broken', 'mailto:s1@app.example.com'].map(none),
  ])('%s', (url, via, to) => {
    expect(leads({ kind: 'url', url })).toEqual({ ...to, url, via });
  });

  test('what the platform calls in-app is in the app, whatever its host', () => {
    expect(leads({ kind: 'url', url: 'https://elsewhere.example/s/s1' }, 'in-app')).toMatchObject({
      space: 's1',
      via: 'app-address',
    });
  });
});
