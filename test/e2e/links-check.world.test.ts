import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';

/** `docs links check` over the sandbox: what is found, what is known, and what could not be read. */

let home: Home;
let welcome: string;
let guide: string;
const at = (name: string): string => join(home.path, name);
const check = (...words: string[]) => home.run(['--sandbox', 'links', 'check', ...words]);

interface Finding {
  fingerprint: string;
  status: string;
  link: string;
  space: { id: string; title?: string };
  page?: { id: string; title?: string };
}

interface Failure {
  error: {
    code: string;
    exitCode: number;
    details: { spaces: number; links: number; unread: { id: string }[] };
  };
}

beforeAll(async () => {
  home = freshHome();
  const spaces = await home.json<{ id: string; title: string }[]>(['--sandbox', 'spaces', 'list']);
  const idOf = (title: string) => spaces.find((space) => space.title === title)?.id ?? '';
  welcome = idOf('Welcome');
  guide = idOf('Product Guide');
});
afterAll(() => home.remove());

/** Runs while every read of the links of a space fails. */
async function whileUnread<T>(space: string, run: () => Promise<T>): Promise<T> {
  await home.ok(['sandbox', 'fault', '--match', `GET /v1/spaces/${space}/links*`, '--status', '500']);
  try {
    return await run();
  } finally {
    await home.ok(['sandbox', 'fault', '--clear']);
  }
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

test('in a pipe each finding is a line: state, space, page, link, ids', async () => {
  const { stdout } = await check('--space', welcome);
  expect(stdout).toMatch(
    new RegExp(`^broken\tWelcome\tConflicts\t\\.\\./moving-content\\.md\t${welcome}\t[\\w-]+\n$`),
  );
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
  await whileUnread(guide, async () => {
    const ran = await check('--no-retry');
    expect(ran.code).toBe(3);
    expect(ran.stdout.split('\n')).toHaveLength(2);
    expect(ran.stderr).toContain(`Not read: space Product Guide (${guide}): `);
    expect(ran.stderr).toContain('Looked at 4 spaces with 10 links. Not read: 1 space. (partial, exit 3)');
    const none = await check('--no-retry', '--space', guide);
    expect(none).toMatchObject({ code: 3, stdout: '' });
    expect(none.stderr).toContain('Looked at 0 spaces with 0 links.');
  });
});

test('with --fail-on findings win; what was not read stays in the details', async () => {
  await whileUnread(guide, async () => {
    const ran = await check('--no-retry', '--fail-on', 'broken', '--json');
    expect(ran.code).toBe(17);
    const { error } = JSON.parse(ran.stderr) as Failure;
    expect(error).toMatchObject({ code: 'links_found', exitCode: 17 });
    expect(error.details).toMatchObject({
      spaces: 4,
      unread: [{ kind: 'space', id: guide, title: 'Product Guide', error: { status: 500 } }],
    });
  });
});

test('a site that cannot be read does not end the check', async () => {
  await home.ok(['sandbox', 'fault', '--match', 'GET /v1/orgs/*/site-spaces*', '--status', '403']);
  const ran = await check('--json');
  await home.ok(['sandbox', 'fault', '--clear']);
  expect(ran.code).toBe(3);
  const { error } = JSON.parse(ran.stderr) as Failure;
  expect(error.details.unread[0]).toMatchObject({ kind: 'site', error: { status: 403 } });
  expect(error.details.spaces).toBeGreaterThan(0);
});

test('a baseline hides what is known and shows what is new', async () => {
  const update = await check('--baseline', 'links.json', '--update-baseline', '--space', welcome);
  expect(update.code).toBe(0);
  expect(JSON.parse(readFileSync(at('links.json'), 'utf8'))).toMatchObject({
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
  expect([existsSync(at('no.json')), existsSync(at('no.xml'))]).toEqual([false, false]);
});

test('the links of a change request are those of its pages', async () => {
  const { code, stdout, stderr } = await check('--space', welcome, '--change-request', '3', '--json');
  expect(code).toBe(0);
  for (const finding of JSON.parse(stdout) as Finding[])
    expect(finding).toMatchObject({ changeRequest: '3', space: { id: welcome, title: 'Welcome' } });
  expect(stderr).toMatch(/Looked at \d+ pages with \d+ links\.\n$/);
});

test('a page of a change request that cannot be read is listed', async () => {
  const match = `GET /v1/spaces/${welcome}/change-requests/3/content/page/*/links*`;
  await home.ok(['sandbox', 'fault', '--match', match, '--status', '500', '--times', '1']);
  const ran = await check('--space', welcome, '--change-request', '3', '--no-retry', '--concurrency', '1');
  await home.ok(['sandbox', 'fault', '--clear']);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/^Not read: page Welcome \([\w-]+\) of space /m);
  expect(ran.stderr).toContain('Looked at 9 pages with');
});

test.each(['sarif', 'junit', 'markdown'])(
  '--report %s is the same on standard output and in a file',
  async (format) => {
    const { code, stdout } = await check('--report', format);
    expect(code).toBe(0);
    expect(stdout).toContain('moving-content.md');
    const filed = await check('--report', format, '--report-file', `links.${format}`, '--fail-on', 'broken');
    expect(filed).toMatchObject({ code: 17, stdout: '' });
    expect(readFileSync(at(`links.${format}`), 'utf8')).toBe(stdout);
  },
);

test('a report that cannot be written is exit 13', async () => {
  expect((await check('--report', 'sarif', '--report-file', 'nowhere/links.sarif')).code).toBe(13);
});

test.each([
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
});

test('all of a large organization, each finding once, in the order of its spaces', async () => {
  const large = freshHome();
  try {
    await large.ok(['sandbox', 'seed', 'acme']);
    const spaces = await large.json<{ id: string }[]>(['--sandbox', 'spaces', 'list']);
    const { code, stdout, stderr } = await large.run(['--sandbox', 'links', 'check', '--json']);
    expect(code).toBe(0);
    const findings = JSON.parse(stdout) as Finding[];
    expect(stderr).toContain(`${findings.length} broken links found. Looked at ${spaces.length} spaces`);
    expect(findings.length).toBeGreaterThan(20);
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length);
    const order = spaces.map(({ id }) => id);
    const places = findings.map(({ space }) => order.indexOf(space.id));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  } finally {
    large.remove();
  }
});
