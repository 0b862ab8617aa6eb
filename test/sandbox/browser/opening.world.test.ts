import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openControl } from '../../../src/sandbox/control.js';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { cookieOf, openVisited, type Visited } from './visitor.js';

/** Who may see the pages of a sandbox: whoever has a ticket, once, and then has a cookie. */

let sandbox: Visited;
beforeEach(async () => {
  sandbox = await openVisited();
});
afterEach(() => sandbox.close());

const minutes = (count: number) => {
  sandbox.outside.ms += count * 60_000;
};

describe('a ticket', () => {
  it('is taken for a cookie, and leaves the address', async () => {
    const { status, headers, body } = await sandbox.send(await sandbox.ticket());
    expect({ status, location: headers.location, body }).toEqual({
      status: 303,
      location: '/sandbox/',
      body: '',
    });
    const { port } = new URL(sandbox.url);
    const form = new RegExp(`^docs_sandbox_${port}=[\\w-]{43}; Path=/sandbox/; HttpOnly; SameSite=Strict$`);
    expect(headers['set-cookie']).toEqual([expect.stringMatching(form)]);
    const seen = await sandbox.send('/sandbox/', { cookie: cookieOf({ status, headers, body }) });
    expect(seen.status).toBe(200);
    expect(seen.body).toContain('Acme Docs');
  });

  it('works once', async () => {
    const ticket = await sandbox.ticket();
    expect((await sandbox.send(ticket)).status).toBe(303);
    const again = await sandbox.send(ticket);
    expect(again.status).toBe(403);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.body).toContain('>docs sandbox open</code>');
  });

  it('works for five minutes of the real clock, not of that of the sandbox', async () => {
    const [early, late] = [await sandbox.ticket(), await sandbox.ticket()];
    const control = await openControl(sandbox.file, sandbox.outside.io);
    await control.clock.shift(30 * 24 * 3_600_000);
    control.close();
    minutes(4.9);
    expect((await sandbox.send(early)).status).toBe(303);
    minutes(0.2);
    expect((await sandbox.send(late)).status).toBe(403);
  });

  it('is not taken by who only looks whether it is there', async () => {
    const ticket = await sandbox.ticket();
    await sandbox.send(ticket, {}, 'HEAD');
    expect((await sandbox.send(ticket)).status).toBe(303);
  });

  it('is not needed by who has a cookie: a browser may load an address twice', async () => {
    const cookie = await sandbox.cookie();
    const ticket = await sandbox.ticket();
    for (let time = 0; time < 2; time += 1)
      expect((await sandbox.send(ticket, { cookie })).headers.location).toBe('/sandbox/');
  });

  it('is kept as a hash alone, and goes with its use', async () => {
    const ticket = await sandbox.ticket();
    const db = await openDatabase(sandbox.file);
    const rows = () => db.all<{ hash: string }>('SELECT hash FROM local_tickets');
    expect(rows()).toEqual([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    await sandbox.send(ticket);
    expect(rows()).toEqual([]);
    db.close();
  });
});

describe('without a session', () => {
  it.each([
    '/sandbox/',
    '/sandbox',
    '/sandbox/requests',
    '/sandbox/requests/rows',
    '/sandbox/script.js',
    '/sandbox/nothing',
    '/sandbox/open',
    '/sandbox/open?token=',
  ])('%s answers 403', async (path) => {
    const { status, body } = await sandbox.send(path);
    expect(status).toBe(403);
    expect(body).toContain('docs sandbox open');
    expect(body).not.toContain('Acme');
  });

  it('no other cookie helps', async () => {
    const name = (await sandbox.cookie()).split('=')[0];
    for (const cookie of [
      `${name}=`,
      `${name}=${'a'.repeat(43)}`,
      `${name}`,
      'docs_sandbox=1',
      `x${await sandbox.cookie()}`,
    ])
      expect((await sandbox.send('/sandbox/', { cookie })).status).toBe(403);
    expect((await sandbox.send('/sandbox/', { authorization: `Bearer ${sandbox.token}` })).status).toBe(403);
  });

  it('the look of that answer is there', async () => {
    expect((await sandbox.send('/sandbox/style.css')).headers['content-type']).toContain('text/css');
    expect((await sandbox.send('/sandbox/icon.svg')).status).toBe(200);
  });
});

describe('a session', () => {
  it('ends after half a day', async () => {
    const cookie = await sandbox.cookie();
    minutes(12 * 60 - 1);
    expect((await sandbox.send('/sandbox/', { cookie })).status).toBe(200);
    minutes(2);
    expect((await sandbox.send('/sandbox/', { cookie })).status).toBe(403);
  });

  it('is found among other cookies', async () => {
    const cookie = `a=b; ${await sandbox.cookie()}; c=d`;
    expect((await sandbox.send('/sandbox/', { cookie })).status).toBe(200);
  });
});
