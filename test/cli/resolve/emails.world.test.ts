import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { opened } from '../../opened.js';
import { type Answer, startRecordingPlatform } from '../run/recording-platform.js';
import { operationCases, type SentRequest } from '../run/request-cases.js';

/** An email in place of the id of a member, in scripts; a title where only standard input is redirected. */

const platform = opened(startRecordingPlatform);

const members = Array.from({ length: 30 }, (_, at) => ({
  id: `u${at + 1}`,
  role: 'read',
  user: { displayName: `Person ${at + 1}`, email: `p${at + 1}@acme.example` },
}));
const email = 'p7@acme.example';

function answer({ path, query }: SentRequest): Answer {
  const [, search = ''] = query.find(([key]) => key === 'search') ?? [];
  const found = members.filter(({ user }) => JSON.stringify(user).includes(search));
  if (path.endsWith('/members') && !path.includes('/teams/')) return { status: 200, body: { items: found } };
  if (path.endsWith('/members')) {
    const items = members.map(({ id, user }) => ({ organization: { id, user }, team: { role: 'member' } }));
    return { status: 200, body: { items } };
  }
  return { status: 418, body: {} };
}

const person = (kind: string | undefined) => kind === 'member' || kind === 'team-member';
const cases = (await operationCases())
  .filter(({ command, op }) => op === command.operations[0])
  .flatMap(({ path, command, words }) => {
    const withOrg = words.includes('--org') ? words : [...words, '--org', 'org-1'];
    const takes = command.options.some(({ name }) => name === 'org') ? withOrg : words;
    const typed = command.args
      .filter(({ kind, emails }) => person(kind) && !emails)
      .map(({ name }) => ({ path, words: takes.map((word) => (word === `${name} /1` ? email : word)) }));
    const flags = command.options
      .filter(({ kind, emails }) => person(kind) && !emails)
      .map(({ name }) => ({ path, words: [...takes, `--${name}`, email] }));
    return [...typed, ...flags];
  });

it('is wanted by commands', () => {
  expect(cases.length).toBeGreaterThan(10);
});

it.each(cases)('docs $path takes an email: $words', async ({ words }) => {
  const { sent, stderr } = await platform.run(words, answer, { env: { DOCS_ORG: 'org-1' } });
  const last = JSON.stringify(sent.at(-1));
  expect(stderr).toContain('u7.');
  expect(last).toMatch(/"u7"|\/u7[/"]/);
  expect(last).not.toContain(email);
});

describe('many emails', () => {
  // To admin, since for any other role the list of admins is read as well.
  const update = ['members', 'update', '@people', '--role', 'admin', '--org', 'org-1', '--yes'];
  const changed = (sent: readonly SentRequest[]) => sent.filter(({ method }) => method === 'PATCH');
  const run = (lines: readonly string[]) => {
    writeFileSync(join(platform.home, 'people'), lines.join('\n'));
    return platform.run(update, answer);
  };

  it('in a file become ids, and ids stay ids', async () => {
    const { sent } = await run(['p1@acme.example', 'u5', 'Person 3']);
    expect(
      changed(sent)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      '/v1/orgs/org-1/members/Person%203',
      '/v1/orgs/org-1/members/u1',
      '/v1/orgs/org-1/members/u5',
    ]);
  });

  it('are looked up in one list', async () => {
    const { sent, stderr } = await run(members.map(({ user }) => user.email.toUpperCase()));
    expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(changed(sent)).toHaveLength(30);
    expect(stderr).toContain('30 emails are those of 30 members.');
  });

  it('of which one is unknown change nothing', async () => {
    const { code, sent, stderr } = await run([...members.map(({ user }) => user.email), 'p99@acme.example']);
    expect({ code, changed: changed(sent) }).toEqual({ code: 6, changed: [] });
    expect(stderr).toContain('no member has the email "p99@acme.example"');
    expect(stderr).toContain('Try: docs members list');
  });
});

it('an id in a script is still sent as it is', async () => {
  const { sent } = await platform.run(['members', 'get', 'Person', '--org', 'org-1'], answer);
  expect(sent.map(({ path }) => path)).toEqual(['/v1/orgs/org-1/members/Person']);
});

describe('a title at a terminal', () => {
  const get = ['members', 'get', 'Person 7'];
  const env = { CI: '', DOCS_ORG: 'org-1' };

  it('is looked up, also where standard input is redirected', async () => {
    for (const terminals of [['stdin', 'stdout', 'stderr'], ['stdout', 'stderr'], ['stderr']] as const) {
      const { sent } = await platform.run(get, answer, { terminals, env });
      expect(sent.at(-1)?.path).toBe('/v1/orgs/org-1/members/u7');
    }
  });

  it('asks nothing there where standard input is redirected', async () => {
    const { code, stderr, sent } = await platform.run(['members', 'get'], answer, {
      terminals: ['stdout', 'stderr'],
      env,
    });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('<user> is required');
  });

  it.each([
    ['nobody sees stderr', { terminals: ['stdin', 'stdout'] as const, env }, []],
    ['--no-input', { terminals: ['stdin', 'stdout', 'stderr'] as const, env }, ['--no-input']],
    ['CI', { terminals: ['stdin', 'stdout', 'stderr'] as const, env: { ...env, CI: '1' } }, []],
  ])('is an id with %s', async (_, io, flags) => {
    const { sent } = await platform.run([...get, ...flags], answer, io);
    expect(sent.map(({ path }) => path)).toEqual(['/v1/orgs/org-1/members/Person%207']);
  });
});
