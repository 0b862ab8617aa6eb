import { beforeEach, expect, it } from 'vitest';
import { runHere } from './here.js';
import { outcomes } from './job-home.js';
import { call, initialize, initialized, type McpHere, request, serveHere } from './mcp-here.js';
import { memberHome } from './member-home.js';

/** Calls that are cancelled, and servers that end, while something runs: the journal says how far it came. */

const count = 12;
const { platform, home } = await memberHome(count);
let server: McpHere;
beforeEach(async () => {
  server = serveHere(['--allow-writes'], home);
  server.send(initialize);
  await server.next();
  server.send(initialized);
});

const cancel = (requestId: number) =>
  server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

/** Plans a change of all members, and starts to apply it as call 2. @returns the handle */
async function applying(): Promise<string> {
  const ids = [...platform.roles.keys()];
  const argv = ['members', 'update', ...ids, '--role', 'read', '--concurrency', '2'];
  server.send(call(1, 'docs_plan', { argv }));
  const plan = String((await server.next()).result?.structuredContent?.plan);
  expect(plan).toMatch(/^plan-/);
  server.send(call(2, 'docs_apply', { plan }));
  return plan;
}

/** Holds the changes from the third on until it is opened. @returns once the third is there */
function gate(): { reached: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    platform.onChange = async (number): Promise<'done'> => {
      if (number >= 3) {
        resolve();
        await opened;
      }
      return 'done';
    };
  });
  return { reached, open };
}

/** Some of the items are done, as the journal and the platform say alike; `jobs resume` does the rest, each once. */
async function expectResumable(): Promise<void> {
  const done = platform.changes.length;
  expect(done).toBeGreaterThanOrEqual(3);
  expect(done).toBeLessThan(count);
  const [journal = ''] = home.journalTexts();
  expect([...outcomes(journal).values()].filter(([is]) => is === 'ok')).toHaveLength(done);
  expect(JSON.parse(journal.split('\n')[0] ?? '')).toMatchObject({
    actor: { kind: 'agent', client: 'raw 1' },
  });
  platform.onChange = () => 'done';
  // By the sources, as the server that began it: another version resumes no job.
  const { code } = await runHere(['jobs', 'resume', 'last', '--json'], home.env, home.path, undefined);
  expect(code).toBe(0);
  expect([...platform.changes].sort()).toEqual([...platform.roles.keys()].map((id) => `${id} read`).sort());
}

it('docs_read that is cancelled stops, is not answered, and leaves the server running', async () => {
  const arrived = new Promise<void>((resolve) => {
    platform.onRead = () => {
      resolve();
      return new Promise(() => {});
    };
  });
  server.send(call(1, 'docs_read', { argv: ['members', 'get', 'u1'] }));
  await arrived;
  cancel(1);
  platform.onRead = () => {};
  server.send(call(2, 'docs_read', { argv: ['members', 'get', 'u1'] }));
  const result = { structuredContent: { result: { id: 'u1' } } };
  expect(await server.next()).toMatchObject({ id: 2, result });
  await server.close();
  expect(await server.ended).toBe(0);
});

/** Cancels call 1 once it has begun; the server answers another call meanwhile, and then ends at once. */
async function expectCancelled(begun: Promise<unknown>): Promise<void> {
  await begun;
  server.send(request(8, 'ping'));
  expect(await server.next()).toMatchObject({ id: 8 });
  cancel(1);
  platform.onRead = () => {};
  server.send(call(2, 'docs_read', { argv: ['members', 'get', 'u1'] }));
  expect(await server.next()).toMatchObject({
    id: 2,
    result: { structuredContent: { result: { id: 'u1' } } },
  });
  await server.close();
  expect(await server.ended).toBe(0);
}

/** The next read of the platform, which is not answered until its connection ends. */
const heldRead = () =>
  new Promise<void>((resolve) => {
    platform.onRead = () => {
      resolve();
      return new Promise(() => {});
    };
  });
const endless = 'def f: f; f';
const changes = ['members', 'update', 'u1', '--role', 'admin'];

