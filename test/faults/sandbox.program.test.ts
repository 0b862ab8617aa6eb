import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { inWorld, type World } from './run.js';

/** RELIABILITY.md, "The sandbox": what is acknowledged is kept, whoever is killed and however many write. */

const env = { DOCS_TOKEN: undefined, DOCS_BASE_URL: undefined, DOCS_ORG: undefined };
const rows = (name: string, count: number): string =>
  `title\n${Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join('')}`;

async function titles(world: World): Promise<Set<string>> {
  const ran = await world.run(['--sandbox', 'teams', 'list', '--json']);
  expect(ran.code).toBe(0);
  return new Set((JSON.parse(ran.stdout) as { title: string }[]).map(({ title }) => title));
}

test('two programs at once on one database: both get all of their writes', async () => {
  const count = 60;
  await inWorld({ env, files: { 'a.csv': rows('A', count), 'b.csv': rows('B', count) } }, async (world) => {
    // The first start makes the data; after that, two at once.
    await titles(world);
    const many = (file: string) =>
      world.run(['--sandbox', 'bulk', 'teams', 'create', '--from', file, '--yes', '-o', 'ndjson']);
    const both = await Promise.all([many('a.csv'), many('b.csv')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const kept = await titles(world);
    for (const name of ['A', 'B'])
      for (let index = 0; index < count; index += 1) expect(kept.has(`${name} ${index}`)).toBe(true);
  });
});

test('kill -9 in the middle of 1,200 writes: what was acknowledged is there', async () => {
  // Their results are more than a pipe holds: a slow reader finds the run alive.
  await inWorld({ env, files: { 'a.csv': rows('K', 1200) } }, async (world) => {
    const before = await titles(world);
    const words = ['--sandbox', 'bulk', 'teams', 'create', '--from', 'a.csv', '--yes', '-o', 'ndjson'];
    const running = world.start(words, { unread: true });
    const acknowledged: number[] = [];
    for await (const line of createInterface({ input: running.child.stdout ?? Readable.from([]) })) {
      // A line that was cut by the end is no acknowledgement.
      const result = parsed(line);
      if (result?.status === 'ok') acknowledged.push(result.index);
      if (acknowledged.length === 150) running.child.kill('SIGKILL');
    }
    expect((await running.ended).signal).toBe('SIGKILL');
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);
    const kept = await titles(world);
    expect(acknowledged.filter((index) => !kept.has(`K ${index}`))).toEqual([]);
    expect([...before].every((title) => kept.has(title))).toBe(true);
    // The journal knows the rest, and looks up what nobody knows.
    const [job = ''] = (await world.run(['--sandbox', 'jobs', 'list', '-o', 'id'])).stdout.split('\n');
    const resumed = await world.run(['--sandbox', 'jobs', 'resume', job, '--yes', '-o', 'ndjson']);
    expect([0, 3]).toContain(resumed.code);
  });
});

function parsed(line: string): { index: number; status: string } | undefined {
  try {
    return JSON.parse(line) as { index: number; status: string };
  } catch {
    return undefined;
  }
}

describe('the server', () => {
  test('binds loopback, checks Host and Origin, and wants its own token', async () => {
    await inWorld({ env }, async (world) => {
      const running = world.start(['sandbox', 'start', '--foreground', '-o', 'ndjson'], { unread: true });
      const lines = createInterface({ input: running.child.stdout ?? Readable.from([]) });
      const [line] = (await once(lines, 'line')) as [string];
      const { url, tokens } = JSON.parse(line) as { url: string; tokens: { admin: string } };
      try {
        expect(new URL(url).hostname).toBe('127.0.0.1');
        const ask = (headers: Record<string, string>) =>
          fetch(`${url}/v1/orgs`, { headers }).then(({ status }) => status);
        const authorization = `Bearer ${tokens.admin}`;
        expect(await ask({ authorization })).toBe(200);
        expect(await ask({ authorization: 'Bearer sbx_guessed' })).toBe(401);
        expect(await ask({ authorization, origin: 'https://evil.example' })).toBe(403);
        const strange = request(`${url}/v1/orgs`, { headers: { authorization, host: 'evil.example' } });
        strange.on('error', () => {}); // Before the answer it fails the test below.
        strange.end();
        const [refusal] = (await once(strange, 'response')) as [IncomingMessage];
        refusal.resume();
        expect(refusal.statusCode).toBe(403);
        // Only announced: a server that refuses need not read it.
        const large = { authorization, 'content-type': 'application/json', 'content-length': '10485761' };
        const asking = request(`${url}/v1/orgs/any/ping`, { method: 'POST', headers: large });
        asking.on('error', () => {});
        asking.flushHeaders();
        const [answer] = (await once(asking, 'response')) as [IncomingMessage];
        expect(answer.statusCode).toBe(413);
        asking.destroy();
      } finally {
        running.child.kill('SIGINT');
        expect((await running.ended).signal).toBe('SIGINT');
      }
    });
  });
});
