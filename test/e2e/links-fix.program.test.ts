import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../src/plans/plan.js';
import { type BackupHome, backupHome, failureOf, type Tables } from './backup-home.js';
import { outcomes } from './job-home.js';

/** `docs links fix`: finds new targets, and proposes corrected pages that differ in links alone. */

let home: BackupHome;
let saved: string;
let welcome: string;
let guide: string;
let hosted: Server;
/** What the host of archives serves. */
let archive: Buffer | undefined;

/** Ids of the seed, which are the same in every sandbox. */
const basics = 'xRhuXiFJ6gEOYGlERWHw';

const quickstart = `Read [the basics](/pages/${basics}) and [Publishing](old/publishing.md#visibility "How").

\`\`\`markdown
[Publishing](old/publishing.md)
\`\`\`

Not a link: \\[Publishing\\](old/publishing.md). See [this][ref], [nobody](gone/forever.md) and [Reviews](old/conflicts.md).

<a href="old/publishing.md">Publishing</a> \`old/publishing.md\`

[ref]: <old/publishing.md> 'Title'`;

interface Row {
  status: string;
  by: string | null;
  link: string;
  page: { id: string; title: string };
  target: { url: string; space: { id: string }; page?: { title: string } } | null;
  candidates: { url: string }[];
  why: string | null;
  changeRequest?: number;
}

function pageOf(tables: Tables, slug: string): Record<string, unknown> {
  return (tables.page_versions ?? []).find((page) => page.slug === slug) ?? {};
}

beforeAll(async () => {
  const before = await backupHome('tiny');
  await before.backedUp();
  saved = mkdtempSync(join(tmpdir(), 'docs-saved-'));
  cpSync(before.at('b'), join(saved, 'b'), { recursive: true });
  await before.end();
  home = await backupHome(
    'tiny',
    (tables) => {
      pageOf(tables, 'quickstart').markdown = quickstart;
      Object.assign(pageOf(tables, 'invite-your-team'), { slug: 'team-invites', title: 'Bring your team' });
    },
    'content',
  );
  [welcome, guide] = [await home.space('Welcome'), await home.space('Product Guide')];
  hosted = createServer((_, answer) => {
    if (archive === undefined) answer.writeHead(404).end();
    else answer.end(archive);
  });
  await new Promise<void>((ready) => hosted.listen(0, '127.0.0.1', ready));
});
afterAll(async () => {
  await new Promise((closed) => hosted.close(closed));
  rmSync(saved, { recursive: true, force: true });
  await home.end();
});
afterEach(async () => {
  home.gateway.rule = () => undefined;
  home.gateway.rewrite = (_, text) => text;
  for (const { number } of await openRequests()) {
    const archive = ['update', String(number), '--space', welcome, '--status', 'archived'];
    await home.ok(['change-requests', ...archive]);
  }
});

const base = ['--import-base', 'https://files.example.com/fixes'];
const propose = ['links', 'fix', '--match-titles', '--as-change-request', ...base];
const sent = () => home.gateway.requests.filter((line) => !line.startsWith('GET '));
const rowsOf = (stdout: string) => JSON.parse(stdout) as Row[];
const fix = async (...words: string[]) => {
  home.gateway.requests.length = 0;
  return home.run(['links', 'fix', ...words]);
};
const openRequests = async () => {
  const list = await home.json<{ number: number; subject: string; status: string; id: string }[]>([
    ...['change-requests', 'list', '--space', welcome],
  ]);
  return list.filter(({ subject }) => subject.startsWith('Fix '));
};
const writeArchives = () => home.run(['links', 'fix', '--match-titles', '--out', 'content', '--yes']);
const undo = async () => expect((await home.run(['undo', 'last', '--yes'])).code).toBe(0);
/** The page with the links, in the space or in a change request of it. */
const pageIn = (where: string) =>
  home.json<{ markdown: string }>([
    ...['api', 'GET', `/v1/spaces/${welcome}${where}/content/page/BXtmBQC2HyRV7tDmjP5h?format=markdown`],
  ]);