it.each([
  ['a list that is read page by page', 'docs_read', { argv: ['members', 'list', '--page-size', '1'] }],
  ['a change that is planned', 'docs_plan', { argv: changes }],
  ['a change in one', 'docs_change', { argv: changes }],
])('%s is cancelled while it waits for the platform', async (_, tool, given) => {
  const held = heldRead();
  server.send(call(1, tool, given));
  await expectCancelled(held);
  expect(platform.changes).toEqual([]);
});

it('a filter of jq without end is cancelled, and holds nobody else up', async () => {
  const read = new Promise<void>((resolve) => {
    platform.onRead = () => resolve();
  });
  server.send(call(1, 'docs_read', { argv: ['members', 'get', 'u1'], jq: endless }));
  await expectCancelled(read);
});

it('filters of jq without end leave others their turn, however many there are', async () => {
  const ids = [11, 12, 13, 14, 15, 16];
  const begun = new Promise<void>((resolve) => {
    let reads = 0;
    platform.onRead = () => {
      reads += 1;
      if (reads === 2) resolve();
    };
  });
  for (const id of ids) server.send(call(id, 'docs_read', { argv: ['members', 'get', 'u2'], jq: endless }));
  await begun;
  for (const id of [1, 2, 3]) {
    server.send(call(id, 'docs_read', { argv: ['members', 'get', `u${id}`] }));
    const result = { structuredContent: { result: { id: `u${id}` } } };
    expect(await server.next()).toMatchObject({ id, result });
  }
  // One that runs gives its place to one that waits; one that waits leaves.
  cancel(11);
  cancel(16);
  server.send(call(4, 'docs_read', { argv: ['members', 'get', 'u4'], jq: '.id' }));
  for (const id of [12, 13, 14, 15]) cancel(id);
  expect(await server.next()).toMatchObject({ id: 4, result: { structuredContent: { result: ['u4'] } } });
  await server.close();
  expect(await server.ended).toBe(0);
});

it('a call that waits as the platform asks ends as it is cancelled', async () => {
  const refused = new Promise<void>((resolve) => {
    platform.onRead = () => {
      resolve();
      return 'later';
    };
  });
  server.send(call(1, 'docs_read', { argv: ['members', 'get', 'u1'] }));
  await expectCancelled(refused);
  // Nothing was sent again once the minute was over.
  expect(platform.requests.filter((one) => one.includes('/u1'))).toHaveLength(2);
});

it('a filter of jq without end ends at --timeout', async () => {
  server.send(call(1, 'docs_read', { argv: ['members', 'get', 'u1', '--timeout', '1s'], jq: endless }));
  const { result } = await server.next();
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { exitCode: 12 } } });
  await server.close();
});

it('a filter of jq has a limit of memory', async () => {
  const jq = '[range(1e9)] | length';
  server.send(call(1, 'docs_read', { argv: ['members', 'get', 'u1'], jq }));
  const { result } = await server.next();
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'jq_failed' } } });
  await server.close();
});

it('docs_apply that is cancelled ends what is in flight, starts nothing new, and can be resumed', async () => {
  const held = gate();
  const plan = await applying();
  await held.reached;
  cancel(2);
  // Answered while it still waits: the server took the cancellation before.
  server.send(request(3, 'ping'));
  expect(await server.next()).toMatchObject({ id: 3 });
  held.open();
  server.send(call(4, 'docs_apply', { plan }));
  const again = { isError: true, structuredContent: { error: { code: 'plan_applied' } } };
  expect(await server.next()).toMatchObject({ id: 4, result: again });
  // It goes on with what is in flight, and is no longer run by anybody then.
  let id = 5;
  const state = async () => {
    server.send(call(id++, 'docs_job', {}));
    const jobs = (await server.next()).result?.structuredContent?.result as { state: string }[];
    expect(jobs).toHaveLength(1);
    return jobs[0]?.state;
  };
  await expect.poll(state).not.toBe('running');
  expect(await state()).toBe('unfinished');
  await server.close();
  expect(await server.ended).toBe(0);
  await expectResumable();
});

it.each([
  ['its input was closed', () => server.close()],
  ['it was told to', async () => server.stop()],
])('a server that ends because %s waits for what is in flight', async (_, end) => {
  const held = gate();
  await applying();
  await held.reached;
  await end();
  held.open();
  expect([0, 143]).toContain(await server.ended);
  await expectResumable();
});
