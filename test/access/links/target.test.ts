import { describe, expect, test } from 'vitest';
import { AddressBook } from '../../../src/access/links/addresses.js';
import type { Link } from '../../../src/access/links/reference.js';
import { targetOf } from '../../../src/access/links/target.js';

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
  const whole = (id: string) => ({ object: 'x', id, title: `Title of ${id}` });

  test.each([
    ['a page', { kind: 'page', space: 's1', page: 'p1' }, { kind: 'page', space: 's1', page: 'p1' }],
    ['a page of its own space', { kind: 'page', page: 'p1' }, { kind: 'page', space: 's9', page: 'p1' }],
    [
      'an anchor',
      { kind: 'anchor', space: 's1', page: 'p1', anchor: '#limits' },
      { kind: 'anchor', space: 's1', page: 'p1', anchor: 'limits' },
    ],
    ['a file', { kind: 'file', space: 's1', file: 'f1' }, { kind: 'file', space: 's1', file: 'f1' }],
    ['a space', { kind: 'space', space: 's1' }, { kind: 'space', space: 's1' }],
    ['a space without a kind', { space: 's1' }, { kind: 'space', space: 's1' }],
    [
      'an anchor that is no text',
      { page: 'p1', anchor: { x: 1 } },
      { kind: 'page', space: 's9', page: 'p1' },
    ],
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
  test.each([
    ['https://app.example.com/o/o1/s/s1', { kind: 'space', space: 's1', via: 'app-address' }],
    [
      'HTTP://APP.example.com/s/s2/a/b?x#c',
      { kind: 'page', space: 's2', path: 'a/b', anchor: 'c', via: 'app-address' },
    ],
    ['//app.example.com/s/s1/~/changes/4/a', { kind: 'page', space: 's1', path: 'a', via: 'app-address' }],
    ['https://eu.app.example.com/s/s1', { kind: 'space', space: 's1', via: 'app-address' }],
    ['https://docs.example.com', { kind: 'site', site: 'w1', via: 'published-address' }],
    [
      'https://docs.example.com/other/x',
      { kind: 'site', site: 'w1', path: 'other/x', via: 'published-address' },
    ],
    [
      'https://docs.example.com/guide#top',
      { kind: 'space', space: 's1', anchor: 'top', via: 'published-address' },
    ],
    [
      'http://docs.example.com/guide/a%20b',
      { kind: 'page', space: 's1', path: 'a b', via: 'published-address' },
    ],
    [
      'https://docs.example.com/guides',
      { kind: 'site', site: 'w1', path: 'guides', via: 'published-address' },
    ],
    ['https://www.example.com/s1', { kind: 'address', via: undefined }],
    ['https://notapp.example.com/s/s1', { kind: 'address', via: undefined }],
    ['https://app.example.com/home', { kind: 'address', via: undefined }],
    ['https://[broken', { kind: 'address', via: undefined }],
    ['mailto:s1@app.example.com', { kind: 'address', via: undefined }],
  ])('%s', (url, expected) => {
    expect(leads({ kind: 'url', url })).toEqual({ ...expected, url });
  });

  test('what the platform calls in-app is in the app, whatever its host', () => {
    expect(leads({ kind: 'url', url: 'https://elsewhere.example/s/s1' }, 'in-app')).toMatchObject({
      space: 's1',
      via: 'app-address',
    });
  });
});
