import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Overview } from '../../src/commands/orgs/shapes.js';
import { type BackupHome, failureOf, homeOfFile } from './backup-home.js';
import { screenHere } from './screen-here.js';

/** `docs overview`: every number is that of the command which shows more. */

const acme = homeOfFile({ seed: 'acme', goesOn: true, leavesTexts: true });
const tiny = homeOfFile({ goesOn: true });

const overview = (home: BackupHome) => home.json<Overview>(['overview']);
/** The rows of a pipe, by part. */
async function rows(home: BackupHome, ...words: string[]): Promise<Record<string, string[]>> {
  const { stdout } = await home.run(['overview', ...words]);
  const lines = stdout.trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [part = '', ...cells] = line.split('\t');
      return [part, cells];
    }),
  );
}
const recordFolder = () => tiny.at('.local', 'state', 'docs', 'last-runs');
const records = () => (existsSync(recordFolder()) ? readdirSync(recordFolder()) : []);

describe('what it says', () => {
  test('is what the other commands print', async () => {
    const found = await overview(acme);
    const list = <T>(...words: string[]) => acme.json<T[]>(words);
    const [org, members, spaces, sites, specs, open, stale] = await Promise.all([
      acme.json<{ id: string; title: string; plan: string }>(['orgs', 'get', acme.org]),
      list<{ role: string | null }>('members', 'list'),
      list<{ visibility: string; urls: { published?: string; public?: string } }>('spaces', 'list'),
      list<{ published: boolean }>('sites', 'list'),
      list<{ lastProcessErrorCode?: string }>('openapi', 'list'),
      list('change-requests', 'list', '--all-spaces'),
      list('change-requests', 'stale', '--list'),
    ]);
    const { id, title, plan } = org;
    expect(found).toMatchObject({ organization: { id, title, plan }, unread: [], links: null, backup: null });
    const tally = (names: string[]) =>
      Object.fromEntries(
        [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]),
      );
    expect(found.members).toEqual({
      total: members.length,
      roles: tally(members.map(({ role }) => role ?? 'guest')),
    });
    expect(found.spaces).toEqual({
      total: spaces.length,
      published: spaces.filter(({ urls }) => urls.published ?? urls.public).length,
      visibility: tally(spaces.map(({ visibility }) => visibility)),
      atLeast: false,
    });
    expect(found.sites).toEqual({
      total: sites.length,
      published: sites.filter(({ published }) => published).length,
    });
    expect(found.changeRequests).toMatchObject({ open: open.length, stale: stale.length, atLeast: false });
    expect([open.length, stale.length].every((count) => count > 0)).toBe(true);
    const failed = specs.filter(({ lastProcessErrorCode }) => lastProcessErrorCode !== undefined);
    expect(found.openapi).toMatchObject({ total: specs.length });
    expect(found.openapi?.failed).toHaveLength(failed.length);
    const readiness = await acme.run(['sso', 'readiness', '--json']);
    const { providers } = JSON.parse(readiness.stdout) as {
      providers: { label: string; certificate: { state: string; days?: number } }[];
    };
    const soon = providers.filter(({ certificate: { state, days = 0 } }) => state !== 'valid' || days <= 60);
    expect(found.saml?.certificates.map(({ label }) => label)).toEqual(soon.map(({ label }) => label));
    expect(soon.length).toBeGreaterThan(0);
  });

  test('takes at most 100 requests, the discussions of old change requests included, all of them reads, some at once', async () => {
    await overview(acme);
    const sent = acme.gateway.requests;
    expect(sent.length).toBeLessThanOrEqual(100);
    expect(acme.changes()).toEqual([]);
    expect(new Set(sent).size).toBeGreaterThan(50);
  });

  test('in a pipe is a row a line, each with the command that shows more', async () => {
    const found = await rows(acme);
    expect(Object.keys(found)).toEqual([
      ...['organization', 'members', 'spaces', 'sites', 'changeRequests', 'stale', 'links'],
      ...['openapi', 'saml', 'backup', 'jobs'],
    ]);
    expect(found.links).toEqual(['never', 'never checked on this machine', 'docs links check']);
    expect(found.backup).toEqual(['never', 'never run on this machine', 'docs backup run --out backup']);
    expect(found.stale).toMatchObject([
      'attention',
      expect.stringMatching(/^\d+ without activity for 60 days, or warned$/),
      {},
    ]);
    const help = await Promise.all(
      Object.values(found).map(([, , command = '']) => acme.run([...command.split(' ').slice(1), '--help'])),
    );
    expect(help.map(({ code }) => code)).toEqual(help.map(() => 0));
  });

  test('names the organization in its commands where a flag named it', async () => {
    const found = await rows(tiny, '--org', tiny.org);
    expect(found.members?.[2]).toBe(`docs members list --org ${tiny.org}`);
    expect(found.jobs?.[2]).toBe('docs jobs list');
    const ndjson = await tiny.ok(['overview', '-o', 'ndjson', '--fields', 'part,state']);
    expect(JSON.parse(ndjson.split('\n')[1] ?? '')).toEqual({ part: 'members', state: 'ok' });
    expect(await tiny.ok(['overview', '--jq', '.changeRequests.staleDays'])).toBe('60\n');
  });
});

