import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Client, seedId } from '../sandbox/client.js';
import { type CopyWorld, openPlatform, openWorld, type SharedPlatform } from './world.js';

/** Lists that a change falls into between two pages: the copy goes on as the organization does. */

let shared: SharedPlatform;
let world: CopyWorld;
beforeAll(async () => {
  shared = await openPlatform();
});
afterAll(() => shared.close());
beforeEach(async () => {
  world = await openWorld(shared);
});
afterEach(() => world.close());

interface Page {
  items: { id: string }[];
  next?: { page: string };
}

/** Names the members of pages of two, with a change after the first. */
async function pages(client: Client, org: string, change: (client: Client) => Promise<unknown>) {
  const seen: string[] = [];
  for (let page: string | undefined, more = true; more; more = page !== undefined) {
    const query = `limit=2${page === undefined ? '' : `&page=${encodeURIComponent(page)}`}`;
    const told = (await (await client.send('GET', `${org}/members?${query}`)).json()) as Page;
    if (page === undefined) await change(client);
    seen.push(...told.items.map(({ id }) => id));
    page = told.next?.page;
  }
  return seen;
}

it.each(['deniz', 'farah'])('without %s, who leaves after the first page', async (name) => {
  const org = `/v1/orgs/${shared.platform.organizationId}`;
  const leave = (client: Client) => client.send('DELETE', `${org}/members/${seedId(`user ${name}`)}`);
  expect(await pages(world.inCopy, org, leave)).toEqual(await pages(world.inReal, org, leave));
});

it('goes on after a member of the first page left', async () => {
  const org = `/v1/orgs/${shared.platform.organizationId}`;
  const first = (await (await world.inReal.send('GET', `${org}/members?limit=2`)).json()) as Page;
  for (const at of [0, 1]) {
    const leave = (client: Client) => client.send('DELETE', `${org}/members/${first.items[at]?.id}`);
    const [copy, real] = [await pages(world.inCopy, org, leave), await pages(world.inReal, org, leave)];
    expect(copy).toEqual(real);
  }
});

it('says that the platform shows no deleted space, where one is to be restored', async () => {
  const response = await world.inCopy.send('POST', '/v1/spaces/gone/restore');
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('shows nothing of deleted spaces');
  expect(world.copy.gaps()).toContainEqual(expect.stringMatching(/deleted before cannot be restored/));
});
