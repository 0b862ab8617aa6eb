import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { opened } from '../../opened.js';
import { startRecordingPlatform } from './recording-platform.js';

/** The token in use is never part of what is sent, and an answer that has it is no success. */

const platform = opened(startRecordingPlatform);

const token = 'token-of-a-test';
const inOrg = ['--org', 'o1'];

describe('a body with the token', () => {
  const base64 = Buffer.from(`x${token}`).toString('base64');
  it.each([
    ['a title', ['teams', 'update', 't1', '--title', `Team ${token}`, ...inOrg]],
    ['base64', ['teams', 'update', 't1', '--title', base64, ...inOrg]],
    ['docs api', ['api', 'POST', '/v1/orgs/o1/teams', '-f', `title=${token}`]],
  ])('is not sent: %s', async (_, words) => {
    const { code, stderr, sent } = await platform.run(words, { status: 200, body: {} });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('was not sent: its body contains the token in use');
    expect(stderr).not.toContain(token);
  });

  it('in one row keeps all rows from being sent', async () => {
    writeFileSync(join(platform.home, 'teams.csv'), `team,title\nt1,One\nt2,${token}\n`);
    const words = ['bulk', 'teams', 'update', '--from', 'teams.csv', '--concurrency', '1'];
    const { code, sent } = await platform.run(
      words,
      { status: 200, body: { id: 't1' } },
      { env: { DOCS_ORG: 'o1' } },
    );
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
  });
});

describe('an answer with the token', () => {
  it.each([
    ['a read', ['teams', 'get', 't1']],
    ['a list', ['teams', 'list']],
    ['a change', ['teams', 'update', 't1', '--title', 'Two']],
  ])('to %s is an error once all is printed', async (_, words) => {
    const team = { object: 'team', id: 't1', title: `Team ${token}` };
    const body = words[1] === 'list' ? { items: [team] } : team;
    const { code, stdout, stderr } = await platform.run([...words, ...inOrg, '--json'], {
      status: 200,
      body,
    });
    expect(code).toBe(15);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('Team [redacted]');
    expect(JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '')).toMatchObject({
      error: { code: 'repeats_token', exitCode: 15 },
    });
    expect(stdout + stderr).not.toContain(token);
  });

  it('is none where it has the password of a proxy, which a page may have by chance', async () => {
    const env = { HTTPS_PROXY: 'http://user:password@127.0.0.1:9' };
    const body = { object: 'team', id: 't1', title: 'A password' };
    const { code } = await platform.run(['teams', 'get', 't1', ...inOrg], { status: 200, body }, { env });
    expect(code).toBe(0);
  });
});
