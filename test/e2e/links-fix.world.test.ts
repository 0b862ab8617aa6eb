import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../src/plans/plan.js';
import { seedId } from '../sandbox/client.js';
import { failure, failureOf } from './backup-home.js';
import { archiveIn, base, basics, homeOfLinks, type LinkRow, propose, welcome } from './links-home.js';

/** `docs links fix`: finds new targets, and proposes corrected pages that differ in links alone. */

const home = homeOfLinks();
const guide = seedId('space guide');
let hosted: Server;
/** What the host of archives serves. */
let archive: Buffer | undefined;
beforeAll(async () => {
  hosted = createServer((_, answer) => {
    if (archive === undefined) answer.writeHead(404).end();
    else answer.end(archive);
  });
  await new Promise<void>((ready) => hosted.listen(0, '127.0.0.1', ready));
});
afterAll(() => new Promise((closed) => hosted.close(closed)));

const undo = () => home.ok(['undo', 'last', '--yes']);
const quickstart = 'BXtmBQC2HyRV7tDmjP5h';
/** The page with the links, in the space or in a change request of it. */
const pageIn = (where: string) =>
  home.json<{ markdown: string }>([
    ...['api', 'GET', `/v1/spaces/${welcome}${where}/content/page/${quickstart}?format=markdown`],
  ]);

test('lists each broken link with the target found for it, and sends nothing', async () => {
  const { code, stdout, stderr } = await home.fix('--json');
  expect(code).toBe(0);
  expect(home.changes()).toEqual([]);
  const rows = JSON.parse(stdout) as LinkRow[];
  const told = rows.map(({ status, by, link, target, why }) => [status, by, link, target?.url ?? why]);
  expect(told).toEqual([
    ['left', null, 'invite-your-team.md', 'nothing has its id or its title'],
    ['left', null, 'gone/forever.md', 'nothing has its id or its title'],
    [
      ...['ambiguous', 'title', 'old/conflicts.md'],
      'several fit: Reviews (guides/reviews) of Welcome, Conflicts (guides/reviews/conflicts) of Welcome',
    ],
    ['proposed', 'title', 'old/publishing.md#visibility', '../guides/publishing.md#visibility'],
    ['proposed', 'id', `/pages/${basics}`, `/spaces/${guide}/pages/${basics}`],
    ['left', null, '../moving-content.md', 'nothing has its id or its title'],
  ]);
  expect(rows[3]?.why).toBe('whether the new target has #visibility was not checked');
  expect(rows[2]?.candidates.map(({ url }) => url)).toEqual([
    '../guides/reviews/README.md',
    '../guides/reviews/conflicts.md',
  ]);
  expect(stderr).toBe(
    '6 broken links: 2 proposed, 1 ambiguous, 3 left. Looked at 5 spaces.\n' +
      '3 left: nothing has its id or its title.\n' +
      'Targets found by title are used with --match-titles only.\n',
  );
});

test('--fail-on exits 17, and what could not be read exits 3', async () => {
  const left = await home.fix('--fail-on', 'left', '--json');
  expect({ code: left.code, error: failureOf(left.stderr) }).toMatchObject({
    code: 17,
    error: { code: 'links_left', details: { found: { proposed: 2, ambiguous: 1, left: 3 } } },
  });
  home.gateway.requests.length = 0;
  expect((await home.fix('--space', guide, '--fail-on', 'left')).code).toBe(0);
  // Where no link is broken, nothing is read to correct one.
  expect(home.gateway.requests.filter((line) => line.includes('/content'))).toEqual([]);
  home.refuse(`/spaces/${guide}/links`, 403);
  const unread = await home.fix('--json');
  expect(failure(unread)).toEqual([3, 'not_all_read']);
  // Where another space may have the page too, nothing is taken for the only one.
  home.refuse(`/spaces/${guide}/content`, 403);
  const unsure = await home.fix('--json');
  expect(unsure.code).toBe(3);
  expect(
    (JSON.parse(unsure.stdout) as LinkRow[]).find(({ link }) => link.startsWith('/pages/')),
  ).toMatchObject({
    status: 'left',
    why: 'nothing has its id or its title in what could be read',
  });
});