describe('what this machine knows', () => {
  test('is not recorded by a check of a part, or a dry run', async () => {
    await tiny.run(['links', 'check', '--space', await tiny.space('Product Guide')]);
    await tiny.run(['links', 'check', '--status', 'in-app']);
    await tiny.run(['links', 'check', '--dry-run']);
    await tiny.run(['backup', 'run', '--out', 'dry', '--dry-run']);
    expect(records()).toEqual([]);
  });

  test('is the last check of all links, whatever a baseline hides', async () => {
    await tiny.run(['links', 'check', '--update-baseline', '--baseline', 'known.json']);
    await tiny.run(['links', 'check', '--baseline', 'known.json']);
    const broken = (await tiny.json<unknown[]>(['links', 'check'])).length;
    await tiny.run(['links', 'check', '--baseline', 'known.json']);
    const { links } = await overview(tiny);
    expect(links).toMatchObject({ broken, spaces: 5, of: 5, unread: 0 });
    expect(links?.ageSeconds).toBeLessThan(120);
    expect((await rows(tiny)).links?.[1]).toMatch(new RegExp(`^${broken} in 5 spaces, checked `));
    const [name = ''] = records();
    expect(statSync(`${recordFolder()}/${name}`).mode & 0o777).toBe(0o600);
    expect(statSync(recordFolder()).mode & 0o777).toBe(0o700);
  });

  test('tells a check that was not whole', async () => {
    const welcome = await tiny.space('Product Guide');
    tiny.refuse(`/${welcome}/links`, 403);
    expect((await tiny.run(['links', 'check', '--json'])).code).toBe(3);
    expect((await overview(tiny)).links).toMatchObject({ spaces: 4, of: 5, unread: 1 });
    expect((await rows(tiny)).links?.[1]).toMatch(/ in 4 of 5 spaces, checked .*; 1 not read$/);
  });

  test('is kept where a later check reads nothing, or cannot be written', async () => {
    tiny.refuse('/links', 403);
    expect((await tiny.run(['links', 'check', '--json'])).code).toBe(3);
    expect((await overview(tiny)).links).toMatchObject({ spaces: 4 });
    tiny.gateway.reset();
    chmodSync(recordFolder(), 0o777);
    expect((await tiny.run(['links', 'check'])).code).toBe(0);
    const refused = await tiny.run(['overview', '--json']);
    chmodSync(recordFolder(), 0o700);
    expect(refused.code).toBe(3);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      links: null,
      unread: [{ part: 'links' }, { part: 'backup' }],
    });
  });

  test('a damaged record is unknown, and the command that makes a new one is named', async () => {
    const name = records().find((one) => one.startsWith('links-')) ?? '';
    const path = `${recordFolder()}/${name}`;
    const text = readFileSync(path, 'utf8');
    for (const broken of ['{"version":1', '{"at":"yesterday","spaces":1,"of":1,"broken":0,"unread":0}']) {
      writeFileSync(path, broken);
      const ran = await tiny.run(['overview']);
      expect(ran.code).toBe(3);
      expect(ran.stdout).toContain('links\tunknown\tunknown (local-io)\tdocs links check\n');
      expect(ran.stderr).toContain(`Not read: ${path} is damaged`);
    }
    writeFileSync(path, text);
    expect((await tiny.run(['overview'])).code).toBe(0);
  });

  test('names unfinished jobs first', async () => {
    await tiny.ok(['teams', 'create', '--title', 'Writers']);
    tiny.refuse(/^PUT /, 500);
    await tiny.run(['teams', 'create', '--title', 'Lost', '--no-retry']);
    tiny.gateway.reset();
    await tiny.ok(['teams', 'create', '--title', 'Editors']);
    const { jobs } = await overview(tiny);
    const listed = await tiny.json<{ id: string; state: string }[]>(['jobs', 'list']);
    const unfinished = listed.filter(({ state }) => state === 'unfinished').map(({ id }) => id);
    expect(unfinished).toHaveLength(1);
    expect(jobs).toMatchObject({ total: listed.length, unfinished: 1 });
    expect(jobs?.last[0]).toMatchObject({ id: unfinished[0], state: 'unfinished', command: 'teams create' });
    expect((await rows(tiny)).jobs?.[1]).toContain(
      `1 unfinished: ${unfinished[0]} teams create (unfinished)`,
    );
  });
});