test('lists each broken link with the target found for it, and sends nothing', async () => {
  const { code, stdout, stderr } = await fix('--json');
  expect(code).toBe(0);
  expect(sent()).toEqual([]);
  const told = rowsOf(stdout).map(({ status, by, link, target, why }) => [
    status,
    by,
    link,
    target?.url ?? why,
  ]);
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
  expect(rowsOf(stdout)[3]?.why).toBe('whether the new target has #visibility was not checked');
  expect(rowsOf(stdout)[2]?.candidates.map(({ url }) => url)).toEqual([
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
  const left = await fix('--fail-on', 'left', '--json');
  expect({ code: left.code, error: failureOf(left.stderr) }).toMatchObject({
    code: 17,
    error: { code: 'links_left', details: { found: { proposed: 2, ambiguous: 1, left: 3 } } },
  });
  expect((await fix('--space', guide, '--fail-on', 'left')).code).toBe(0);
  home.gateway.rule = (line) => (line.includes(`/spaces/${guide}/links`) ? 403 : undefined);
  const unread = await fix('--json');
  expect({ code: unread.code, error: failureOf(unread.stderr).code }).toEqual({
    code: 3,
    error: 'not_all_read',
  });
  // Where another space may have the page too, nothing is taken for the only one.
  home.gateway.rule = (line) => (line.includes(`/spaces/${guide}/content`) ? 403 : undefined);
  const unsure = await fix('--json');
  expect(unsure.code).toBe(3);
  expect(rowsOf(unsure.stdout).find(({ link }) => link.startsWith('/pages/'))).toMatchObject({
    status: 'left',
    why: 'nothing has its id or its title in what could be read',
  });
});

test('a backup tells the id of a page that got another slug and title', async () => {
  const { stdout } = await fix('--backup', join(saved, 'b'), '--json');
  const found = rowsOf(stdout).find(({ link }) => link === 'invite-your-team.md');
  expect(found).toMatchObject({ status: 'proposed', by: 'id', target: { url: 'team-invites.md' } });
});

test('--out writes an archive per space, and the list of what is in them', async () => {
  expect((await fix('--out', 'written', '--dry-run')).stderr).toContain('Dry run: nothing was written.');
  expect(existsSync(home.at('written'))).toBe(false);
  const { stderr, code } = await fix('--out', 'written');
  expect(code).toBe(0);
  expect(stderr).toContain(`Wrote 1 archive with 1 corrected link to ${home.at('written')}.`);
  expect(readdirSync(home.at('written')).sort()).toEqual([`Welcome-${welcome}.zip`, 'index.json']);
  const index = JSON.parse(readFileSync(home.at('written', 'index.json'), 'utf8'));
  expect(index.spaces[0].pages).toMatchObject([{ title: 'Quickstart', links: [{ by: 'id' }] }]);
  const again = await fix('--out', 'written', '--json');
  expect({ code: again.code, error: failureOf(again.stderr).code }).toEqual({
    code: 2,
    error: 'file_exists',
  });
  expect(sent()).toEqual([]);
});

test.each([
  [['--as-change-request'], 'missing_flag'],
  [base, 'contradiction'],
  [['--as-change-request', '--import-base', 'ftp://files.example.com'], 'bad_url'],
  [['--fail-on', 'fixed'], 'invalid_input'],
])('%j is refused before anything is read', async (words, error) => {
  const ran = await fix(...words, '--json');
  expect({ code: ran.code, error: failureOf(ran.stderr).code }).toEqual({ code: 2, error });
  expect(home.gateway.requests).toEqual([]);
});

test('a dry run of change requests needs no address, and a plan of it cannot be applied', async () => {
  const words = ['--match-titles', '--as-change-request', '--dry-run', '--json'];
  const { code, stdout, stderr } = await fix(...words);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Dry run: nothing was sent.'),
  });
  const plan = JSON.parse(stdout) as Plan;
  expect(JSON.stringify(plan.operations)).toContain(`<import-base>/Welcome-${welcome}.zip?revision=`);
  writeFileSync(home.at('shown.json'), stdout);
  const applied = await home.run(['apply', 'shown.json', '--yes']);
  expect([applied.code, sent()]).toEqual([2, []]);
  expect(applied.stderr).toContain('is not as docs writes plans');
  expect((await fix(...words.filter((word) => word !== '--dry-run'))).code).toBe(2);
});

