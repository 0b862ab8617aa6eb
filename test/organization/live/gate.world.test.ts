import { expect, test } from 'vitest';
import type { Client } from '../../../src/api/client.js';
import { DocsError } from '../../../src/base/errors.js';
import { gated, readLive } from '../../../src/organization/live/read.js';
import { settled } from '../../fake-io.js';
import { eachTest } from '../../sandbox/each-test.js';
import { type LiveWorld, openLiveWorld } from './live-world.js';

const world: LiveWorld = eachTest(() => openLiveWorld('tiny'));

/** A client that answers when told to. */
function slowClient() {
  const waiting: { path: string; answer(): void; fail(cause: unknown): void }[] = [];
  const send = ({ path }: { path: string }) =>
    new Promise((resolve, reject) => {
      waiting.push({ path, answer: () => resolve({ body: path }), fail: reject });
    });
  return { waiting, client: { send, download: () => {}, close: () => {} } as unknown as Client };
}

const get = (path: string) => ({ method: 'GET', path, read: 'json' }) as const;
const paths = (waiting: readonly { path: string }[]) => waiting.map(({ path }) => path);

test('lets so many requests through at once, in their order', async () => {
  const { client, waiting } = slowClient();
  const gate = gated(client, 2);
  for (const path of ['/a', '/b', '/c', '/d']) gate.client.send(get(path)).catch(() => {});
  await settled();
  expect(paths(waiting)).toEqual(['/a', '/b']);
  waiting[1]?.answer();
  await settled();
  expect(paths(waiting)).toEqual(['/a', '/b', '/c']);
  waiting[0]?.fail(new Error('lost'));
  waiting[2]?.answer();
  await settled();
  expect(paths(waiting)).toEqual(['/a', '/b', '/c', '/d']);
});

test('gives up what waits once it has ended', async () => {
  const { client, waiting } = slowClient();
  const gate = gated(client, 1);
  const [first, second] = ['/a', '/b'].map((path) => gate.client.send(get(path)));
  gate.end(new Error('over'));
  await expect(second).rejects.toThrow('over');
  await expect(gate.client.send(get('/c'))).rejects.toThrow('over');
  waiting[0]?.answer();
  await expect(first).resolves.toEqual({ body: '/a' });
  expect(paths(waiting)).toEqual(['/a']);
});

test('a read that fails ends the reading: what was to come is not sent', async () => {
  const { client, sent, organizationId } = world;
  const failing: Client = {
    ...client,
    async send(request) {
      const response = await client.send(request);
      if (request.path.includes('/teams?'))
        throw new DocsError('network', 'reset', 'The connection was reset.');
      return response;
    },
  };
  const reading = readLive(
    failing,
    organizationId,
    () => true,
    () => {},
  );
  await expect(reading).rejects.toMatchObject({ code: 'reset' });
  const before = sent.length;
  // What was on its way ends, and nothing follows it.
  await expect.poll(() => world.underWay()).toBe(0);
  await settled();
  expect(sent).toHaveLength(before);
  sent.length = 0;
  await world.read();
  expect(before).toBeLessThan(sent.length);
});

test('progress tells how much was read', async () => {
  const counts: number[] = [];
  const live = await readLive(
    world.client,
    world.organizationId,
    () => true,
    (items) => counts.push(items),
  );
  const total = [...live.items.values()].reduce((sum, items) => sum + items.length, 0);
  expect([counts.length > 5, Math.max(...counts)]).toEqual([true, total]);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
});