describe('what cannot be read', () => {
  /** What is printed all the same, with exit 3. */
  const lacking = async (home = tiny) => {
    const { code, stdout, stderr } = await home.run(['overview', '--json']);
    expect(code).toBe(3);
    return { report: JSON.parse(stdout) as Overview, stderr };
  };

  test('is unknown, and exits 3; nothing is said of it', async () => {
    tiny.refuse('/saml', 403);
    const { report, stderr } = await lacking();
    expect(report.saml).toBeNull();
    expect(report.unread).toEqual([
      { part: 'saml', what: expect.any(String), code: expect.any(String), status: 403 },
    ]);
    expect(failureOf(stderr)).toMatchObject({ code: 'not_all_read', exitCode: 3 });
    expect((await rows(tiny)).saml).toEqual(['unknown', 'unknown (403)', 'docs sso readiness']);
  });

  test('of one list of spaces leaves what is there at least', async () => {
    tiny.refuse(/\/v1\/collections\/[^/]+\/spaces/, 403);
    const { report } = await lacking();
    expect(report).toMatchObject({ spaces: { atLeast: true }, changeRequests: { atLeast: true } });
    const { spaces, changeRequests } = await rows(tiny);
    expect(spaces?.join()).toMatch(/^unknown,at least \d+, /);
    expect(changeRequests?.join()).toMatch(/^unknown,at least \d+ open,/);
  });

  test('of the change requests of a space is counted as docs orgs map counts it', async () => {
    const spaces = await tiny.json<{ id: string; changeRequestsOpen: number }[]>(['spaces', 'list']);
    const { id = '' } = spaces.find(({ changeRequestsOpen }) => changeRequestsOpen > 0) ?? {};
    tiny.refuse(`/spaces/${id}/change-requests`, 403);
    const { report } = await lacking();
    const map = await tiny.json<{ openChangeRequests?: number }[]>(['orgs', 'map']);
    const open = map.reduce((sum, { openChangeRequests = 0 }) => sum + openChangeRequests, 0);
    expect(report.changeRequests).toMatchObject({ open, atLeast: true });
  });

  test('of a discussion leaves what is stale at least', async () => {
    acme.refuse(/\/change-requests\/[^/]+\/comments/, 403);
    const { report, stderr } = await lacking(acme);
    expect(report.changeRequests).toMatchObject({ stale: 0, atLeast: true });
    expect(stderr).toContain('"part":"changeRequests"');
  });

  test('is also an answer of another shape', async () => {
    tiny.gateway.rewrite = (line, text) =>
      line.includes('/members?limit') ? text.replaceAll('"role":"admin"', '"role":7') : text;
    expect((await lacking()).report.members).toBeNull();
  });

  test('of everything is one failure', async () => {
    for (const [env, code] of [
      [{ DOCS_TOKEN: 'sbx_wrong' }, 4],
      [{ DOCS_ORG: 'nowhere' }, 6],
      [{ DOCS_BASE_URL: 'http://127.0.0.1:9' }, 11],
    ] as const) {
      const ran = await tiny.run(['overview', '--no-retry'], { env: { ...env } });
      expect([ran.code, ran.stdout]).toEqual([code, '']);
    }
  });
});

describe('the last backup', () => {
  test('is that of the last run that finished, and may be gone', async () => {
    const folder = tiny.at('my backup');
    await tiny.ok(['backup', 'run', '--out', 'my backup', '--no-access']);
    const { backup } = await tiny.json<Overview>(['overview']);
    expect(backup).toMatchObject({ folder, folderExists: true, state: 'whole', failed: 0 });
    const status = await tiny.json<{ finishedAt: string }>(['backup', 'status', 'my backup']);
    expect(status.finishedAt).toBe(backup?.finishedAt);
    const line = async () => /^backup.*$/m.exec((await tiny.run(['overview'])).stdout)?.[0];
    expect(await line()).toMatch(/^backup\tok\twhole, .*\tdocs backup status '.*my backup'$/);
    rmSync(folder, { recursive: true });
    expect(await line()).toContain(
      `but no backup is in ${folder} any more\tdocs backup run --out '${folder}'`,
    );
    expect((await tiny.json<Overview>(['overview'])).backup).toMatchObject({ folderExists: false });
  });
});

describe('on a terminal', () => {
  const screen = async (columns: number) => {
    const options = { env: { NO_COLOR: '1' }, columns };
    const { code, screen: text } = await screenHere(acme, ['overview'], options);
    expect(code).toBe(0);
    return text.split('\n').map((line) => line.trimEnd());
  };

  test.each([60, 120])('of %i columns each line fits, and no command is cut', async (columns) => {
    const lines = await screen(columns);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    const text = lines.join('\n');
    for (const [, , command] of Object.values(await rows(acme)))
      if (!command?.includes("'")) expect(text).toContain(command);
    expect(text).toMatch(/^Organization {5}Acme Docs \(/m);
    expect(text).toMatch(/^Members {10}400 /m);
    expect(text).toMatch(/^ {2}admin {6}7 {2}█/m);
  });

  test('with room the commands of the facts stand in a column', async () => {
    const lines = await screen(200);
    const starts = lines.flatMap((line) => /(?<=^[A-Z].*) {2}(docs )/.exec(line)?.index ?? []);
    expect(starts).toHaveLength(8);
    expect(new Set(starts).size).toBe(1);
  });
});
