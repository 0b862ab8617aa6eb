import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { answerOf, type CopyWorld, openCopyWorld, readsOf } from './world.js';

/**
 * A change in a copy that reads the platform as it is asked has the answer that the platform would give, and so
 * has every read after it. What is not read stays at the platform: the copy sends reads alone.
 */

let world: CopyWorld;
beforeEach(async () => {
  world = await openCopyWorld();
});
afterEach(() => world.close());

const org = () => `/v1/orgs/${world.platform.organizationId}`;

type Change = [method: string, path: string, body?: unknown];

/** Sends changes to the copy and to a real organization that is the same, then compares them and every read. */
async function compare(changes: readonly Change[]): Promise<void> {
  const { platform, real, inCopy } = world;
  const urls = await readsOf(platform);
  const seeded = (
    await Promise.all(urls.map(async (url) => (await platform.admin.send('GET', url)).text()))
  ).join();
  for (const [method, path, body] of changes) {
    const wanted = await answerOf(real.admin, method, path, seeded, body);
    const got = await answerOf(inCopy, method, path, seeded, body);
    expect(got, `${method} ${path}`).toBe(wanted);
  }
  const differing: string[] = [];
  for (const url of urls) {
    const wanted = await answerOf(real.admin, 'GET', url, seeded);
    const got = await answerOf(inCopy, 'GET', url, seeded);
    if (got !== wanted) differing.push(`${url}\n  real: ${wanted}\n  copy: ${got}`);
  }
  expect(differing.map((line) => line.slice(0, 3000)).join('\n')).toBe('');
  expect(world.copy.reads().filter(({ method }) => method !== 'GET')).toEqual([]);
}

describe('a copy without changes', () => {
  it('answers every read as the platform does', () => compare([]));
});

describe('people', () => {
  const member = (name: string) => `${org()}/members/${seedId(`user ${name}`)}`;
  const cases: [string, () => Change[]][] = [
    ['a new role', () => [['PATCH', member('deniz'), { role: 'read' }]]],
    ['a guest', () => [['PATCH', member('deniz'), { role: null }]]],
    ['someone removed', () => [['DELETE', member('deniz')]]],
    ['the last administrator', () => [['DELETE', member('ada')]]],
    ['nobody', () => [['DELETE', `${org()}/members/nobody`]]],
    ['SSO', () => [['POST', `${member('deniz')}/sso`]]],
  ];
  it.each(cases)('%s', (_, changes) => compare(changes()));
});
