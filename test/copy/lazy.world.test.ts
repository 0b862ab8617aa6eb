import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { type CopyWorld, openPlatform, openWorld, type SharedPlatform } from './world.js';

let shared: SharedPlatform;
let world: CopyWorld;
beforeAll(async () => {
  shared = await openPlatform();
});
afterAll(() => shared.close().catch(() => {}));
beforeEach(async () => {
  world = await openWorld(shared);
});
afterEach(() => world.close());

const org = () => `/v1/orgs/${world.platform.organizationId}`;
const member = (name: string) => `${org()}/members/${seedId(`user ${name}`)}`;
const logOf = async (): Promise<string[]> =>
  world.copy.reads().map(({ method, path }) => `${method} ${path}`);

describe('what is read of the platform', () => {
  it('is what a command asks for, and no more', async () => {
    const before = (await logOf()).length;
    await world.inCopy.send('GET', `${org()}/members?role=admin&limit=5`);
    expect((await logOf()).slice(before)).toEqual([`GET ${org()}/members?role=admin&limit=5`]);
  });

  it('is read once by many at the same time', async () => {
    const before = (await logOf()).length;
    await Promise.all([1, 2, 3, 4].map(() => world.inCopy.send('GET', member('deniz'))));
    expect((await logOf()).slice(before)).toEqual([`GET ${member('deniz')}`]);
  });

  it('does not grow with the organization for a change of one member', async () => {
    await world.inCopy.send('PATCH', member('deniz'), { body: { role: 'read' } });
    expect(await logOf()).not.toContain(`GET ${org()}/members?limit=1000`);
    const list = await world.inCopy.send('GET', `${org()}/members?role=edit`);
    expect(await list.json()).toMatchObject({ items: [], count: 0 });
  });
});

describe('the log of a copy', () => {
  it('has requests with what they changed', async () => {
    await world.inCopy.send('PATCH', member('deniz'), { body: { role: 'read' } });
    await world.inCopy.send('DELETE', member('farah'));
    const made = await world.inCopy.send('PUT', `${org()}/teams`, { body: { title: 'New' } });
    const team = await made.json();
    expect(world.copy.requests()).toMatchObject([
      {
        method: 'PATCH',
        path: member('deniz'),
        status: 200,
        before: { role: 'edit' },
        after: { role: 'read' },
      },
      { method: 'DELETE', path: member('farah'), status: 204, before: { role: 'read' } },
      { method: 'PUT', path: `${org()}/teams`, status: 201, after: team },
    ]);
    expect(world.copy.requests()[1]).not.toHaveProperty('after');
  });

  it('leaves the platform as it was', async () => {
    await world.inCopy.send('DELETE', member('deniz'));
    expect((await world.platform.admin.send('GET', member('deniz'))).status).toBe(200);
    expect((await world.inCopy.send('GET', member('deniz'))).status).toBe(404);
  });
});

describe('bytes at addresses', () => {
  const bytesAt = (address: string) => `/platform-bytes?of=${encodeURIComponent(address)}`;

  it('are those of the platform where it named the address', async () => {
    const list = await world.inCopy.send('GET', `/v1/spaces/${seedId('space welcome')}/content/files`);
    const [file] = ((await list.json()) as { items: { downloadURL: string }[] }).items;
    const response = await world.inCopy.send('GET', bytesAt(file?.downloadURL ?? ''));
    const wanted = await fetch(file?.downloadURL ?? '');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(wanted.headers.get('content-length'));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(await wanted.arrayBuffer()));
  });

  it('are not fetched from any other, nor for anybody without the token', async () => {
    const before = (await logOf()).length;
    const address = `${world.platform.url}/openapi.json`;
    expect((await world.inCopy.send('GET', bytesAt(address))).status).toBe(421);
    expect((await fetch(world.copy.url + bytesAt(address))).status).toBe(401);
    expect((await logOf()).length).toBe(before);
  });
});

describe('who acts in a copy', () => {
  it('is the owner of the token where that is known', async () => {
    const editors = await openWorld(shared, { role: 'edit', owned: true });
    await editors.inCopy.send('POST', `/v1/spaces/${seedId('space welcome')}/change-requests`);
    const list = await editors.inCopy.send('GET', `/v1/spaces/${seedId('space welcome')}/change-requests`);
    const made = ((await list.json()) as { items: { createdBy: { id: string } }[] }).items[0];
    expect(made?.createdBy.id).toBe(shared.platform.tokens.find(({ name }) => name === 'edit')?.member);
    expect(editors.copy.gaps()).toEqual([]);
    await editors.close();
  });

  it('is said where it is not, once something was changed', async () => {
    expect(world.copy.gaps()).toEqual([]);
    await world.inCopy.send('PATCH', member('deniz'), { body: { role: 'read' } });
    expect(world.copy.gaps()).toEqual([]);
    await world.inCopy.send('PATCH', member('farah'), { body: { role: 'admin' } });
  });
});

/** The last: it ends the platform. */
describe('a platform that cannot be read', () => {
  it('is told with its address, and the copy stays usable', async () => {
    await world.inCopy.send('PATCH', member('deniz'), { body: { role: 'read' } });
    await shared.close();
    const response = await world.inCopy.send('DELETE', member('farah'));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(/^the copy could not read .*members.* of the platform: /);
    expect((await world.inCopy.send('GET', member('deniz'))).status).toBe(200);
  });
});
