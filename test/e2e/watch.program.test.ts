import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobHome } from './job-home.js';
import { stubPlatform } from './stub-platform.js';
import { keys, onTerminal } from './terminal.js';

/** `--watch` as its users see it: on a terminal, in a pipe, beside the process that works. */

const home = jobHome({ DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' });

/** What the platform answers to the next readings; the last one from then on. */
let requests = [1];
let states: (Record<string, string> | number)[] = [];
const complete = { slug: 'petstore', processingState: 'complete', lastVersion: 'v2' };
const pending = { slug: 'petstore', processingState: 'pending' };

/** Whether deletions succeed; else they are tried again. */
let deletes = true;

const platform = await stubPlatform((method, { pathname }) => {
  if (method === 'DELETE') return { status: deletes ? 204 : 503 };
  if (pathname === '/v1/orgs/o1') return { body: { object: 'organization', id: 'o1', title: 'Acme' } };
  if (pathname.endsWith('/change-requests'))
    return {
      body: {
        items: requests.map((number) => ({ id: `c${number}`, number, subject: 'Setup', status: 'open' })),
      },
    };
  if (!pathname.includes('/openapi')) return undefined;
  const state = states.length > 1 ? states.shift() : states[0];
  if (typeof state === 'number') return { status: state, body: { error: { code: state, message: 'No.' } } };
  return { body: pathname.endsWith('/openapi') ? { items: [state] } : (state ?? {}) };
});
home.env.DOCS_BASE_URL = platform.url;

beforeEach(() => {
  platform.requests.length = 0;
  requests = [1];
  deletes = true;
});
afterAll(async () => {
  await platform.close();
  home.remove();
});

const watched = ['openapi', 'get', 'petstore', '--fields', 'slug,processingState', '--watch=1s'];

const list = ['change-requests', 'list', '--space', 'GfFWaJNB1rBeqg3z6nr4', '--watch=1s'];

describe('on a terminal', () => {
  it('a spec is drawn in place until it is processed, and its final state stays', async () => {
    states = [pending, { ...pending, processingState: 'progress' }, complete];
    const terminal = onTerminal(watched, { cwd: home.path, env: home.env, columns: 60 });
    await terminal.shows('every 1s');
    const { code, screen } = await terminal.ended;
    expect(screen).toBe('Slug   petstore\nState  complete');
    expect(code).toBe(0);
    expect(terminal.screen.cursorShown).toBe(true);
    expect(platform.requests).toHaveLength(3);
  });

  it('Ctrl-C leaves the last reading, the cursor and exit code 130', async () => {
    const terminal = onTerminal([...list, '--fields', 'number,subject'], {
      cwd: home.path,
      env: home.env,
      after: 'stty -a | grep -o " echo "; exit 0',
    });
    await terminal.shows('every 1s');
    terminal.resize(50);
    terminal.type(keys.interrupt);
    const { screen } = await terminal.ended;
    expect(screen).toMatch(/^NUMBER {2}SUBJECT\n1 {7}Setup/);
    expect(screen).not.toContain('every 1s');
    expect(screen).not.toContain('error');
    expect(terminal.screen.cursorShown).toBe(true);
  });

  it('more rows than the screen has are counted, and never paged', async () => {
    requests = Array.from({ length: 60 }, (_, at) => at + 1);
    const paged = join(home.path, 'paged');
    const terminal = onTerminal([...list, '--fields', 'number'], {
      cwd: home.path,
      env: { ...home.env, DOCS_PAGER: `tee ${paged}` },
    });
    await terminal.shows('… 23 more rows');
    terminal.type(keys.interrupt);
    await terminal.ended;
    expect(existsSync(paged)).toBe(false);
  });

  it('a token that is revoked meanwhile ends it below the last reading', async () => {
    states = [pending, 401];
    const { code, screen } = await onTerminal(watched, { cwd: home.path, env: home.env }).ended;
    expect(screen).toMatch(/^Slug {3}petstore\nState {2}pending\nerror: /);
    expect(code).toBe(4);
  });
});

describe('in a pipe', () => {
  it('a script waits for the final state', async () => {
    states = [pending, complete];
    const ran = await home.run([...watched, '--json']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({ slug: 'petstore', processingState: 'complete' });
    expect(platform.requests).toHaveLength(2);
  });

  it('a failed spec fails as docs openapi wait does; a deadline is exit 12', async () => {
    states = [{ ...complete, lastProcessErrorCode: 'PARSE_ERROR' }];
    const failed = await home.run(['openapi', 'list', '--watch', '--fields', 'slug,lastProcessErrorCode']);
    expect(failed).toMatchObject({ code: 18, stdout: 'petstore\tPARSE_ERROR\n' });
    expect(failed.stderr).toContain('the platform failed to process petstore');
    states = [pending];
    // On a busy machine not even the first reading may come in time.
    for (const timeout of ['500ms', '5s', '30s']) {
      const late = await home.run([...watched, '--timeout', timeout]);
      if (timeout !== '30s' && late.stdout === '') continue;
      expect(late).toMatchObject({ code: 12, stdout: 'petstore\tpending\n' });
      expect(late.stderr).toContain(`still moving after ${timeout}; the watch ended`);
      break;
    }
  });

  it('a job is watched while another process runs it', async () => {
    deletes = false;
    const work = home.start(['teams', 'delete', 't1', 't2', '--yes', '--max-attempts', '20']);
    await vi.waitFor(() => expect(platform.requests.join()).toContain('DELETE'), 50_000);
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
    states = [pending];
    const running = home.start(watched);
    running.child.stdout.once('data', () => running.child.kill('SIGINT'));
    expect(await running.ended).toMatchObject({ signal: 'SIGINT', stdout: 'petstore\tpending\n' });
  });
});
