import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Offboarding } from '../../src/access/members.js';
import { pageData, rowsOf } from '../reports/page-data.js';
import { forwardedHome } from './forwarded-home.js';
import type { Fate } from './forwarder.js';
import { keys, onTerminal } from './terminal.js';

/** `docs members offboard` in an organization of 400: killed, with failing requests, and on a terminal. */

const { home, sandbox, forwarder } = await forwardedHome({ seed: 'acme' });
const token = sandbox.tokens.admin;
let owners: string[];
let others: string[];

interface InTeam {
  organization: { id: string; user: { email: string } };
  team: { role: string };
}

beforeAll(async () => {
  const inTeam = await membersOf(await teamId());
  const emails = (role: string) =>
    inTeam.filter(({ team }) => team.role === role).map(({ organization }) => organization.user.email);
  owners = emails('owner');
  others = emails('member').slice(0, 2);
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(home.path, 'evidence-'));
});

const teamId = async () => {
  const teams = await home.json<{ id: string; title: string }[]>([
    'teams',
    'list',
    '--title',
    'Mobile Engineers',
  ]);
  return teams[0]?.id ?? '';
};
const membersOf = (team: string) => home.json<InTeam[]>(['teams', 'members', 'list', team]);

/** All of them leave: 4 people, and their team to the heir. */
const heir = 'bruno@acme.example';
const leave = (...words: string[]) => [
  ...[
    'members',
    'offboard',
    ...owners,
    ...others,
    '--reassign-teams-to',
    heir,
    '--evidence',
    folder,
    '--yes',
  ],
  ...words,
];

function evidence(): { json: string; csv: string; report: Offboarding } {
  const names = readdirSync(folder);
  const name = (ending: string) => join(folder, names.find((one) => one.endsWith(ending)) ?? '');
  const json = name('.json');
  return { json, csv: name('.csv'), report: JSON.parse(readFileSync(json, 'utf8')) as Offboarding };
}

/** Everybody is out, the team has its new owner, and each change was done once. */
async function expectOut(report: Offboarding): Promise<void> {
  expect(report.state).toBe('complete');
  const actions = report.people.flatMap((leaver) => leaver.actions);
  expect(actions.map(({ status }) => status)).toEqual(actions.map(() => 'ok'));
  expect(report.people.map(({ after }) => after?.member)).toEqual([false, false, false, false]);
  const wanted = actions.map(({ method, path }) => `${method} ${path}`);
  expect([...forwarder.done].sort()).toEqual([...wanted].sort());
  for (const { user } of report.people) expect((await home.run(['members', 'get', user.id])).code).toBe(6);
  const inTeam = await membersOf(await teamId());
  expect(
    inTeam.filter(({ team }) => team.role === 'owner').map(({ organization }) => organization.user.email),
  ).toEqual([heir]);
}

test('offboards four members, and the evidence agrees with the platform', async () => {
  const [email = ''] = others;
  const [person] = await home.json<{ id: string }[]>(['members', 'list', '--search', email]);
  const teams = await home.json<{ team: { id: string }; member: { role: string } }[]>([
    'members',
    'teams',
    person?.id ?? '',
  ]);
  const spaces = await home.json<{ space: { id: string }; permission: string }[]>([
    'members',
    'spaces',
    person?.id ?? '',
  ]);
  const ran = await home.run(leave('--json'));
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Offboarded 4 members, and reading again confirms it.'),
  });
  const { json, csv, report } = evidence();
  const held = report.people.find(({ user }) => user.email === email)?.before;
  expect(held?.teams.map(({ id, role }) => [id, role])).toEqual(
    teams.map(({ team, member }) => [team.id, member.role]),
  );
  expect(held?.spaces.map(({ id, role }) => [id, role])).toEqual(
    spaces.map(({ space, permission }) => [space.id, permission]),
  );
  expect(held?.spaces.length).toBeGreaterThan(50);
  await expectOut(report);
  expect(report.by.user?.email).toBe('ada@acme.example');
  for (const path of [json, csv]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).not.toContain(token);
    expect(readFileSync(path, 'utf8')).not.toContain('sbx_');
  }
  expect(home.journalTexts().join('')).not.toContain(token);
});