test('an archive that is missing, or is not the one of now, is not imported', async () => {
  await writeArchives();
  const address = `http://127.0.0.1:${(hosted.address() as AddressInfo).port}/fixes`;
  const words = ['--match-titles', '--as-change-request', '--import-base', address, '--yes', '--json'];
  archive = undefined;
  const missing = await fix(...words);
  expect({ code: missing.code, error: failureOf(missing.stderr).code }).toEqual({
    code: 6,
    error: 'archive_missing',
  });
  archive = Buffer.from('PK, but another one');
  const differs = await fix(...words);
  expect({ code: differs.code, error: failureOf(differs.stderr).code }).toEqual({
    code: 7,
    error: 'archive_differs',
  });
  expect(sent()).toEqual([]);
  archive = readFileSync(home.at('content', `Welcome-${welcome}.zip`));
  expect((await fix(...words)).code).toBe(0);
  await undo();
});

test('a change request has the links corrected and nothing else changed; it is made once; undone, it is archived', async () => {
  await writeArchives();
  const before = await pageIn('');
  const plan = await home.json<Plan>([...propose, '--dry-run']);
  expect(plan.notes?.map(({ count, message }) => [count, message.split(':')[0]])).toEqual([
    [3, 'Left'],
    [1, 'Left'],
  ]);
  home.gateway.requests.length = 0;
  const done = await home.run([...propose, '--yes', '--json']);
  expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 });
  expect(sent().map((line) => line.replaceAll(/\/[A-Za-z0-9]{20}/g, '/x'))).toEqual([
    'POST /v1/spaces/x/change-requests',
    'POST /v1/spaces/x/change-requests/x/content/import',
    'PATCH /v1/spaces/x/change-requests/x',
  ]);
  const [request, ...others] = await openRequests();
  expect(others).toEqual([]);
  const number = String(request?.number);
  expect(done.stderr).toContain(
    `Change request ${number} of Welcome, read again: 2 of 2 links fixed; 2 links of its pages still broken; nothing but links differs`,
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

  const again = await fix('--json');
  const fixed = rowsOf(again.stdout).filter(({ status }) => status === 'fixed');
  expect(fixed.map(({ link, changeRequest }) => [link, changeRequest])).toEqual([
    ['old/publishing.md#visibility', Number(number)],
    [`/pages/${basics}`, Number(number)],
  ]);
  expect(rowsOf(again.stdout).find(({ link }) => link === 'old/conflicts.md')).toMatchObject({
    status: 'left',
    why: `its page waits in change request ${number}; merge that first`,
  });
  home.gateway.requests.length = 0;
  expect((await home.run([...propose, '--yes'])).code).toBe(0);
  expect(sent()).toEqual([]);
  await undo();
  expect(await openRequests()).toEqual([]);
});

test('a change request that shows something else is told, and exits 3', async () => {
  await writeArchives();
  home.gateway.rewrite = (line, text) =>
    /\/change-requests\/[\w-]+\/content\/page\/[\w-]+\?/.test(line)
      ? text.replace('Not a link', 'Changed')
      : text;
  const { code, stderr } = await home.run([...propose, '--yes', '--json']);
  expect({ code, error: failureOf(stderr).code }).toEqual({ code: 3, error: 'not_as_meant' });
  expect(stderr).toContain('It changes more than links of the page Quickstart');
  home.gateway.rewrite = (_, text) => text;
  await undo();
});

