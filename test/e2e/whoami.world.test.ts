import { beforeAll, describe, expect, test } from 'vitest';
import { homeOfFile } from './backup-home.js';
import { screenHere } from './screen-here.js';

/** `docs status`, which is also `docs whoami`: who one is, and what one may not do. */

const home = homeOfFile({ goesOn: true });
let started: { space: string; site: string };
beforeAll(async () => {
  started = { space: await home.space('Welcome'), site: await home.firstId('sites', 'list') };
  Object.assign(home.env, { DOCS_SPACE: started.space, DOCS_SITE: started.site });
});

interface Status {
  org: { value: string; title?: string };
  role: string | null;
  roleAtMost?: string;
  mayNot: { because: string; why: string; commands: string[] }[];
  member?: { id: string; email?: string };
}

const as = (role: string) => ({ env: { DOCS_TOKEN: home.tokens[role] ?? '' } });
const statusAs = async (role: string) => {
  const { stdout } = await home.run(['status', '--json'], as(role));
  return JSON.parse(stdout) as Status;
};
const sentBy = async (run: () => Promise<unknown>) => {
  const before = home.gateway.requests.length;
  await run();
  return home.gateway.requests.slice(before);
};
const screen = async (env: Record<string, string> = {}, columns = 100) =>
  (await screenHere(home, ['whoami'], { env: { NO_COLOR: '1', ...env }, columns })).screen;

describe('in a pipe', () => {
  test('has the rows that it always had, and asks no more than the test of the token', async () => {
    const { org, env } = home;
    const rows = [
      ['profile', 'default', 'built in'],
      ['address', env.DOCS_BASE_URL, 'DOCS_BASE_URL'],
      ['organization', org, 'DOCS_ORG'],
      ['space', started.space, 'DOCS_SPACE'],
      ['site', started.site, 'DOCS_SITE'],
      ['sign-in', 'works', 'DOCS_TOKEN'],
      ['member', 'unknown', '-'],
    ];
    const expected = `${rows.map((row) => row.join('\t')).join('\n')}\n`;
    for (const word of ['status', 'whoami']) expect(await home.ok([word])).toBe(expected);
    expect(await sentBy(() => home.ok(['whoami']))).toEqual(['GET /v1/orgs?limit=20']);
  });

  test('as JSON tells the title of the organization and the role of the token', async () => {
    const status = await statusAs('admin');
    expect(status).toMatchObject({ org: { value: home.org, title: 'Acme Docs' }, role: 'admin', mayNot: [] });
    expect(await sentBy(() => statusAs('admin'))).toEqual(['GET /v1/orgs?limit=20']);
    expect(await statusAs('create')).toMatchObject({ role: 'create' });
    expect(await statusAs('read')).toMatchObject({ role: null, roleAtMost: 'review' });
  });
});

describe('what it may not do', () => {
  test.each(['create', 'review'])('a command named for %s is refused', async (role) => {
    const { mayNot } = await statusAs(role);
    const commands = mayNot.find(({ because }) => because === 'role')?.commands ?? [];
    expect(commands).toContain('members update');
    expect(commands.includes('openapi create')).toBe(role !== 'create');
    const ran = await home.run(['orgs', 'update', home.org, '--title', 'Mine', '--yes'], as(role));
    expect(commands).toContain('orgs update');
    expect(ran.code).toBe(5);
  });

  test('names what a policy denies', async () => {
    await home.ok(['policy', 'init', '--read-only', 'policy.yaml']);
    const env = { DOCS_POLICY: home.at('policy.yaml') };
    const { stdout } = await home.run(['status', '--json'], { env });
    const { mayNot } = JSON.parse(stdout) as Status;
    expect(mayNot).toMatchObject([
      { because: 'policy', why: expect.stringContaining(home.at('policy.yaml')) },
    ]);
    expect(mayNot[0]?.commands).toContain('spaces delete');
    expect(mayNot[0]?.commands).not.toContain('spaces list');
    const shown = await screen(env);
    expect(shown).toMatch(/^may not {6} .*, … \(\d+ commands\)/m);
  });
});

describe('on a terminal', () => {
  test('has titles beside ids, each read once, and what the token is', async () => {
    const sent = await sentBy(async () => {
      const shown = await screen();
      expect(shown).toMatch(new RegExp(`^organization +Acme Docs \\(${home.org}\\) +DOCS_ORG$`, 'm'));
      expect(shown).toMatch(new RegExp(`^space +Welcome \\(${started.space}\\) +DOCS_SPACE$`, 'm'));
      expect(shown).toMatch(new RegExp(`^site +.+ \\(${started.site}\\) +DOCS_SITE$`, 'm'));
      expect(shown).toMatch(/^role +admin +permissions of the token$/m);
    });
    expect(sent.toSorted()).toEqual([
      `GET /v1/orgs/${home.org}/sites/${started.site}`,
      'GET /v1/orgs?limit=20',
      `GET /v1/spaces/${started.space}`,
    ]);
  });

  test('what cannot be read stays an id, and fails nothing', async () => {
    home.refuse(/\/(?:spaces|sites)\//, 403);
    const shown = await screen();
    expect(shown).toMatch(new RegExp(`^space +${started.space} +DOCS_SPACE$`, 'm'));
    expect(shown).toMatch(/^organization +Acme Docs/m);
  });

  test('a title that takes long is not waited for', async () => {
    home.gateway.rule = (line) =>
      line.includes('/spaces/')
        ? new Promise<undefined>(() => {}) // Never answered, so that what ends did not wait for it.
        : undefined;
    const shown = await screen();
    expect(shown).toMatch(new RegExp(`^space +${started.space} +DOCS_SPACE$`, 'm'));
  });

  test('fits 60 columns without cutting an id', async () => {
    const shown = await screen({}, 60);
    expect(shown.split('\n').filter((line) => line.trimEnd().length > 60)).toEqual([]);
    expect(shown).toContain(`(${started.site})`);
  });
});

test('sign-in finds the person, whose name and role are read', async () => {
  const { DOCS_BASE_URL: url = '' } = home.env;
  for (const name of ['DOCS_TOKEN', 'DOCS_BASE_URL']) delete home.env[name];
  await home.ok(['auth', 'login', '--with-token', '--base-url', url], { stdin: `${home.tokens.edit}\n` });
  const status = await home.json<Status>(['whoami']);
  expect(status).toMatchObject({
    role: 'edit',
    member: { id: expect.any(String), email: expect.any(String) },
  });
  expect(status.roleAtMost).toBeUndefined();
  const shown = await screen({}, 160);
  expect(shown).toMatch(new RegExp(`^member +.+ \\(${status.member?.email}\\) +sign-in$`, 'm'));
  expect(shown).toMatch(/^role +edit +member$/m);
  expect(shown).toMatch(/^sign-in +works +\/.*credentials\.json$/m);
  // Where there is no column for where a value comes from, it is said all the same.
  expect((await screen({}, 80)).replaceAll(/\s+/g, ' ')).toMatch(/ works \S+credentials\.json /);
});