describe('kill -9 in the middle', () => {
  const moments: [number, Fate, string][] = [
    [1, 'lost before', 'before the first change'],
    [1, 'lost after', 'when the first is done and nobody heard of it'],
    [4, 'lost after', 'in the middle'],
    [6, 'lost before', 'later'],
  ];
  test.each(moments)(
    'at change %d, %s: %s',
    async (at, fate) => {
      const running = home.start(leave('--concurrency', '3'));
      forwarder.onChange = (count) => {
        if (count === at) running.child.kill('SIGKILL');
        return count < at ? 'pass' : fate;
      };
      expect((await running.ended).signal).toBe('SIGKILL');
      const begun = evidence();
      expect(begun.report).toMatchObject({ state: 'begun', by: { user: { email: 'ada@acme.example' } } });
      expect(begun.report.people).toHaveLength(4);

      forwarder.onChange = () => 'pass';
      const resumed = await home.run(['members', 'offboard', '--resume', begun.json]);
      expect({ code: resumed.code, stderr: resumed.code === 0 ? '' : resumed.stderr }).toEqual({
        code: 0,
        stderr: '',
      });
      const { report } = evidence();
      await expectOut(report);
      expect(report.people.map(({ before }) => before)).toEqual(
        begun.report.people.map(({ before }) => before),
      );
    },
    60_000,
  );

  test('docs jobs resume finishes the job, and names the command that completes the evidence', async () => {
    const running = home.start(leave());
    forwarder.onChange = (count) => {
      if (count === 3) running.child.kill('SIGKILL');
      return count < 3 ? 'pass' : 'lost after';
    };
    await running.ended;
    forwarder.onChange = () => 'pass';
    const resumed = await home.run(['jobs', 'resume', 'last']);
    const { json } = evidence();
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).toContain(`docs members offboard --resume ${json} completes the evidence.`);
    expect(evidence().report.state).toBe('begun');
    await home.ok(['members', 'offboard', '--resume', json]);
    await expectOut(evidence().report);
  });
});

test('Ctrl-C finishes the requests in flight, writes the page, and names the command to resume', async () => {
  const html = join(home.path, 'leavers.html');
  const running = home.start(leave('--concurrency', '1', '--html', html));
  forwarder.onChange = (count) => {
    if (count === 2) running.child.kill('SIGINT');
    return 'pass';
  };
  const ended = await running.ended;
  const { json } = evidence();
  expect(ended.signal).toBe('SIGINT');
  const page = pageData(html);
  expect(page.missing).toEqual([expect.stringContaining('The offboarding was begun')]);
  expect(new Set(rowsOf(page.parts, 'Requests').map(({ State }) => State))).toEqual(
    new Set(['ok', 'planned']),
  );
  expect(ended.stderr).toContain(`Try: docs members offboard --resume ${json}`);
  forwarder.onChange = () => 'pass';
  await home.ok(['members', 'offboard', '--resume', json]);
  await expectOut(evidence().report);
});

test.each([
  ['--reset', 'after'],
  ['--reset', 'before'],
  ['--status', '503'],
  ['--status', '500'],
])(
  'one request in twenty fails with %s %s: after resuming, each change is made once',
  async (...fault) => {
    await home.ok(['sandbox', 'fault', '--match', '*', '--rate', '0.05', ...fault]);
    let code = (await home.run(leave())).code;
    for (let round = 0; round < 5 && code !== 0; round++) {
      // Where the reads before it failed, nothing was begun.
      const begun = readdirSync(home.path).some((name) => name.startsWith('offboarding-'));
      const unfinished = begun && evidence().report.state !== 'complete';
      code = (await home.run(unfinished ? ['members', 'offboard', '--resume', evidence().json] : leave()))
        .code;
    }
    sandbox.control.faults.clear();
    expect(code).toBe(0);
    const { report } = evidence();
    expect(report.state).toBe('complete');
    expect(report.people.map(({ after }) => after?.member)).toEqual([false, false, false, false]);
  },
  120_000,
);

test('on a terminal shows the holdings and the actions, and asks', async () => {
  const [email = ''] = others;
  const terminal = onTerminal(['members', 'offboard', email], {
    env: home.env,
    cwd: home.path,
    columns: 120,
  });
  await terminal.shows(`Offboard ${email}?`);
  const screen = terminal.screen.text();
  expect(screen).toMatch(/59 spaces: .* 51\s+more/s);
  expect(screen).toMatch(/\n {2}\d\. remove from team Mobile Engineers, which cannot be undone\n/);
  expect(screen).toMatch(/\n {2}\d\. remove from organization, which cannot be undone\n/);
  terminal.type(`n${keys.enter}`);
  expect((await terminal.ended).code).toBe(2);
  expect(forwarder.done).toEqual([]);
});
