import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { docsFile, docsFirst } from '../started.js';
import { type JobHome, jobHome, outcomes } from './job-home.js';
import { type MemberPlatform, memberPlatform } from './member-platform.js';

/** Calls that are cancelled, and servers that end, while something runs: the journal says how far it came. */

const count = 12;
let platform: MemberPlatform;
let home: JobHome;
let child: ChildProcessWithoutNullStreams;
let lines: AsyncIterator<string>;
beforeEach(async () => {
  platform = await memberPlatform(count);
  home = jobHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
  const words = [...docsFirst, 'mcp', 'serve', '--allow-writes'];
  child = spawn(docsFile, words, { env: home.env, cwd: home.path, stdio: 'pipe' });
  child.stdin.on('error', () => {}); // A server that was stopped reads no more.
  lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await next();
  send({ method: 'notifications/initialized' });
});
afterEach(async () => {
  child.kill('SIGKILL');
  home.remove();
  await platform.close();
});

const clientInfo = { name: 'raw', version: '1' };
const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const cancel = (id: number) => send({ method: 'notifications/cancelled', params: { requestId: id } });
const call = (id: number, name: string, given: object) =>
  send({ id, method: 'tools/call', params: { name, arguments: given } });

interface Message {
  id?: number;
  result?: { structuredContent?: Record<string, unknown>; isError?: boolean };
}
async function next(): Promise<Message> {
  const { value, done } = await lines.next();
  if (done) throw new Error('The server closed its output.');
  return JSON.parse(value) as Message;
}

/** Plans a change of all members, and starts to apply it as call 2. @returns the handle */
async function applying(): Promise<string> {
  const ids = [...platform.roles.keys()];
  call(1, 'docs_plan', { argv: ['members', 'update', ...ids, '--role', 'read', '--concurrency', '2'] });
  const plan = String((await next()).result?.structuredContent?.plan);
  expect(plan).toMatch(/^plan-/);
  call(2, 'docs_apply', { plan });
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
      if (number < 3) return 'done';
      resolve();
      await opened;
      // So that a server that would go on is not done before it is told to stop.
      await wait(200);
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
  await home.ok(['jobs', 'resume', 'last', '--json']);
  expect([...platform.changes].sort()).toEqual([...platform.roles.keys()].map((id) => `${id} read`).sort());
}

describe('a call that is cancelled', () => {
  it('stops docs_read, is not answered, and leaves the server running', async () => {
    const arrived = new Promise<void>((resolve) => {
      platform.onRead = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    call(1, 'docs_read', { argv: ['members', 'get', 'u1'] });
    await arrived;
    cancel(1);
    platform.onRead = () => {};
    call(2, 'docs_read', { argv: ['members', 'get', 'u1'] });
    expect(await next()).toMatchObject({ id: 2, result: { structuredContent: { result: { id: 'u1' } } } });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('interrupts docs_apply: what is in flight ends, nothing new starts, and it can be resumed', async () => {
    const held = gate();
    const plan = await applying();
    await held.reached;
    cancel(2);
    // Answered while it still waits: the server took the cancellation before.
    send({ id: 3, method: 'ping' });
    expect(await next()).toMatchObject({ id: 3 });
    held.open();
    call(4, 'docs_apply', { plan });
    const again = await next();
    expect(again).toMatchObject({
      id: 4,
      result: { isError: true, structuredContent: { error: { code: 'plan_applied' } } },
    });
    // It goes on with what is in flight, and is no longer run by anybody then.
    const states: unknown[] = [];
    for (let id = 5; states.length === 0 || states.at(-1) === 'running'; id += 1) {
      call(id, 'docs_job', {});
      const jobs = (await next()).result?.structuredContent?.result as { state: string }[];
      expect(jobs).toHaveLength(1);
      states.push(jobs[0]?.state);
    }
    expect(states.at(-1)).toBe('unfinished');
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expectResumable();
  });
});

describe('a server that ends while docs_apply runs', () => {
  it('because its input was closed: waits for what is in flight, and exits with 0', async () => {
    const held = gate();
    await applying();
    await held.reached;
    const exit = once(child, 'exit');
    child.stdin.end();
    held.open();
    expect(await exit).toEqual([0, null]);
    await expectResumable();
  });

  it('because it was told to: waits for what is in flight, and ends by the signal', async () => {
    const held = gate();
    await applying();
    await held.reached;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    held.open();
    expect(await exit).toEqual([null, 'SIGTERM']);
    await expectResumable();
  });
});
