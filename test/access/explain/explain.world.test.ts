import { describe, expect, test } from 'vitest';
import type { Explanation, Layer } from '../../../src/access/person.js';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { seedId } from '../../sandbox/client.js';
import { accessWorldOfFile, person, space } from '../access-world.js';

/** `docs access explain`. Goran is a guest; Deniz is in Writers, which is granted edit in API Reference. */

const world = await accessWorldOfFile();
const explain = (...words: string[]) => world.json<Explanation>(['access', 'explain', ...words]);
/** A run about a person in a space. */
const ran = (who: string, where: string, options?: Parameters<typeof world.docs>[1], ...words: string[]) =>
  world.docs(['access', 'explain', person(who), `space:${space(where)}`, ...words], options);
const layer = (name: string, role: string, why: string, more: Partial<Layer> = {}) => ({
  ...{ layer: name, role, decides: false, shadowed: false, why },
  ...more,
});

describe('a space', () => {
  test('is explained layer by layer', async () => {
    expect(await explain('emil@acme.example', `space:${space('api')}`)).toEqual({
      person: {
        ...{ id: person('emil'), email: 'emil@acme.example', displayName: 'Émil Laurent' },
        ...{ role: 'comment', disabled: false },
      },
      resource: { object: 'space', id: space('api'), title: 'API Reference' },
      ...{ role: 'read', atLeast: false, reason: 'default' },
      why: 'Organization role and default levels explain it: the space API Reference has the default level read.',
      layers: [
        layer('organization-role', 'comment', 'caps default levels'),
        layer('grant', 'unknown', 'a grant of read or less would not show'),
        layer('space', 'read', 'default level read', {
          ...{ id: space('api'), title: 'API Reference', level: 'read', decides: true },
        }),
        layer('collection', 'comment', 'shadowed by space API Reference', {
          ...{ id: seedId('collection product'), title: 'Product', level: 'inherit', shadowed: true },
        }),
        layer('organization', 'comment', 'shadowed by space API Reference', { shadowed: true }),
      ],
      publications: [
        {
          site: { id: seedId('site docs'), title: 'Acme Docs' },
          ...{ siteSpace: expect.any(String), published: true, visibility: 'public' },
          url: 'https://docs.acme.example/api/api/',
          conditions: ['visitor.claims.beta'],
          readers: 'anyone, and search engines may index it',
        },
      ],
      notRead: [],
    });
  });

  test('names the teams through which a role may be granted', async () => {
    const found = await explain(person('deniz'), `space:${space('api')}`);
    expect(found).toMatchObject({
      role: 'edit',
      reason: 'granted',
      teams: [{ id: seedId('team writers'), title: 'Writers' }],
      why: 'Granted to them or to their team (Writers); the platform does not show which. Default levels alone give read.',
    });
    expect(found.layers.find(({ decides }) => decides)?.layer).toBe('grant');
  });

  test.each([
    ['a guest with a grant', 'goran', 'guide', 'read', 'granted'],
    ['a guest without', 'goran', 'api', null, 'none'],
    ['nobody but those with a grant', 'deniz', 'board', null, 'none'],
    ['an admin', 'ada', 'board', 'admin', 'admin'],
    ['a grant in a private space', 'chiara', 'board', 'edit', 'granted'],
  ])('%s', async (_, name, key, role, reason) => {
    expect(await explain(person(name), `space:${space(key)}`)).toMatchObject({ role, reason });
  });

  test('is found by its title and address, and its kind is found out', async () => {
    for (const named of ['API Reference', `https://app.sandbox.example/s/${space('api')}`]) {
      const ran = await world.docs(['access', 'explain', 'Emil@acme.example', named, '--by-title', '--json']);
      expect(JSON.parse(ran.stdout), named).toMatchObject({ resource: { id: space('api') } });
    }
    expect((await explain(person('emil'), seedId('site docs'))).resource.object).toBe('site');
  });

  test('whose collection cannot be read is explained in part, and exits 3', async () => {
    world.refuse(/\/collections\//, 403);
    const { code, stdout, stderr } = await ran('emil', 'guide', {}, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ role: 'comment', reason: 'unknown' },
      notRead: [expect.stringContaining(seedId('collection product'))],
    });
    // No job ran.
    expect(stderr).not.toContain('docs jobs');
    const details = { unknown: 1, failures: 1 };
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'not_all_read', details });
  });

  test('in which the role cannot be read is unknown, and exits 3', async () => {
    world.refuse(/\/members\/[^/]+\/spaces/);
    const { code, stdout } = await ran('emil', 'api', {}, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ role: 'unknown', reason: 'unknown' });
  });

  test('whose sites cannot be read keeps the role, and exits 3', async () => {
    world.refuse(/\/sites\?/, 403);
    const { code, stdout, stderr } = await ran('emil', 'api', { columns: 80 });
    expect(code).toBe(3);
    expect(stdout).toContain('On no site that could be read.');
    expect(stderr).toContain('Not read: sites ');
  });
});