test('a backup tells the id of a page that got another slug and title', async () => {
  const found = (await home.rows('--backup', 'b')).find(({ link }) => link === 'invite-your-team.md');
  expect(found).toMatchObject({ status: 'proposed', by: 'id', target: { url: 'team-invites.md' } });
});

test('--out writes an archive per space, and the list of what is in them', async () => {
  expect((await home.fix('--out', 'written', '--dry-run')).stderr).toContain('Dry run: nothing was written.');
  expect(existsSync(home.at('written'))).toBe(false);
  const { stderr, code } = await home.fix('--out', 'written');
  expect(code).toBe(0);
  expect(stderr).toContain(`Wrote 1 archive with 1 corrected link to ${home.at('written')}.`);
  expect(readdirSync(home.at('written')).sort()).toEqual([`Welcome-${welcome}.zip`, 'index.json']);
  const index = home.parsed<{ spaces: { pages: object[] }[] }>('written', 'index.json');
  expect(index.spaces[0]?.pages).toMatchObject([{ title: 'Quickstart', links: [{ by: 'id' }] }]);
  const again = await home.fix('--out', 'written', '--json');
  expect(failure(again)).toEqual([2, 'file_exists']);
  expect(home.changes()).toEqual([]);
});

test.each([
  [['--as-change-request'], 'missing_flag'],
  [base, 'contradiction'],
  [['--as-change-request', '--import-base', 'ftp://files.example.com'], 'bad_url'],
  [['--fail-on', 'fixed'], 'invalid_input'],
])('%j is refused before anything is read', async (words, error) => {
  const ran = await home.fix(...words, '--json');
  expect(failure(ran)).toEqual([2, error]);
  expect(home.gateway.requests).toEqual([]);
});

test('a dry run of change requests needs no address, and a plan of it cannot be applied', async () => {
  const words = ['--match-titles', '--as-change-request', '--dry-run', '--json'];
  const { code, stdout, stderr } = await home.fix(...words);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Dry run: nothing was sent.'),
  });
  const plan = JSON.parse(stdout) as Plan;
  expect(JSON.stringify(plan.operations)).toContain(`<import-base>/Welcome-${welcome}.zip?revision=`);
  writeFileSync(home.at('shown.json'), stdout);
  const applied = await home.run(['apply', 'shown.json', '--yes']);
  expect([applied.code, home.changes()]).toEqual([2, []]);
  expect(applied.stderr).toContain('is not as docs writes plans');
  expect((await home.fix(...words.filter((word) => word !== '--dry-run'))).code).toBe(2);
});

test('an archive that is missing, or is not the one of now, is not imported', async () => {
  await home.writeArchives();
  const address = `http://127.0.0.1:${(hosted.address() as AddressInfo).port}/fixes`;
  const words = ['--match-titles', '--as-change-request', '--import-base', address, '--yes', '--json'];
  archive = undefined;
  const missing = await home.fix(...words);
  expect(failure(missing)).toEqual([6, 'archive_missing']);
  archive = Buffer.from('PK, but another one');
  const differs = await home.fix(...words);
  expect(failure(differs)).toEqual([7, 'archive_differs']);
  expect(home.changes()).toEqual([]);
  archive = archiveIn(home);
  expect((await home.fix(...words)).code).toBe(0);
});

