import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getMember, updateMember } from '../../../src/api/resources/members.js';
import { getOrg, listOrgs } from '../../../src/api/resources/orgs.js';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { pendingWork } from '../../../src/sandbox/handlers/index.js';
import { HttpExchange } from '../../../src/sandbox/server/http.js';
import { Visits } from '../../../src/sandbox/server/server.js';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { type Client, openSandbox, seedId, type TestSandbox } from '../client.js';

let sandbox: TestSandbox;
let control: SandboxControl;
let admin: Client;
let slept: number[];
const org = { organizationId: seedId('org acme') };
const deniz = { ...org, userId: seedId('user deniz') };

beforeEach(async () => {
  slept = [];
  const sleep = async (ms: number) => void slept.push(ms);
  sandbox = await openSandbox({ io: { now: () => Date.parse('2030-01-01'), sleep } });
  control = await openControl(sandbox.file, sandbox.outside.io);
  admin = sandbox.as('admin');
});
afterEach(async () => {
  control.close();
  await sandbox.close();
});

const statuses = async (count: number, path = '/v1/orgs') => {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await admin.send('GET', path)).status);
  return seen;
};

describe('a fault', () => {
  test('applies a number of times, with its headers, without running the request', async () => {
    control.faults.add({ match: 'PATCH /v1/orgs/*', status: 429, headers: { 'retry-after': '7' }, times: 2 });
    const change = () =>
      admin.send('PATCH', `/v1/orgs/${org.organizationId}`, { body: { title: 'Changed' } });
    const first = await change();
    expect([first.status, first.headers.get('retry-after'), first.headers.get('x-request-id')]).toEqual([
      ...[429, '7', 'req_1_1'],
    ]);
    expect(await first.json()).toEqual({ error: { code: 429, message: expect.any(String) } });
    expect((await change()).status).toBe(429);
    expect(await admin.ok(getOrg, { path: org })).toMatchObject({ title: 'Acme Docs' });
    expect((await change()).status).toBe(200);
    expect(control.faults.list()).toEqual([]);
  });

  test('matches the method and the path, where * matches any text', async () => {
    control.faults.add({ match: '/v1/orgs/*/members', status: 503 });
    expect(await statuses(1, `/v1/orgs/${org.organizationId}/members?limit=1`)).toEqual([503]);
    expect(await statuses(1, `/v1/orgs/${org.organizationId}/members/${deniz.userId}`)).toEqual([200]);
    expect(await statuses(1)).toEqual([200]);
    control.faults.clear();
    control.faults.add({ match: 'post *', status: 503 });
    expect(await statuses(1)).toEqual([200]);
    expect((await admin.send('POST', `/v1/orgs/${org.organizationId}/ping`)).status).toBe(503);
    control.faults.clear();
    control.faults.add({ match: 'p* /v1/orgs/*', status: 503 });
    const change = { body: { title: 'Changed' } };
    expect((await admin.send('PATCH', `/v1/orgs/${org.organizationId}`, change)).status).toBe(503);
    expect(await statuses(1, `/v1/orgs/${org.organizationId}`)).toEqual([200]);
  });

  test('treats its pattern literally except for *', async () => {
    control.faults.add({ match: 'GET /v1/.rgs', status: 503 });
    expect(await statuses(1)).toEqual([200]);
  });

  test('comes from the newest matching rule; clear removes all rules', async () => {
    control.faults.add({ match: '*', status: 500 });
    control.faults.add({ match: 'GET /v1/orgs', status: 502, times: 1 });
    expect(await statuses(3)).toEqual([502, 500, 500]);
    expect(control.faults.clear()).toBe(1);
    expect(await statuses(1)).toEqual([200]);
  });

  test('can only delay', async () => {
    control.faults.add({ match: 'GET *', delayMs: 3000 });
    expect(await statuses(1)).toEqual([200]);
    expect(slept).toEqual([3000]);
  });

  test('can cut the connection before the change, which is not applied', async () => {
    control.faults.add({ match: 'PATCH *', reset: 'before', times: 1 });
    const change = admin.ok(updateMember, { path: deniz, body: { role: 'read' } });
    await expect(change).rejects.toThrow('fetch failed');
    expect(await admin.ok(getMember, { path: deniz })).toMatchObject({ role: 'edit' });
  });

  test('can cut the connection after the change, which is kept', async () => {
    control.faults.add({ match: 'PATCH *', reset: 'after', times: 1 });
    const change = admin.ok(updateMember, { path: deniz, body: { role: 'read' } });
    await expect(change).rejects.toThrow('fetch failed');
    expect(await admin.ok(getMember, { path: deniz })).toMatchObject({ role: 'read' });
  });

  test('applies to a share of the requests, the same ones in every run', async () => {
    control.faults.add({ match: '*', status: 503, rate: 0.3 });
    const first = await statuses(60);
    const struck = first.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(8);
    expect(struck).toBeLessThan(30);
    control.faults.clear();
    control.faults.add({ match: '*', status: 503, rate: 0.3 });
    expect(await statuses(60)).toEqual(first);
  });

  test('does not hold up a server that stops, once its client went away', async () => {
    await sandbox.close();
    let delayed: (signal: AbortSignal | undefined) => void = () => {};
    const begun = new Promise<AbortSignal | undefined>((resolve) => {
      delayed = resolve;
    });
    const sleep = (_: number, signal?: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        delayed(signal);
      });
    sandbox = await openSandbox({ io: { now: () => Date.parse('2030-01-01'), sleep } });
    const slow = await openControl(sandbox.file, sandbox.outside.io);
    slow.faults.add({ match: '*', delayMs: 60_000 });
    slow.close();
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${sandbox.token}` };
    const asked = fetch(`${sandbox.url}/v1/orgs`, { headers, signal: leaving.signal });
    const stopping = await begun;
    leaving.abort();
    await expect(asked).rejects.toThrow();
    expect(stopping?.aborted).toBe(false);
    await sandbox.close();
    expect(stopping?.aborted).toBe(true);
  });

  test('applies before the token check', async () => {
    control.faults.add({ match: '*', status: 503 });
    expect((await fetch(`${sandbox.url}/v1/orgs`)).status).toBe(503);
  });
});

describe('the log of requests', () => {
  const logged = () =>
    control.requests().map(({ method, path, status, caller }) => [method, path, status, caller]);

  test('contains each request, with its caller if the token is known', async () => {
    await admin.ok(listOrgs, { query: { limit: 3 } });
    await admin.refused(getOrg, { path: { organizationId: 'nowhere' } });
    await fetch(`${sandbox.url}/v1/orgs`);
    control.faults.add({ match: 'GET /v1/orgs', reset: 'before' });
    await fetch(`${sandbox.url}/v1/orgs`).catch(() => undefined);
    await sandbox.close();
    const ada = seedId('user ada');
    expect(logged()).toEqual([
      ['GET', '/v1/orgs?limit=3', 200, ada],
      ['GET', '/v1/orgs/nowhere', 404, ada],
      ['GET', '/v1/orgs', 401, null],
      ['GET', '/v1/orgs', 0, null],
    ]);
    expect(control.requests().map(({ id }) => id)).toEqual(['req_1_1', 'req_1_2', 'req_1_3', 'req_1_4']);
    expect(control.requests()[0]?.time).toBe(Date.parse('2026-01-05T09:00:00Z'));
  });

  test('takes nothing more once the server has stopped', async () => {
    const [db, clock] = [openDatabase(sandbox.file), { now: () => 0 }];
    const { signal: stopping } = new AbortController();
    const visits = new Visits({ db, clock, pendingWork, instance: 9, sleep: async () => {}, stopping });
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url: '/v1/orgs', headers: { host: '127.0.0.1:undefined' } });
    const exchange = new HttpExchange(request, new ServerResponse(request));
    await expect(visits.enter(exchange)).rejects.toMatchObject({ failure: { status: 401 } });
    visits.close();
    const { length } = control.requests();
    db.close();
    // The end of a response to a client that went away may be told after its connection is closed.
    expect(() => visits.record(exchange, 401)).not.toThrow();
    expect(control.requests()).toHaveLength(length);
  });

  test('is not exported, and a reset empties it', async () => {
    const before = control.export();
    await admin.ok(listOrgs, {});
    await sandbox.close();
    expect(control.export()).toBe(before);
    await control.reset();
    expect(control.requests()).toEqual([]);
  });
});
