import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { seedId } from '../client.js';
import { addressesIn, openVisited, type Visited } from './visitor.js';

/** The page of the request log: what it lists, what a request opens to, and what its buttons do. */

let sandbox: Visited;
let control: SandboxControl;
beforeAll(async () => {
  sandbox = await openVisited();
  control = await openControl(sandbox.file, sandbox.outside.io);
});
afterAll(async () => {
  control?.close();
  await sandbox?.close();
});
beforeEach(() => control.reset());

const teams = `/v1/orgs/${seedId('org acme')}/teams`;
const log = '/sandbox/requests';
const page = async (path = log) => (await sandbox.visit(path)).body;
const text = (body: string) => body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
/** The places of the rows that are shown. */
const rows = (body: string) => [...body.matchAll(/id="r(\d+)"/g)].map(([, seq]) => Number(seq));
/** The page of the last request of a method. */
const opened = async (method: string) => {
  const seq = control.requests({ method }).at(-1)?.seq;
  return { path: `${log}/${seq}`, body: await page(`${log}/${seq}`) };
};

describe('the list', () => {
  it('shows method, status, path, command, user and duration, the latest first', async () => {
    await sandbox.admin.send('GET', `/v1/spaces/${seedId('space welcome')}`);
    await sandbox.as('read').send('DELETE', '/v1/spaces/none');
    const body = await page();
    expect(rows(body)).toEqual([2, 1]);
    expect(text(body)).toMatch(
      /DELETE 404 \/v1\/spaces\/none DOCS_BASE_URL=http\S+ DOCS_TOKEN=.* docs spaces delete none Farah Haddad .* ms/,
    );
    expect(text(body)).toMatch(/GET 200 \/v1\/spaces\/\w{4}… docs spaces get \w{4}… --sandbox Ada Okafor/);
    expect(body).not.toContain(sandbox.token);
  });

  it('says which command to run where there is none', async () => {
    expect(text(await page())).toContain('No requests yet. Run one: docs teams list --sandbox');
  });

  it('is filtered by chips, each with its count, and by words', async () => {
    await sandbox.admin.send('GET', '/v1/orgs');
    await sandbox.admin.send('PUT', teams, { body: { title: 'New' } });
    await sandbox.as('read').send('GET', '/v1/spaces/none');
    expect(text(await page())).toContain('All 3 Changes 1 Errors 1 Ada Okafor 2 Farah Haddad 1');
    expect(rows(await page(`${log}?status=errors`))).toEqual([3]);
    expect(rows(await page(`${log}?method=changes`))).toEqual([2]);
    expect(rows(await page(`${log}?actor=Farah+Haddad`))).toEqual([3]);
    expect(rows(await page(`${log}?q=spaces+404`))).toEqual([3]);
    expect(rows(await page(`${log}?q=teams+create`))).toEqual([2]);
    expect(text(await page(`${log}?q=nothing`))).toContain('No request matches.');
  });

  it('leads to all 10,000', async () => {
    const db = openDatabase(sandbox.file);
    const sql = `INSERT INTO local_requests (id, method, path, status, time, ms)
      SELECT 'req_1_' || value, 'GET', '/v1/orgs', 200, value * 1000, 1 FROM json_each(?)`;
    db.write(() => db.run(sql, JSON.stringify(Array.from({ length: 10_050 }, (_, at) => at + 1))));
    db.close();
    const seen = new Set<number>();
    let path: string | undefined = log;
    for (let pages = 0; path !== undefined; pages += 1) {
      const body: string = await page(path);
      for (const seq of rows(body)) seen.add(seq);
      path = addressesIn(body).find((one) => one.startsWith(`${log}?before=`));
      expect(pages).toBeLessThan(60);
    }
    expect([seen.size, Math.min(...seen)]).toEqual([10_000, 51]);
    expect(rows(await page(`${log}?q=req_1_5123`))).toEqual([5123]);
  }, 60_000);
});

describe('a request that is open', () => {
  it('shows body, answer, what it changed, and how to send it', async () => {
    await sandbox.admin.send('PUT', teams, { body: { title: 'AI Writers' } });
    const said = text((await opened('PUT')).body);
    expect(said).toContain('docs teams create --org');
    expect(said).toContain('--title &#39;AI Writers&#39; --sandbox');
    expect(said).toContain('Sent { &quot;title&quot;: &quot;AI Writers&quot; } Answer {');
    expect(said).toContain('What it changed + created team AI Writers');
    expect(said).toContain('curl -X PUT -H &quot;Authorization: Bearer $DOCS_TOKEN&quot;');
    expect(said).toMatch(/await fetch\(&quot;http.*method: &#39;PUT&#39;/);
  });

  it('names no secret, and is not sent again without its body', async () => {
    await sandbox.admin.send('PUT', teams, { body: { title: 'T', password: 'hunter2hunter2' } });
    const { body, path } = await opened('PUT');
    expect(body).not.toContain('hunter2');
    expect(text(body)).toContain('The body was not kept whole, so the request cannot be sent again.');
    const [seq = ''] = path.split('/').slice(-1);
    await sandbox.admin.send('PUT', teams, { body: { title: 'Other' } });
    const answer = await sandbox.submit((await opened('PUT')).path, 'send-again', { request: seq });
    expect([answer.status, control.requests({ method: 'PUT' }).length]).toEqual([409, 2]);
  });

  it('that is gone is not found', async () => {
    expect((await sandbox.visit(`${log}/99`)).status).toBe(404);
  });
});

describe('a button', () => {
  it('sends the request again, as the same user, and the log has it', async () => {
    await sandbox.as('read').send('GET', teams);
    const { path } = await opened('GET');
    const before = control.requests({ method: 'GET' }).length;
    expect((await sandbox.submit(path, 'send-again')).status).toBe(303);
    const after = control.requests({ method: 'GET' });
    expect(after).toHaveLength(before + 1);
    expect(after.at(-1)).toMatchObject({ path: teams, status: 200, actor: 'Farah Haddad' });
    expect(text(await page(path))).toMatch(/Sent again: GET answered 200, request id req_\d+_\d+\./);
  });

  it('makes the next one like it fail, once', async () => {
    await sandbox.admin.send('GET', `${teams}?limit=2`);
    const { path, body } = await opened('GET');
    expect(text(body)).toContain(`docs sandbox fault --match &#39;GET ${teams}&#39; --status 503 --times 1`);
    expect((await sandbox.submit(path, 'fault', { status: '429' })).status).toBe(303);
    await sandbox.submit(path, 'send-again');
    await sandbox.submit(path, 'send-again');
    expect(control.requests({ method: 'GET' }).map(({ status }) => status)).toEqual([200, 429, 200]);
    expect(control.faults.list()).toEqual([]);
  });

  it('of an action is in the log with its command', async () => {
    await sandbox.submit('/sandbox/clock', 'clock', { shift: '+1d' });
    expect(text(await page())).toContain('docs sandbox clock +1d');
    const { body } = await opened('POST');
    expect(text(body)).toContain('docs sandbox clock +1d');
    expect(body).not.toContain('/sandbox/do/send-again"');
  });
});