test('a disabled member is said to be disabled, also on a site', async () => {
  const id = person('emil');
  const db = await openDatabase(world.sandbox.file);
  const set = (disabled: number) => db.run('UPDATE members SET disabled = ? WHERE user_id = ?', disabled, id);
  set(1);
  const places = [`space:${space('api')}`, `site:${seedId('site docs')}`];
  const explanations = [await explain(id, places[0] ?? ''), await explain(id, places[1] ?? '')];
  set(0);
  for (const { person: who, role, why } of explanations) {
    expect(who.disabled).toBe(true);
    expect(role).not.toBeNull();
    expect(why).toMatch(/ The member is disabled; the platform still lists this role\.$/);
  }
  db.close();
  expect((await explain(id, `space:${space('api')}`)).why).not.toContain('disabled');
});

describe('a collection and a site', () => {
  test('a collection tells at least what levels give', async () => {
    const found = await explain(person('emil'), `collection:${seedId('collection product')}`);
    expect(found).toMatchObject({ role: 'comment', atLeast: true, resource: { object: 'collection' } });
  });

  test('a site tells what the organization role permits, and who can read it', async () => {
    const permits = async (name: string) =>
      (await explain(person(name), `site:${seedId('site docs')}`)).permits;
    expect(await permits('ada')).toContain('sites.delete');
    expect(await permits('bruno')).toContain('site-spaces.create');
    expect(await permits('bruno')).not.toContain('sites.delete');
    expect(await permits('farah')).not.toContain('site-spaces.create');
    expect(await permits('goran')).toBeUndefined();
    expect(await explain(person('farah'), `site:${seedId('site docs')}`)).toMatchObject({
      role: 'read',
      audience: { published: true, visibility: 'public', url: 'https://docs.acme.example/' },
    });
  });
});

test('where the token cannot see the space, its sites are not claimed to be none', async () => {
  const { code, stdout } = await ran('emil', 'api', { as: 'guest' }, '--json');
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ role: 'read', publications: [] },
    notRead: expect.arrayContaining([expect.stringContaining('spaces that this token cannot see')]),
  });
});

describe('what is typed and printed', () => {
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

  test('on a terminal an explanation fits its window', async () => {
    const { stdout } = await ran('deniz', 'api', { columns: 72 });
    expect(stdout).toMatch(/^Deniz Yıldız \(deniz@acme\.example\): edit in space API Reference/);
    expect(stdout).toMatch(/^│ → grants {15}edit /m);
    expect(stdout).toMatch(/^│ {3}collection Product {3}edit {2}shadowed by space API/m);
    expect(stdout).toContain('\n└ edit, by grants\n');
    expect(stdout).toMatch(/^On site Acme Docs /m);
    expect(widest(stdout)).toBeLessThanOrEqual(72);
  });

  test('in a pipe with -o table it is the same text, and ends its last line', async () => {
    const { stdout } = await ran('deniz', 'api', {}, '-o', 'table');
    expect(stdout).toBe((await ran('deniz', 'api', { columns: 80 })).stdout);
    expect(stdout).toMatch(/\n│ → grants [\s\S]*[^\n]\n$/);
  });

  test('in a narrow window the words of a layer go below it', async () => {
    const { stdout } = await ran('deniz', 'api', { columns: 40 });
    const below =
      '\n│   organization role    edit\n│     caps default levels; shadowed by\n│     the grant\n';
    expect(stdout).toContain(below);
    expect(widest(stdout)).toBeLessThanOrEqual(40);
  });

  test('in a pipe it is one line', async () => {
    const { stdout } = await ran('deniz', 'api');
    expect(stdout).toMatch(/^deniz@acme\.example\tspace\tAPI Reference\tedit\tgranted\t[^\t]+\t\w+\t\w+\n$/);
  });

  test.each([
    ['a member that is not there', ['nobody', `space:${space('api')}`], 6],
    ['an email that is not there', ['nobody@acme.example', `space:${space('api')}`], 6],
    ['a resource that is not there', [person('emil'), 'space:nothing'], 6],
    ['an id of no kind', [person('emil'), 'nothing'], 6],
    ['a title in a script', [person('emil'), 'API Reference'], 2],
    ['another kind', [person('emil'), 'team:t1'], 2],
  ])('%s is refused', async (_, words, code) => {
    const refused = await world.docs(['access', 'explain', ...words]);
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(/^error: /) });
  });

  test.each([
    ['create', 0],
    ['review', 0],
    ['edit', 0],
    ['comment', 0],
    ['read', 0],
    // A guest sees the space that was granted, not the collection around it.
    ['guest', 3],
    ['other-org', 6],
  ])('with the token of %s it exits %d', async (as, code) => {
    const found = await ran('goran', 'guide', { as }, '--json');
    expect(found.code).toBe(code);
    if (code !== 6) expect(JSON.parse(found.stdout)).toMatchObject({ role: 'read', reason: 'granted' });
  });
});
