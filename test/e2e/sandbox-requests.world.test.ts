import { constants } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxHome } from './sandbox-home.js';

/** `docs sandbox requests`: filters, and the requests as they arrive. */

const { home, sandbox, docs, here, reset } = await sandboxHome();
const requests = (...flags: string[]) => here(['sandbox', 'requests', ...flags]);
const send = (method: string, path: string) =>
  fetch(sandbox.url + path, { method, headers: { authorization: `Bearer ${sandbox.tokens.admin}` } });

beforeEach(reset);

describe('a list', () => {
  it('has who sent a request, and how long the answer took', async () => {
    await send('GET', '/v1/orgs');
    const [one] = JSON.parse(await requests('--json')) as Record<string, unknown>[];
    expect(one).toMatchObject({
      method: 'GET',
      path: '/v1/orgs',
      status: 200,
      actor: 'Ada Okafor',
      fault: null,
    });
    expect(one?.ms).toBeGreaterThan(0);
    expect(Object.keys(one ?? {})).not.toContain('seq');
    expect(await requests('--header', '--fields', 'method,ms,actor')).toMatch(
      /^method\tms\tactor\nGET\t[\d.]+\tAda Okafor\n$/,
    );
  });

  it('is filtered by status, method and user', async () => {
    await send('GET', '/v1/orgs');
    await send('GET', '/v1/orgs/none');
    await send('DELETE', '/v1/spaces/none');
    const paths = (...flags: string[]) => requests('--fields', 'path', ...flags);
    expect(await paths('--status', 'errors')).toBe('/v1/orgs/none\n/v1/spaces/none\n');
    expect(await paths('--status', '4xx', '--method', 'changes')).toBe('/v1/spaces/none\n');
    expect(await paths('--status', '200', '--method', 'get')).toBe('/v1/orgs\n');
    expect(await paths('--actor', 'nobody')).toBe('');
  });

  it('refuses a status that is none', async () => {
    const { code, stderr } = await home.run(['sandbox', 'requests', '--status', 'bad']);
    expect(code).toBe(2);
    expect(stderr).toContain('invalid --status "bad"; expected a status such as 404, 4xx or errors');
  });
});

describe('--watch', () => {
  it('prints a line for each request, the last ones first, until Ctrl-C', async () => {
    await send('GET', '/v1/orgs');
    const terminal = docs(['sandbox', 'requests', '--watch'], { columns: 120 });
    await terminal.shows('/v1/orgs');
    await send('DELETE', '/v1/spaces/none');
    await terminal.shows('/v1/spaces/none');
    await sandbox.control.reset();
    await send('GET', '/v1/user');
    const { signal, screen } = await terminal.leave('/v1/user');
    expect(signal).toBe(constants.signals.SIGINT);
    const lines = screen.trimEnd().split('\n').slice(0, 3);
    expect(
      lines.map((line) =>
        line
          .replace(/^\d\d:\d\d:\d\d/, 'time')
          .replace(/[\d.]+ ms/, '1 ms')
          .split(/ +/),
      ),
    ).toEqual([
      ['time', 'GET', '/v1/orgs', '200', '1', 'ms', 'Ada', 'Okafor'],
      ['time', 'DELETE', '/v1/spaces/none', '404', '1', 'ms', 'Ada', 'Okafor'],
      ['time', 'GET', '/v1/user', '404', '1', 'ms', 'Ada', 'Okafor'],
    ]);
    expect(screen).not.toContain('error');
  });

  it('keeps a line within 80 columns', async () => {
    await send('GET', `/v1/spaces/${'long'.repeat(40)}`);
    const terminal = docs(['sandbox', 'requests', '--watch', '--status', 'errors']);
    const { screen } = await terminal.leave('404');
    expect(screen.split('\n')[0]).toMatch(/^\d\d:\d\d:\d\d GET {4}\/v1\/spaces\/long\S*… 404 +[\d.]+ ms$/);
  });

  it('prints an object each as JSON', async () => {
    await send('GET', '/v1/orgs');
    const terminal = docs(['sandbox', 'requests', '--watch', '-o', 'ndjson']);
    await terminal.shows('"path":"/v1/orgs"');
    await send('GET', '/v1/user');
    expect((await terminal.leave('"path":"/v1/user"')).signal).toBe(constants.signals.SIGINT);
  });

  it('contradicts an order', async () => {
    const { code, stderr } = await home.run(['sandbox', 'requests', '--watch', '--sort-by', 'ms']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--watch prints requests as they arrive')]);
  });
});
