import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { seedId } from '../client.js';
import { type Content, withContentFolder } from '../content/content-folder.js';
import * as ops from '../operations.js';
import { addressesIn, attribute, nodesOf, openVisited, type Visited } from './visitor.js';

/** What the pages show, and that no text on them is anything but text. */

let sandbox: Visited & Content;
beforeAll(async () => {
  sandbox = await withContentFolder(openVisited);
});
afterAll(() => sandbox.close());

const org = seedId('org acme');
const [welcome, guide] = [seedId('space welcome'), seedId('space guide')];
const at = (...rest: string[]) => ['/sandbox/orgs', org, ...rest].join('/');

/** Every page and picture that can be reached, by its path. */
async function crawl(from: Visited, start = '/sandbox/'): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const { status, headers, body } = await from.visit(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    found.set(path, body);
    if (!headers['content-type']?.startsWith('text/html')) continue;
    waiting.push(
      ...addressesIn(body).filter((one) => one.startsWith('/') && !one.startsWith('/sandbox/do/')),
    );
  }
  return found;
}

/** One heading, the landmarks, and nothing from elsewhere. */
function expectSound(path: string, body: string): void {
  const nodes = nodesOf(body);
  const named = (name: string) => nodes.filter(({ nodeName }) => nodeName === name);
  // Pictures have titles, too.
  const titles = body.split('</head>')[0]?.match(/<title>/g) ?? [];
  const counts = [named('h1').length, named('main').length, titles.length];
  expect({ path, counts, langs: named('html').map((one) => attribute(one, 'lang')) }).toEqual({
    ...{ path, counts: [1, 1, 1], langs: ['en'] },
  });
  expect({ path, scripts: named('script').map((one) => attribute(one, 'src')) }).toEqual({
    path,
    scripts: ['/sandbox/script.js'],
  });
  const attributes = nodes.flatMap(({ attrs = [] }) => attrs);
  expect(attributes.filter(({ name }) => name.startsWith('on') || name === 'style')).toEqual([]);
  for (const name of ['style', 'iframe', 'object', 'base']) expect(named(name)).toEqual([]);
  for (const picture of named('img')) expect(attribute(picture, 'src')).toMatch(/^\/sandbox\//);
  for (const link of named('a'))
    expect(attribute(link, 'href')).toMatch(/^(?:\/sandbox\/|#|https?:|mailto:)/);
  expect(body).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
}

it('each organization has its own spaces', async () => {
  const globex = seedId('org globex');
  expect((await sandbox.visit(`/sandbox/orgs/${globex}/spaces`)).body).not.toContain('Engineering Handbook');
  expect((await sandbox.visit(`/sandbox/orgs/${globex}/spaces/${welcome}`)).status).toBe(404);
});

describe('a page', () => {
  it.each([
    ['of the organizations', '/sandbox/', ['Title', 'Plan', 'Created']],
    ['of files', at('spaces', welcome, 'files'), ['Name', 'Type', 'Size']],
  ])('%s names what it shows of each', async (_, path, names) => {
    const { body } = await sandbox.visit(path);
    const texts = [...body.matchAll(/<th scope="col"[^>]*>([^<]*)<\/th>/g)].map(([, text]) => text);
    expect(texts).toEqual(names);
  });

  it('shows its text formatted, with links and pictures of the sandbox', async () => {
    const space = (await sandbox.visit(at('spaces', welcome))).body;
    const [first = ''] = addressesIn(space).filter((one) => one.includes('/pages/'));
    const page = (await sandbox.visit(first)).body;
    expect(page).toContain('<h2 id="at-begin-here"');
    expect(page).toMatch(/<a href="[^"]+\/pages\/\w+">quickstart<\/a>/);
    expect(page).toContain('<a href="mailto:support@acme.example"');
    const picture = /<img src="([^"]+)" alt="Logo"/.exec(page)?.[1] ?? '';
    const { status, headers } = await sandbox.visit(picture);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/png' });
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(page).not.toContain('<h2 id="at-welcome"');
  });

  it('leads to pages and files of other spaces, and to nothing that is not there', async () => {
    const pagesOf = async (spaceId: string) =>
      (await sandbox.admin.ok(ops.listPages, { path: { spaceId } })).pages;
    const { items } = await sandbox.admin.ok(ops.listFiles, { path: { spaceId: welcome } });
    const [first] = await pagesOf(welcome);
    const there = [`/files/${items[0]?.id}`, `/pages/${first?.id}`, ''];
    const links = [...there, '/files/none', '/pages/none'].map((rest) => `[to](/spaces/${welcome}${rest})`);
    const url = sandbox.put('abroad.md', `# Abroad\n\n${links.join(' ')}`);
    await sandbox.admin.ok(ops.importContent, {
      path: { spaceId: guide },
      body: { url, source: 'markdown' },
    });
    const abroad = (await pagesOf(guide)).find(({ title }) => title === 'Abroad');
    const { body } = await sandbox.visit(at('spaces', guide, 'pages', abroad?.id ?? ''));
    const shown = [...body.matchAll(/<a href="([^"]*)">to<\/a>/g)].map(([, to]) => to);
    expect(shown).toEqual(there.map((rest) => at('spaces', welcome) + rest));
  });

  it('of a change request shows words removed and added, and what was said', async () => {
    const list = (await sandbox.visit(at('spaces', welcome, 'change-requests'))).body;
    const [request = ''] = addressesIn(list).filter((one) => /change-requests\/\w+$/.test(one));
    const { body } = await sandbox.visit(request);
    expect(body).toMatch(/<ins>\nSign in with /);
    expect(body).toMatch(/<del># FAQ/);
    expect(body).toContain('Please name the role');
    expect(body).toContain('Done: it is the admin.');
  });

  it('of a site shows groups, sections and spaces with their paths', async () => {
    const list = (await sandbox.visit(at('sites'))).body;
    const [site = ''] = addressesIn(list).filter((one) => /sites\/\w+$/.test(one));
    const { body } = await sandbox.visit(site);
    for (const text of ['Developers', '<code>/guides</code>', 'opens first', 'Product Guide'])
      expect(body).toContain(text);
  });

  it('finds members by name', async () => {
    const { body } = await sandbox.visit(`${at('members')}?search=chiara`);
    expect(body).toContain('Chiara Rossi');
    expect(body).not.toContain('Ada Okafor');
  });

  it('shows what was changed just now', async () => {
    await sandbox.admin.ok(ops.createTeam, { path: { organizationId: org }, body: { title: 'Just now' } });
    expect((await sandbox.visit(at('teams'))).body).toContain('Just now');
  });

  it.each([
    ['/sandbox/nothing', 404],
    ['/sandbox/orgs/none', 404],
    [at('spaces', 'none'), 404],
    [at('spaces', guide, 'pages', 'none'), 404],
    [`${at('members')}?page=none`, 400],
    [`${at('spaces')}/../../../v1/orgs`, 404],
  ])('%s answers %i in words', async (path, status) => {
    const answer = await sandbox.visit(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain('<h1>');
  });
});

describe('of everything there is a page, and hostile titles on it', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '\u202eevil\u2066',
    "' onmouseover='x",
    '&lt;b&gt;{{x}}',
  ];
  const long = 'W'.repeat(300);

  it('stay text everywhere', async () => {
    const own = await openVisited();
    const { admin } = own;
    try {
      for (const title of hostile) {
        await admin.ok(ops.createTeam, { path: { organizationId: org }, body: { title } });
        await admin.ok(ops.createCollection, { path: { organizationId: org }, body: { title } });
        await admin.ok(ops.createChangeRequest, { path: { spaceId: welcome }, body: { subject: title } });
        const markdown = `${title}\n\n[a](javascript:alert(1)) <img src=x onerror=alert(1)>\n\n${title}${long}`;
        await admin.ok(ops.createComment, { path: { spaceId: welcome }, body: { body: { markdown } } });
      }
      await admin.ok(ops.updateSpace, { path: { spaceId: welcome }, body: { title: hostile[1] ?? '' } });
      await admin.ok(ops.updateSite, {
        path: { organizationId: org, siteId: own.defaults.site ?? '' },
        body: { title: hostile[0] ?? '' },
      });
      await admin.ok(ops.updateOrg, { path: { organizationId: org }, body: { title: hostile[2] ?? '' } });
      const found = await crawl(own);
      const pages = [...found].filter(([, body]) => body.startsWith('<!doctype html>'));
      expect(pages.length).toBeGreaterThan(80);
      for (const [path, body] of pages) expectSound(path, body);
      expect(found.get(at('teams'))).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>');
      expect(found.get(at('teams'))).toContain('<bdi>&#39; onmouseover=&#39;x</bdi>');
      expect(found.get(at('spaces', welcome, 'comments'))).toContain(
        '<code class="soft">javascript:alert(1)</code>',
      );
    } finally {
      await own.close();
    }
  });
});

it('a long list is shown a page at a time, and leads to all', async () => {
  const db = await openDatabase(sandbox.file);
  db.write(() => {
    for (let count = 0; count < 150; count += 1) {
      const id = `many${count}`;
      const user = 'INSERT INTO users (id, display_name, email, folded) VALUES (?, ?, ?, ?)';
      db.run(user, id, `Many ${count}`, `${id}@x.example`, id);
      const member = "INSERT INTO members (org_id, user_id, role, joined_at) VALUES (?, ?, 'read', 1)";
      db.run(member, org, id);
    }
  });
  db.close();
  const seen = new Set<string>();
  let path: string | undefined = at('members');
  for (let pages = 0; path !== undefined; pages += 1) {
    const { body } = await sandbox.visit(path);
    const addresses = addressesIn(body);
    for (const one of addresses) if (/\/members\/\w+$/.test(one)) seen.add(one);
    expect(body).toMatch(/\d+ of 157/);
    path = addresses.find((one) => /\/members\?page=/.test(one));
    expect(pages).toBeLessThan(5);
  }
  expect(seen.size).toBe(157);
});

it('a deleted space has no page', async () => {
  await sandbox.admin.ok(ops.deleteSpace, { path: { spaceId: guide } });
  expect((await sandbox.visit(at('spaces', guide))).status).toBe(404);
});