test('a change request has the links corrected and nothing else changed; it is made once; undone, it is archived', async () => {
  await home.writeArchives();
  const before = await pageIn('');
  const plan = await home.json<Plan>([...propose, '--dry-run']);
  expect(plan.notes?.map(({ count, message }) => [count, message.split(':')[0]])).toEqual([
    [3, 'Left'],
    [1, 'Left'],
  ]);
  home.gateway.requests.length = 0;
  const done = await home.run([...propose, '--yes', '--json']);
  expect(done).toMatchObject({ code: 0 });
  expect(home.changes().map((line) => line.replaceAll(/\/[A-Za-z0-9]{20}/g, '/x'))).toEqual([
    'POST /v1/spaces/x/change-requests',
    'POST /v1/spaces/x/change-requests/x/content/import',
    'PATCH /v1/spaces/x/change-requests/x',
  ]);
  const [request, ...others] = await home.openRequests();
  expect(others).toEqual([]);
  const number = String(request?.number);
  expect(done.stderr).toContain(
    `Change request ${number} of Welcome, read again: 2 of 2 links fixed; 2 links of its pages still broken; only links differ`,
  );
  const { markdown, ...rest } = await pageIn(`/change-requests/${number}`);
  expect(markdown).toBe(
    before.markdown
      .replace(`](/pages/${basics})`, `](/spaces/${guide}/pages/${basics})`)
      .replace('](old/publishing.md#visibility "How")', '](../guides/publishing.md#visibility "How")')
      .replace('href="old/publishing.md"', 'href="../guides/publishing.md"')
      .replace('[ref]: <old/publishing.md>', '[ref]: <../guides/publishing.md>'),
  );
  expect(rest).toMatchObject({ title: 'Quickstart', slug: 'quickstart', icon: 'bolt' });

  const check = await home.json<{ link: string }[]>([
    ...['links', 'check', '--space', welcome, '--change-request', number],
  ]);
  expect(check.map(({ link }) => link).sort()).toEqual([
    '../moving-content.md',
    'gone/forever.md',
    'invite-your-team.md',
    'old/conflicts.md',
  ]);

  const again = await home.rows();
  const fixed = again.filter(({ status }) => status === 'fixed');
  expect(fixed.map(({ link, changeRequest }) => [link, changeRequest])).toEqual([
    ['old/publishing.md#visibility', Number(number)],
    [`/pages/${basics}`, Number(number)],
  ]);
  expect(again.find(({ link }) => link === 'old/conflicts.md')).toMatchObject({
    status: 'left',
    why: `its page waits in change request ${number}; merge that first`,
  });
  home.gateway.requests.length = 0;
  expect((await home.run([...propose, '--yes'])).code).toBe(0);
  expect(home.changes()).toEqual([]);
  await undo();
  expect(await home.openRequests()).toEqual([]);
});

test('a change request that shows something else is told, and exits 3', async () => {
  await home.writeArchives();
  home.gateway.rewrite = (line, text) =>
    /\/change-requests\/[\w-]+\/content\/page\/[\w-]+\?/.test(line)
      ? text.replace('Not a link', 'Changed')
      : text;
  const { code, stderr } = await home.run([...propose, '--yes', '--json']);
  expect([code, failureOf(stderr).code]).toEqual([3, 'not_as_meant']);
  expect(stderr).toContain('It changes more than links of the page Quickstart');
});

test('a change request that has another page is told with what it adds and lacks', async () => {
  await home.writeArchives();
  home.gateway.rewrite = (line, text) =>
    /\/change-requests\/[\w-]+\/content(?:\?|$)/.test(line) ? text.replaceAll(quickstart, 'another') : text;
  const { code, stderr } = await home.run([...propose, '--yes', '--json']);
  expect([code, failureOf(stderr).code]).toEqual([3, 'not_as_meant']);
  expect(stderr).toContain('read again: 0 of 2 links fixed. docs change-requests get');
  expect(stderr).toContain('It adds the page Quickstart (another).');
  expect(stderr).toContain(`It lacks the page Quickstart (${quickstart}).`);
});

test('a saved plan is applied and read back; of a space that was edited since it is refused', async () => {
  await home.writeArchives();
  await home.ok(['links', 'fix', '--match-titles', ...base, '--save-plan', 'plan.json']);
  await home.ok(['links', 'fix', '--match-titles', ...base, '--save-plan', 'late.json']);
  cpSync(home.at('late.json'), home.at('twice.json'));
  const applied = await home.run(['apply', 'plan.json', '--yes']);
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stderr).toContain('read again: 2 of 2 links fixed');
  // Both plans have the same corrections, which now wait in a change request.
  const twice = await home.run(['apply', 'twice.json', '--yes', '--json']);
  expect(failure(twice)).toEqual([7, 'already_proposed']);
  const [request, ...others] = await home.openRequests();
  expect(others).toEqual([]);
  await home.ok(['change-requests', 'merge', String(request?.number), '--space', welcome, '--yes']);
  const late = await home.run(['apply', 'late.json', '--yes', '--json']);
  expect(failure(late)).toEqual([7, 'space_changed']);
  expect((await home.rows()).map(({ link }) => link)).not.toContain(`/pages/${basics}`);
});
