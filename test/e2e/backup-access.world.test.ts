import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clean, failureOf, homeOfFile } from './backup-home.js';

/** Permissions and orders in backups, and facts that are older than the run. */

type Line = { member: string } & Record<string, string | string[]>;
interface Manifest {
  startedAt: string;
  accessReadAt: string | null;
  older?: Record<string, string>;
  files: { kind: string }[];
  spaces: {
    id: string;
    state: string;
    readAt: string;
    repliesReadAt: string;
    older?: Record<string, string>;
  }[];
}

const home = homeOfFile({ backup: true });
const manifest = () => home.parsed<Manifest>('b', 'manifest.json');
const entry = (id: string) => manifest().spaces.find((space) => space.id === id);
const memberReads = () => home.gateway.requests.filter((line) => /\/members\/[\w-]+\/spaces/.test(line));

// The same by diff: test/backup/access.test.ts.
test('a backup holds who can do what in each space, and the order of spaces; verify compares both', async () => {
  const lines = home.parsed<Line[]>('b', 'access.json');
  const members = home.parsed<{ id: string }[]>('b', 'members.json');
  expect(lines.map(({ member }) => member)).toEqual(members.map(({ id }) => id));
  for (const { member, ...own } of lines) {
    const listed = await home.json<{ permission: string; space: { id: string } }[]>([
      'members',
      'spaces',
      member,
    ]);
    const pairs = Object.entries(own).flatMap(([permission, ids]) =>
      [ids].flat().map((id) => `${permission} ${id}`),
    );
    expect(pairs.sort()).toEqual(listed.map(({ permission, space }) => `${permission} ${space.id}`).sort());
  }
  const { counts } = await home.backedUp();
  expect(counts.access).toBe(lines.flatMap(({ member: _, ...own }) => Object.values(own).flat()).length);
  const [guide, reference] = [await home.space('Product Guide'), await home.space('API Reference')];
  expect(home.parsed('b', 'orders.json')).toContainEqual({
    collection: expect.anything(),
    items: [guide, reference],
  });
  expect(manifest().accessReadAt).toBe(manifest().startedAt);

  const editor = await home.firstId('members', 'list', '--role', 'edit');
  await home.ok(['members', 'update', editor, '--role', 'read', '--yes']);
  await home.ok(['spaces', 'move', reference, '--before', guide]);
  // A new space and a removed one are one finding each, not one for every person.
  await home.ok(['spaces', 'delete', await home.space('Board Notes'), '--yes']);
  const permission = { field: 'permission', before: 'edit', after: 'read' };
  const welcome = {
    kind: 'access',
    title: 'Deniz Yıldız',
    space: 'Welcome',
    detail: 'permission: edit → read',
  };
  const order = { kind: 'order', title: 'Product', detail: expect.stringContaining('["Product Guide"') };
  const { code, found } = await home.verified();
  expect(code).toBe(17);
  expect(found).toContainEqual(
    expect.objectContaining({ state: 'outdated', ...welcome, fields: [permission] }),
  );
  expect(found).toContainEqual(expect.objectContaining({ state: 'outdated', ...order }));
  expect(found.filter(({ space }) => space === 'Board Notes')).toEqual([]);
  expect((await home.verified('--no-access')).found.filter(({ kind }) => kind === 'access')).toEqual([]);
  await home.backedUp();
  expect(await home.verified()).toMatchObject(clean);
  // Offline, a changed list is a changed file.
  writeFileSync(home.at('b', 'access.json'), '[\n]\n');
  expect((await home.verified('--offline')).found).toMatchObject([{ state: 'changed', kind: 'access' }]);
});

test('--no-access sends no request per member, keeps what was read, and the backup says so', async () => {
  rmSync(home.at('b'), { recursive: true });
  const first = await home.backUp('--no-access');
  expect(first).toMatchObject({ code: 0 });
  expect(JSON.parse(first.stdout)).toMatchObject({ accessReadAt: null, older: 0 });
  // The administrator's spaces are read to find spaces.
  expect(memberReads()).toHaveLength(1);
  expect(existsSync(home.at('b', 'access.json'))).toBe(false);
  expect(manifest()).toMatchObject({ accessReadAt: null });
  const told = await home.run(['backup', 'verify', 'b']);
  expect(told).toMatchObject({ code: 0, stdout: '' });
  expect(told.stderr).toContain('Permissions in spaces are not in this backup.\n');
  await home.ok(['backup', 'run', '--out', 'c']);
  const compared = await home.run(['backup', 'diff', 'b', 'c', '--exit-code']);
  expect(compared).toMatchObject({ code: 0, stdout: '' });
  expect(compared.stderr).toMatch(/^Permissions in spaces are not compared: \S*\/b does not have them\.\n/);

  await home.backedUp();
  const { accessReadAt } = manifest();
  await home.backedUp('--no-access');
  expect(existsSync(home.at('b', 'access.json'))).toBe(true);
  expect(manifest()).toMatchObject({ accessReadAt, older: { access: accessReadAt } });
  expect(accessReadAt).not.toBe(manifest().startedAt);
  expect(await home.verified('--offline')).toMatchObject(clean);
});

test('values of fields are of every run; of replies and failed reads the manifest says how old they are', async () => {
  const space = await home.space('Welcome');
  const first = manifest().startedAt;
  expect(manifest().spaces.map(({ readAt, older }) => ({ readAt, older }))).toEqual(
    Array.from({ length: 5 }, () => ({ readAt: first })),
  );
  await home.ok(['spaces', 'fields', 'set', space, 'owner-team=Zoë']);
  expect((await home.backUp()).stdout).toContain('"older": 1');
  expect(readFileSync(home.at('b', 'spaces', 'Welcome', 'fields.json'), 'utf8')).toContain('Zoë');
  const second = manifest().startedAt;
  expect(entry(space)).toMatchObject({ readAt: second, repliesReadAt: first, older: { replies: first } });
  expect(manifest().spaces.filter(({ older }) => older !== undefined)).toHaveLength(1);
  // Values of fields fail, and those of the run before stay.
  home.refuse(`/spaces/${space}/custom-fields`, 500);
  const ran = await home.backUp('--no-retry');
  expect(failureOf(ran.stderr)).toMatchObject({ code: 'not_all_read' });
  expect(entry(space)?.older).toEqual({ fields: second, replies: first });
  await home.backUp('--no-retry');
  expect(entry(space)?.older).toEqual({ fields: second, replies: first });
  home.gateway.reset();
  expect(JSON.parse((await home.backUp('--full')).stdout)).toMatchObject({ older: 0 });
  expect(entry(space)?.older).toBeUndefined();
});
