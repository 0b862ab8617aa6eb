import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placed } from '../../../src/browser/actions.js';
import { openControl } from '../../../src/sandbox/control.js';
import { seedId } from '../client.js';
import * as ops from '../operations.js';
import { openVisited, type Visited } from './visitor.js';

/** What is beside every page: each system with its count, the search over all of them, and the machine. */

let sandbox: Visited;
beforeAll(async () => {
  sandbox = await openVisited();
});
afterAll(() => sandbox.close());

const [org, globex] = [seedId('org acme'), seedId('org globex')];
const guide = seedId('space guide');
const at = (...rest: string[]) => ['/sandbox/orgs', org, ...rest].join('/');

/** Label, count and address of each link at the left. */
function linksIn(body: string): [label: string, count: number | undefined, href: string][] {
  const side = body.split('<main')[0] ?? '';
  const links = side.matchAll(
    /<li><a href="([^"]+)"[^>]*>([^<]+?)(?: <span class="count">([\d,]+)<\/span>)?<\/a>/g,
  );
  return [...links].map(([, href = '', label = '', count]) => [
    label,
    count === undefined ? undefined : Number(count.replaceAll(',', '')),
    href,
  ]);
}

const rowsIn = (body: string) => (body.match(/<tr><th scope="row">/g) ?? []).length;

describe('at the left', () => {
  it('each list has as many things as it says', async () => {
    await sandbox.admin.ok(ops.deleteSpace, { path: { spaceId: guide } });
    const links = linksIn((await sandbox.visit(at())).body);
    const labels = links.map(([label]) => label);
    expect(labels).toEqual([
      ...['Overview', 'Spaces', 'Collections', 'Members', 'Teams', 'Sites', 'Change requests', 'Comments'],
      ...['OpenAPI specs', 'Custom fields', 'SSO and SAML', 'Invites', 'Translations', 'Trash'],
      ...['Requests', 'Clock', 'Faults', 'Seeds and reset', 'Tokens'],
    ]);
    const lists = links.filter(([label, count]) => count !== undefined && label !== 'Spaces');
    expect(lists.map(([, count]) => count)).toEqual(expect.arrayContaining([expect.any(Number)]));
    for (const [label, count, href] of lists) {
      const { status, body } = await sandbox.visit(href);
      expect({ label, status, rows: rowsIn(body) }).toEqual({ label, status: 200, rows: count });
    }
    const restore = `docs spaces restore ${guide} --sandbox`;
    expect((await sandbox.visit(at('trash'))).body).toContain(`<code class="cmd">${restore}</code>`);
    await sandbox.admin.ok(ops.restoreSpace, { path: { spaceId: guide } });
  });

  it('is the organization that was looked at last, also beside the pages of the machine', async () => {
    await sandbox.visit(`/sandbox/orgs/${globex}`);
    const { body } = await sandbox.visit('/sandbox/clock');
    expect(body).toContain('<h2>Globex</h2>');
    await sandbox.visit(at());
    expect((await sandbox.visit('/sandbox/')).body).toContain('<h2>Acme Docs</h2>');
  });

  it('says where the data came from, the address and the time, and how many faults there are', async () => {
    const control = await openControl(sandbox.file, sandbox.outside.io);
    control.faults.add({ match: '*', status: 500 });
    const time = new Date(control.clock.now()).toISOString().slice(0, 16).replace('T', ' ');
    const { body } = await sandbox.visit('/sandbox/faults');
    expect(body).toContain(`tiny · ${new URL(sandbox.url).host}<br><time>${time}</time>`);
    expect(linksIn(body)).toContainEqual(['Faults', 1, '/sandbox/faults']);
    expect(body).toContain('<code>* *</code>');
    control.faults.clear();
    control.close();
  });
});

describe('the search', () => {
  const hits = async (text: string) => {
    const { body } = await sandbox.visit(`${at('search')}?q=${encodeURIComponent(text)}`);
    const main = body.split('<main')[1] ?? '';
    return [
      ...main.matchAll(/<h2>(\w+) <span|<li><a href="\/sandbox\/orgs\/\w+\/([^"]+)"><bdi>([^<]*)/g),
    ].map(([, kind, , title]) => kind ?? title);
  };

  it.each([
    ['chiara', ['Members', 'Chiara Rossi']],
    ['CHIARA@', ['Members', 'Chiara Rossi']],
    ['writers', ['Teams', 'Writers']],
    ['product guide', expect.arrayContaining(['Spaces', 'Product Guide'])],
    ['acme docs', expect.arrayContaining(['Sites', 'Acme Docs'])],
    ['quickstart', expect.arrayContaining(['Pages', 'Quickstart'])],
    ['nothing of the kind', []],
  ])('finds %s', async (text, expected) => {
    expect(await hits(text)).toEqual(expected);
  });

  it('finds what the member may see whom the pages show', async () => {
    const { items } = await sandbox.admin.ok(ops.listMembers, { path: { organizationId: org } });
    const guest = items.find(({ role }) => role === null || role === undefined)?.id ?? '';
    expect(await hits('handbook')).toContain('Engineering Handbook');
    await sandbox.submit(at('members', guest), 'see-as', { org, user: guest });
    expect(await hits('handbook')).not.toContain('Engineering Handbook');
    await sandbox.submit(at(), 'see-as', { org });
  });

  it('shows what was searched as text', async () => {
    const { body } = await sandbox.visit(`${at('search')}?q=%3Cscript%3E`);
    expect(body).toContain('value="&lt;script&gt;"');
    expect(body).toContain('<b dir="auto">&lt;script&gt;</b>');
  });
});

describe('a form with fields', () => {
  it('has the command of what is typed', async () => {
    const asked = new URLSearchParams({ method: 'PATCH', path: '/v1/spaces/*', status: '429', times: '3' });
    const { body } = await sandbox.visit(`/sandbox/do/fault/command?${asked}`);
    expect(body).toBe("docs sandbox fault --match 'PATCH /v1/spaces/*' --status 429 --times 3");
    expect((await sandbox.visit('/sandbox/do/nothing/command')).status).toBe(404);
  });

  it('names another database by its path, and the platform by the address of its server', () => {
    const place = { baseUrl: 'http://127.0.0.1:4000' };
    const settings = { file: '/my data/x.db', place, platform: 'linux' as const };
    const clock = placed(['sandbox', 'clock', '--', '-1h'], settings);
    expect(clock).toBe("docs sandbox clock --file '/my data/x.db' -- -1h");
    expect(placed(['teams', 'list'], settings)).toBe('docs teams list --base-url http://127.0.0.1:4000');
    const usual = { ...settings, file: undefined, place: { sandbox: true as const } };
    expect(placed(['sandbox', 'clock', '--', '-1h'], usual)).toBe('docs sandbox clock -- -1h');
    expect(placed(['teams', 'list'], usual)).toBe('docs teams list --sandbox');
  });

  it('begins with a request that another page leads with', async () => {
    const { body } = await sandbox.visit('/sandbox/faults?method=PUT&path=/v1/x');
    expect(body).toContain('<option value="PUT" selected>');
    expect(body).toContain('--match &#39;PUT /v1/x&#39; --status 503 --times 1');
  });
});