// CI kills once the import took effect; `DOCS_TEST_RUNS=1` before and after each change.
const moments: ['before' | 'after', number][] =
  process.env.DOCS_TEST_RUNS === undefined
    ? [['after', 2]]
    : [1, 2, 3].flatMap((n): ['before' | 'after', number][] => [
        ['before', n],
        ['after', n],
      ]);

test.each(moments)('kill -9 %s change %i: resumed, read back, and nothing twice', async (when, moment) => {
  await writeArchives();
  const running = home.start([...propose, '--yes']);
  let changes = 0;
  const killsAt = (line: string) => !line.startsWith('GET ') && ++changes === moment;
  const kill = () => running.child.kill('SIGKILL');
  if (when === 'before')
    home.gateway.rule = (line) => {
      if (!killsAt(line)) return undefined;
      kill();
      return 500;
    };
  else
    home.gateway.rewrite = (line, text) => {
      if (killsAt(line)) kill();
      return text;
    };
  expect((await running.ended).signal).toBe('SIGKILL');
  home.gateway.rule = () => undefined;
  home.gateway.rewrite = (_, text) => text;
  home.gateway.requests.length = 0;
  const resumed = await home.run(['jobs', 'resume', 'last', '--json']);
  expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
  expect(resumed.stderr).toContain('read again: 2 of 2 links fixed');
  expect(sent().filter((line) => line.includes('/import'))).toHaveLength(
    moment < 2 || (moment === 2 && when === 'before') ? 1 : 0,
  );
  for (const [, all] of outcomes(readFileSync(home.journalPaths().at(-1) ?? '', 'utf8')))
    expect(all.filter((is) => is === 'ok')).toHaveLength(1);
  expect(await openRequests()).toHaveLength(1);
  const fixed = rowsOf((await fix('--json')).stdout).filter(({ status }) => status === 'fixed');
  expect(fixed).toHaveLength(2);
});

test('run again in place of a resume, it completes the draft that is there', async () => {
  await writeArchives();
  const running = home.start([...propose, '--yes']);
  home.gateway.rule = (line) => {
    if (line.includes('/content/import')) running.child.kill('SIGKILL');
    return undefined;
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  home.gateway.rule = () => undefined;
  home.gateway.requests.length = 0;
  const again = await home.run([...propose, '--yes']);
  expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 });
  expect(sent().filter((line) => /change-requests$/.test(line))).toEqual([]);
  expect(await openRequests()).toHaveLength(1);
});

test('a saved plan is applied and read back; of a space that was edited since it is refused', async () => {
  await writeArchives();
  await home.ok(['links', 'fix', '--match-titles', ...base, '--save-plan', 'plan.json']);
  await home.ok(['links', 'fix', '--match-titles', ...base, '--save-plan', 'late.json']);
  cpSync(home.at('late.json'), home.at('twice.json'));
  const applied = await home.run(['apply', 'plan.json', '--yes']);
  expect({ code: applied.code, stderr: applied.stderr }).toMatchObject({ code: 0 });
  expect(applied.stderr).toContain('read again: 2 of 2 links fixed');
  // Both plans have the same corrections, which now wait in a change request.
  const twice = await home.run(['apply', 'twice.json', '--yes', '--json']);
  expect({ code: twice.code, error: failureOf(twice.stderr).code }).toEqual({
    code: 7,
    error: 'already_proposed',
  });
  const [request, ...others] = await openRequests();
  expect(others).toEqual([]);
  await home.ok(['change-requests', 'merge', String(request?.number), '--space', welcome, '--yes']);
  const late = await home.run(['apply', 'late.json', '--yes', '--json']);
  expect({ code: late.code, error: failureOf(late.stderr).code }).toEqual({
    code: 7,
    error: 'space_changed',
  });
  expect(rowsOf((await fix('--json')).stdout).map(({ link }) => link)).not.toContain(`/pages/${basics}`);
});
