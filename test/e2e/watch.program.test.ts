import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jobHome } from './job-home.js';
import { stubPlatform } from './stub-platform.js';
import { onTerminal } from './terminal.js';

/** `--watch` of a process: how it leaves a terminal, signals, and beside the process that works. */

const home = jobHome({ DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' });

/** How many change requests there are. */
let requests = 1;
/** Whether deletions succeed; else they are tried again. */
let deletes = true;

const platform = await stubPlatform((method, { pathname }) => {
  if (method === 'DELETE') return { status: deletes ? 204 : 503 };
  if (pathname === '/v1/orgs/o1') return { body: { object: 'organization', id: 'o1', title: 'Acme' } };
  if (pathname.includes('/openapi')) return { body: { slug: 'petstore', processingState: 'pending' } };
  const items = Array.from({ length: requests }, (_, at) => ({
    ...{ id: `c${at + 1}`, number: at + 1, subject: 'Setup', status: 'open' },
  }));
  return pathname.endsWith('/change-requests') ? { body: { items } } : undefined;
});
home.env.DOCS_BASE_URL = platform.url;

afterAll(async () => {
  await platform.close();
  home.remove();
});

const watched = ['openapi', 'get', 'petstore', '--fields', 'slug,processingState', '--watch=1s'];

const list = ['change-requests', 'list', '--space', 'GfFWaJNB1rBeqg3z6nr4', '--watch=1s'];

describe('on a terminal', () => {
  it('Ctrl-C leaves the last reading, the cursor and exit code 130', async () => {
    const terminal = onTerminal([...list, '--fields', 'number,subject'], {
      cwd: home.path,
      env: home.env,
      // The shell outlives the signal.
      before: 'trap : INT',
      after: 'echo "code $?"; stty -a',
    });
    await terminal.shows('every 1s');
    terminal.resize(50);
    const { screen } = await terminal.leave('every 1s');
    expect(screen).toContain('code 130');
    expect(screen).toMatch(/^NUMBER {2}SUBJECT\n1 {7}Setup/);
    expect(screen).not.toContain('every 1s');
    expect(screen).toMatch(/(?<!-)echo\b/);
    expect(screen).not.toContain('error');
    expect(terminal.screen.cursorShown).toBe(true);
  });

  it('more rows than the screen has are counted, and never paged', async () => {
    requests = 60;
    const paged = join(home.path, 'paged');
    const terminal = onTerminal([...list, '--fields', 'number'], {
      cwd: home.path,
      env: { ...home.env, DOCS_PAGER: `tee ${paged}` },
    });
    await terminal.leave('… 23 more rows');
    expect(existsSync(paged)).toBe(false);
  });
});

describe('in a pipe', () => {
  it('a job is watched while another process runs it', async () => {
    deletes = false;
    const work = home.start(['teams', 'delete', 't1', 't2', '--yes', '--max-attempts', '20']);
    await expect.poll(() => platform.requests.join()).toContain('DELETE');
    const running = home.start(['jobs', 'list', '--watch=1s', '--fields', 'command,state']);
    const shown = home.start(['jobs', 'show', 'last', '--watch=1s', '--json']);
    running.child.stdout.once('data', () => {
      deletes = true;
    });
    const { stdout } = await running.ended;
    expect(stdout).toBe('teams delete\trunning\nteams delete\tdone\n');
    const { stdout: job, code } = await shown.ended;
    expect(JSON.parse(job)).toMatchObject({ state: 'done', total: 2, ok: 2 });
    expect([code, (await work.ended).code]).toEqual([0, 0]);
  });

  it('a signal ends it with exit code 130 of the signal', async () => {
    const running = home.start(watched);
    running.child.stdout.once('data', () => running.child.kill('SIGINT'));
    expect(await running.ended).toMatchObject({ signal: 'SIGINT', stdout: 'petstore\tpending\n' });
  });
});
