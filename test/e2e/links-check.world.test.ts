import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { failureOf, homeOfFile } from './backup-home.js';

/** `docs links check` over the sandbox: what is found, what is known, and what could not be read. */

const home = homeOfFile({ goesOn: true });
const [welcome, guide] = [seedId('space welcome'), seedId('space guide')];
const check = (...words: string[]) => home.run(['links', 'check', ...words]);
const refuseGuide = () => home.refuse(`/v1/spaces/${guide}/links`, 500);

interface Finding {
  fingerprint: string;
  status: string;
  link: string;
  space: { id: string; title?: string };
  page?: { id: string; title?: string };
}

test('a broken link is listed with its space and page, then how much was read', async () => {
  const { code, stdout, stderr } = await check('--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    {
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      status: 'broken',
      link: '../moving-content.md',
      space: { id: welcome, title: 'Welcome' },
      page: {
        id: expect.any(String),
        title: 'Conflicts',
        path: 'guides/reviews/conflicts',
        url: expect.stringContaining('/guides/reviews/conflicts'),
        file: 'guides/reviews/conflicts.md',
      },
      target: { kind: 'url', url: '../moving-content.md' },
    },
  ]);
  expect(stderr).toBe('1 broken link found. Looked at 5 spaces with 11 links.\n');
});

test('without findings it exits 0 and says how much was read', async () => {
  expect(await check('--space', guide, '--fail-on', 'broken')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'No broken links found. Looked at 1 space with 1 link.\n',
  });
});

test('--fail-on exits 17 if it is found, and looks for the statuses it names', async () => {
  const broken = await check('--fail-on', 'broken');
  expect(broken.code).toBe(17);
  expect(broken.stderr).toBe(
    'error: 1 broken link found. Looked at 5 spaces with 11 links. (findings, exit 17)\n',
  );
  const inApp = await check('--status', 'broken', '--fail-on', 'in-app', '--json');
  expect((JSON.parse(inApp.stdout) as Finding[]).map(({ status }) => status).sort()).toEqual([
    'broken',
    'in-app',
  ]);
  expect(inApp.code).toBe(17);
});

test('a space that cannot be read is listed and exits 3, however little was found', async () => {
  refuseGuide();
  const ran = await check('--no-retry');
  expect(ran.code).toBe(3);
  expect(ran.stdout.split('\n')).toHaveLength(2);
  expect(ran.stderr).toContain(`Not read: space Product Guide (${guide}): `);
  expect(ran.stderr).toContain('Looked at 4 spaces with 10 links. Not read: 1 space. (partial, exit 3)');
  const none = await check('--no-retry', '--space', guide);
  expect(none).toMatchObject({ code: 3, stdout: '' });
  expect(none.stderr).toContain('Looked at 0 spaces with 0 links.');
});

test('with --fail-on findings win; what was not read stays in the details', async () => {
  refuseGuide();
  const ran = await check('--no-retry', '--fail-on', 'broken', '--json');
  expect(ran.code).toBe(17);
  expect(failureOf(ran.stderr)).toMatchObject({
    code: 'links_found',
    exitCode: 17,
    details: {
      spaces: 4,
      unread: [{ kind: 'space', id: guide, title: 'Product Guide', error: { status: 500 } }],
    },
  });
});

test('a site that cannot be read does not end the check', async () => {
  home.refuse(/GET \/v1\/orgs\/.*\/site-spaces/, 403);
  const ran = await check('--json');
  expect(ran.code).toBe(3);
  expect(failureOf(ran.stderr).details).toMatchObject({
    spaces: expect.any(Number),
    unread: expect.arrayContaining([expect.objectContaining({ kind: 'site' })]),
  });
  expect(failureOf(ran.stderr).details?.spaces).toBeGreaterThan(0);
});

