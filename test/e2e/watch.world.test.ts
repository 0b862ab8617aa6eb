import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { freshHome } from './program.js';
import { stubPlatform } from './stub-platform.js';
import { onTerminal } from './terminal.js';

/** `--watch` as its users see it: on a terminal and in a pipe. */

const home = freshHome({ DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' });

/** What the platform answers to the next readings; the last one from then on. */
let states: (Record<string, string> | number)[] = [];
const complete = { slug: 'petstore', processingState: 'complete', lastVersion: 'v2' };
const pending = { slug: 'petstore', processingState: 'pending' };

const platform = await stubPlatform((_, { pathname }) => {
  if (pathname === '/v1/orgs/o1') return { body: { object: 'organization', id: 'o1', title: 'Acme' } };
  if (!pathname.includes('/openapi')) return undefined;
  const state = states.length > 1 ? states.shift() : states[0];
  if (typeof state === 'number') return { status: state, body: { error: { code: state, message: 'No.' } } };
  return { body: pathname.endsWith('/openapi') ? { items: [state] } : (state ?? {}) };
});
home.env.DOCS_BASE_URL = platform.url;

beforeEach(() => {
  platform.requests.length = 0;
});
afterAll(async () => {
  await platform.close();
  home.remove();
});

const watched = ['openapi', 'get', 'petstore', '--fields', 'slug,processingState', '--watch=1s'];

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

  it('a failed spec fails as docs openapi wait does', async () => {
    states = [{ ...complete, lastProcessErrorCode: 'PARSE_ERROR' }];
    const failed = await home.run(['openapi', 'list', '--watch', '--fields', 'slug,lastProcessErrorCode']);
    expect(failed).toMatchObject({ code: 18, stdout: 'petstore\tPARSE_ERROR\n' });
    expect(failed.stderr).toContain('the platform failed to process petstore');
  });
});
