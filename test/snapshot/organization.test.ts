import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.js';
import { updateSite } from '../../src/api/resources/sites.js';
import { DocsError } from '../../src/base/errors.js';
import { organization } from '../../src/snapshot/organization.js';
import { Tasks } from '../../src/snapshot/tasks.js';
import { allItems, readPartly } from '../../src/snapshot/unread.js';

/** An organization is read as it is asked for, each thing once. */

const what = { kind: 'sites', id: 'o1' };

const { signal } = new AbortController();

/** Two pages of two sites. @param fails whether the second page does */
function world({ fails = false } = {}) {
  const sent: string[] = [];
  const client = createClient({
    async send({ method, path }) {
      const { pathname, searchParams } = new URL(path, 'http://platform');
      const page = searchParams.get('page');
      sent.push(`${method} ${pathname}${page === null ? '' : ` ${page}`}`);
      if (fails && page !== null) throw new DocsError('forbidden', 'forbidden', 'No.');
      const isList = method === 'GET' && !/sites\/\w+$/.test(pathname);
      const ids = page === null ? ['a', 'b'] : ['c', 'd'];
      const items = ids.map((id) => ({ id, title: id }));
      const list = { items, ...(page === null && { next: { page: 'two' } }) };
      return { status: 200, headers: {}, body: isList ? list : { id: 's1' }, attempts: 1 };
    },
    download: () => Promise.reject(new Error('Nothing is downloaded.')),
    close: async () => {},
    platformNowMs: undefined,
  });
  return { sent, client, whole: organization({ client, organizationId: 'o1' }) };
}

const pages = ['GET /v1/orgs/o1/sites', 'GET /v1/orgs/o1/sites two'];

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('nothing is sent before it is asked for', () => {
  const { whole, sent } = world();
  whole.site('s1').sections();
  expect(sent).toEqual([]);
});

test('readers of a list share its requests, at once and later', async () => {
  const { whole, sent } = world();
  const [one, other] = await Promise.all([allItems(whole.sites()), allItems(whole.sites())]);
  expect(ids(one)).toEqual(['a', 'b', 'c', 'd']);
  expect(other).toEqual(one);
  expect(await allItems(whole.sites())).toEqual(one);
  expect(sent).toEqual(pages);
});

test('a list that fails gives all readers what came before, and the failure', async () => {
  const { whole, sent } = world({ fails: true });
  for (const _ of [1, 2]) {
    const { items, unread } = await readPartly(whole.sites(), { signal }, what);
    expect(ids(items)).toEqual(['a', 'b']);
    expect(unread).toMatchObject([{ ...what, error: { code: 'forbidden' } }]);
  }
  await expect(allItems(whole.sites())).rejects.toMatchObject({ code: 'forbidden' });
  expect(sent).toEqual(pages);
});

test('lists with another query are other lists; members are read again each time', async () => {
  const { whole, sent } = world();
  await allItems(whole.sites({ space: 'x' }));
  await allItems(whole.sites());
  for (const _ of [1, 2]) await allItems(whole.members());
  const members = ['GET /v1/orgs/o1/members', 'GET /v1/orgs/o1/members two'];
  expect(sent).toEqual([...pages, ...pages, ...members, ...members]);
});

test('what is on a site is read at once, and each part once', async () => {
  const { whole, sent } = world();
  const site = whole.site('s1');
  const { sections, siteSpaces } = await site.content();
  expect([ids(sections), ids(siteSpaces)]).toEqual([ids(siteSpaces), ['a', 'b', 'c', 'd']]);
  await allItems(whole.site('s1').sections());
  const at = 'GET /v1/orgs/o1/sites/s1';
  expect(sent.slice(0, 3)).toEqual([at, `${at}/sections`, `${at}/site-spaces`]);
  expect(sent).toHaveLength(5);
});

test('changes are never taken from memory', async () => {
  const { whole, sent } = world();
  const input = { path: { organizationId: 'o1', siteId: 's1' }, body: { title: 'T' } };
  for (const _ of [1, 2]) await whole.client.call(updateSite, input);
  expect(sent).toHaveLength(2);
});

const turn = () => new Promise<void>((done) => setImmediate(done));

test('runs so many at once, and the urgent ones first, also those that tasks find', async () => {
  const tasks = new Tasks(2);
  const begun: string[] = [];
  let [now, most] = [0, 0];
  const task =
    (name: string, finds: () => void = () => {}) =>
    async () => {
      begun.push(name);
      now += 1;
      most = Math.max(most, now);
      await turn();
      finds();
      now -= 1;
    };
  tasks.add(task('a', () => tasks.add(task('d'), true)));
  tasks.add(task('b', () => tasks.add(task('e'), true)));
  tasks.add(task('c'));
  tasks.add(task('f'));
  await tasks.ended();
  expect(begun).toEqual(['a', 'b', 'd', 'e', 'c', 'f']);
  expect(most).toBe(2);
});

test('after a failure nothing new begins; what runs ends first', async () => {
  const tasks = new Tasks(2);
  const ended: string[] = [];
  tasks.add(async () => {
    throw new Error('first');
  });
  tasks.add(async () => {
    await turn();
    await turn();
    ended.push('second');
    throw new Error('second');
  });
  tasks.add(async () => void ended.push('third'));
  await expect(tasks.ended()).rejects.toThrow('first');
  expect(ended).toEqual(['second']);
});

test('has ended where there was nothing to do', async () => {
  await new Tasks(8).ended();
});