test('a baseline hides what is known and shows what is new', async () => {
  const update = await check('--baseline', 'links.json', '--update-baseline', '--space', welcome);
  expect(update.code).toBe(0);
  expect(home.parsed('links.json')).toMatchObject({
    format: 'docs-links-baseline/1',
    findings: [{ status: 'broken', space: welcome, link: '../moving-content.md' }],
  });
  const again = await check('--baseline', 'links.json', '--fail-on', 'broken');
  expect(again).toMatchObject({ code: 0, stdout: '' });
  expect(again.stderr).toContain('No new broken links found.');
  const fresh = await check('--baseline', 'links.json', '--fail-on', 'in-app');
  expect(fresh.code).toBe(17);
  expect(fresh.stdout).toMatch(/^in-app\t/);
});

test('--dry-run writes neither baseline nor report', async () => {
  await check('--dry-run', '--baseline', 'no.json', '--update-baseline');
  await check('--dry-run', '--report', 'junit', '--report-file', 'no.xml');
  expect([existsSync(home.at('no.json')), existsSync(home.at('no.xml'))]).toEqual([false, false]);
});

test('the links of a change request are those of its pages', async () => {
  const { code, stdout, stderr } = await check('--space', welcome, '--change-request', '3', '--json');
  expect(code).toBe(0);
  for (const finding of JSON.parse(stdout) as Finding[])
    expect(finding).toMatchObject({ changeRequest: '3', space: { id: welcome, title: 'Welcome' } });
  expect(stderr).toMatch(/Looked at \d+ pages with \d+ links\.\n$/);
});

test('a page of a change request that cannot be read is listed', async () => {
  let refused = 0;
  home.gateway.rule = (line) =>
    /\/change-requests\/3\/content\/page\/[^/]+\/links/.test(line) && refused++ === 0 ? 500 : undefined;
  const ran = await check('--space', welcome, '--change-request', '3', '--no-retry', '--concurrency', '1');
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/^Not read: page Welcome \([\w-]+\) of space /m);
  expect(ran.stderr).toContain('Looked at 9 pages with');
});

// The formats: test/commands/links.
test('--report is the same on standard output and in a file', async () => {
  const { code, stdout } = await check('--report', 'sarif');
  expect(code).toBe(0);
  expect(stdout).toContain('moving-content.md');
  const filed = await check('--report', 'sarif', '--report-file', 'links.sarif', '--fail-on', 'broken');
  expect(filed).toMatchObject({ code: 17, stdout: '' });
  expect(readFileSync(home.at('links.sarif'), 'utf8')).toBe(stdout);
});

test.each([
  ['sarif', 'found.sarif'],
  ['junit', 'found.xml'],
  ['markdown', 'found.md'],
])('-o %s prints the report, and --out %s chooses it by its extension', async (format, file) => {
  const { code, stdout } = await check('-o', format);
  expect(code).toBe(0);
  expect(stdout).toBe((await check('--report', format)).stdout);
  const filed = await check('--out', file, '--fail-on', 'broken');
  expect(filed).toMatchObject({ code: 17, stdout: '' });
  expect(filed.stderr).toContain(`Wrote ${file} (`);
  expect(readFileSync(home.at(file), 'utf8')).toBe(stdout);
});

test.each([
  [['-o', 'sarif', '--fields', 'link'], '-o sarif replaces the list'],
  [['-o', 'junit', '--sort-by', 'link'], '--sort-by and -o junit contradict each other'],
  [['--report-file', 'x'], '--report-file requires --report'],
  [['--report', 'sarif', '--json'], '--report replaces the list'],
  [['--report', 'word'], '--report must be one of sarif, junit, markdown, not "word"'],
  [['--status', 'bad'], '--status must be one of ok, broken, in-app, not "bad"'],
  [['--update-baseline'], '--update-baseline requires --baseline'],
  [['--baseline', 'x', '--update-baseline', '--fail-on', 'broken'], '--fail-on could never fail'],
  [['--change-request', '1', '--site', 'w1'], '--change-request takes one --space'],
])('%j is refused before anything is sent', async (words, reason) => {
  const ran = await check(...words);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(reason);
  expect(home.gateway.requests).toEqual([]);
});
