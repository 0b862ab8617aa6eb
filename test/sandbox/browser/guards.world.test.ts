import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { openSandbox } from '../client.js';
import { openVisited, type Visited } from './visitor.js';

/** What keeps other sites from the pages, and the pages from the platform. */

let sandbox: Visited;
beforeAll(async () => {
  sandbox = await openVisited();
});
afterAll(() => sandbox.close());

async function control<T>(work: (control: SandboxControl) => T): Promise<T> {
  const opened = await openControl(sandbox.file, sandbox.outside.io);
  try {
    return work(opened);
  } finally {
    opened.close();
  }
}

const guards = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

describe('every answer', () => {
  it.each([
    '/sandbox/',
    '/sandbox/requests',
    '/sandbox/requests/rows',
    '/sandbox/style.css',
    '/sandbox/script.js',
    '/sandbox/icon.svg',
    '/sandbox/nothing',
  ])('of %s has the guards', async (path) => {
    expect((await sandbox.visit(path)).headers).toMatchObject(guards);
    expect((await sandbox.send(path)).headers).toMatchObject(guards);
  });
});

describe('a request from elsewhere', () => {
  it.each([
    [{ host: 'evil.example' }, /Host header must be/],
    [{ host: '127.0.0.1' }, /Host header must be/],
    [{ host: '127.0.0.1:1' }, /Host header must be/],
    [{ origin: 'https://evil.example' }, /other origins/],
    [{ origin: 'null' }, /other origins/],
    [{ 'sec-fetch-site': 'cross-site' }, /Another site led here/],
    [{ 'sec-fetch-site': 'same-site' }, /Another site led here/],
  ])('with %o answers 403, with a cookie and with a ticket', async (headers, message) => {
    const cookie = await sandbox.cookie();
    const ticket = await sandbox.ticket();
    for (const path of ['/sandbox/', '/sandbox/style.css', ticket]) {
      const { status, body, headers: sent } = await sandbox.send(path, { ...headers, cookie });
      expect({ status, cookies: sent['set-cookie'] }).toEqual({ status: 403, cookies: undefined });
      expect(body).toMatch(message);
      expect(body).not.toContain('Acme');
    }
    expect((await sandbox.send(ticket)).status).toBe(303);
  });

  it.each(['none', 'same-origin'])('of %s itself is answered', async (from) => {
    const headers = { 'sec-fetch-site': from, cookie: await sandbox.cookie(), origin: sandbox.url };
    expect((await sandbox.send('/sandbox/', headers)).status).toBe(200);
  });

  it('under the other name of this machine is answered', async () => {
    const { port } = new URL(sandbox.url);
    const headers = { host: `localhost:${port}`, cookie: await sandbox.cookie() };
    expect((await sandbox.send('/sandbox/', headers)).status).toBe(200);
  });
});

describe('a page itself changes nothing', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s answers 405', async (method) => {
    const cookie = await sandbox.cookie();
    for (const path of ['/sandbox/', await sandbox.ticket()]) {
      const { status, headers } = await sandbox.send(path, { cookie }, method);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' });
    }
  });

  it('HEAD answers without a body', async () => {
    const answer = await sandbox.send('/sandbox/', { cookie: await sandbox.cookie() }, 'HEAD');
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: '' });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(500);
  });
});

describe('the platform beside them', () => {
  it('does not log visits, nor fail them by its faults', async () => {
    await control(({ faults }) => faults.add({ match: '*', status: 503 }));
    const { status, headers } = await sandbox.visit(`/sandbox/orgs/${sandbox.organizationId}/members`);
    expect(status).toBe(200);
    expect(headers['x-request-id']).toBeUndefined();
    expect(headers['x-ratelimit-remaining']).toBeUndefined();
    expect(await control(({ requests }) => requests())).toEqual([]);
    await control(({ faults }) => faults.clear());
  });

  it('answers as a server without pages does, which has none', async () => {
    const plain = await openSandbox();
    try {
      const requests = [
        'GET /v1/orgs',
        'GET /sandboxes',
        'GET /v1/sandbox/',
        'POST /v1/orgs',
        'GET /sandbox/alive',
      ];
      for (const asked of [...requests, 'POST /sandbox/alive', 'GET /openapi.json']) {
        const [method = '', path = ''] = asked.split(' ');
        const of = async ({ url, token }: { url: string; token: string }) => {
          const headers = { authorization: `Bearer ${token}` };
          const answer = await fetch(url + path, { method, headers });
          const text = (await answer.text()).replaceAll(url, '');
          const sent = [...answer.headers].filter(([name]) => !['date', 'content-length'].includes(name));
          return { path, status: answer.status, sent, text };
        };
        expect(await of(sandbox)).toEqual(await of(plain));
      }
      const answer = await plain.admin.send('GET', '/sandbox/');
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { message: 'no route for GET /sandbox/' } });
    } finally {
      await plain.close();
    }
  });
});
