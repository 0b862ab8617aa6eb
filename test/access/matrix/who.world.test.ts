import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { holdersOf } from '../../../src/access/holders.js';
import { type Holder, Tally } from '../../../src/access/person.js';
import type { Client } from '../../../src/api/client.js';
import { listMembers } from '../../../src/api/resources/members.js';
import type { Role } from '../../../src/api/shapes.js';
import { seedId } from '../../sandbox/client.js';
import { accessWorldOfFile, person, space } from '../access-world.js';

/** `docs access who`. Ada is the only admin; a team of Deniz and Chiara may edit API Reference. */

const world = await accessWorldOfFile();
const who = (...words: string[]) => world.json<Holder[]>(['access', 'who', ...words]);
const told = (holders: readonly Holder[]) =>
  holders.map(({ person: { email }, role, via }) => `${email?.split('@')[0]} ${role} ${via}`);

describe('everybody with a role', () => {
  test('by role, from high to low, with what gives it', async () => {
    const holders = await who(space('api'));
    expect(told(holders)).toEqual([
      'ada admin admin',
      'deniz edit granted',
      'chiara edit granted',
      'farah read default',
      'emil read default',
      'bruno read default',
    ]);
    expect(holders[1]).toEqual({
      person: { id: person('deniz'), email: 'deniz@acme.example', displayName: 'Deniz Yıldız' },
      space: { id: space('api'), title: 'API Reference' },
      role: 'edit',
      via: 'granted',
      teams: [{ id: seedId('team writers'), title: 'Writers' }],
    });
  });

  test('space by space, in the order that was asked for', async () => {
    const spaces = [space('board'), space('api'), space('board')];
    const holders = await who(...spaces, '--role', 'admin', '--role', 'edit');
    expect(holders.map((one) => `${one.space.title}: ${told([one])}`)).toEqual([
      'Board Notes: ada admin admin',
      'Board Notes: chiara edit granted',
      'API Reference: ada admin admin',
      'API Reference: deniz edit granted',
      'API Reference: chiara edit granted',
    ]);
  });

  test('reads no further than --limit needs, where the first rows are known', async () => {
    let asked = 0;
    type Path = { path: { userId?: string } };
    const items = async function* (op: { id: string }, { path }: Path): AsyncGenerator<object> {
      if (op.id === listMembers.id)
        for (let at = 0; at < 10_000; at += 1)
          yield { id: `u${at}`, role: 'read', user: { displayName: `Person ${at}` } };
      asked += 1;
      if (path.userId !== undefined)
        yield { permission: 'admin', space: { id: 's1', title: 'Handbook', visibility: 'private' } };
    };
    const pages = async function* (list: AsyncIterable<object>) {
      for await (const item of list) yield { items: [item] };
    };
    const call = (op: { id: string }, input: Path) =>
      Object.assign(items(op, input), { pages: () => pages(items(op, input)) });
    const client = { call } as unknown as Client;
    const reading = { client, organizationId: 'o1', concurrency: 2, signal: new AbortController().signal };
    const spaces = [{ id: 's1', title: 'Handbook', visibility: 'private' as const, defaultLevel: null }];
    const first = async (most: number, roles: Role[]) => {
      asked = 0;
      const request = { spaces, collections: new Map(), roles, most };
      let rows = 0;
      for await (const holders of holdersOf(reading, request, new Tally())) rows += holders.length;
      return { rows, asked };
    };
    const { rows, asked: few } = await first(3, ['admin']);
    expect(rows).toBeGreaterThan(3);
    expect(few).toBeLessThan(100);
    expect((await first(3, [])).asked).toBe(few);
    // Whoever is an editor comes after admins, of whom the last may be one.
    expect((await first(3, ['edit'])).asked).toBeGreaterThan(10_000);
  });

  test('sends one request a member, and few beside them', async () => {
    world.gateway.requests.length = 0;
    await who(space('api'), space('board'));
    const spaces = world.gateway.requests.filter((line) => /\/members\/\w+\/spaces/.test(line));
    expect(spaces).toHaveLength(7);
    expect(world.gateway.requests.length - spaces.length).toBeLessThanOrEqual(8);
  });

  test('in every format', async () => {
    const ran = (...words: string[]) => world.docs(['access', 'who', space('api'), ...words]);
    const csv = ['-o', 'csv', '--fields', 'person.email,role,via', '--role', 'admin'];
    for (const [words, stdout] of [
      [['-o', 'id', '--role', 'edit'], `${person('deniz')}\n${person('chiara')}\n`],
      [csv, 'person.email,role,via\nada@acme.example,admin,admin\n'],
      [['--jq', 'map(.role) | unique'], '["admin","edit","read"]\n'],
    ] as const)
      expect((await ran(...words)).stdout).toBe(stdout);
    expect((await ran('-o', 'ndjson')).stdout.split('\n')).toHaveLength(7);
    const cut = await ran('--limit', '2');
    expect(cut.stdout.split('\n')).toHaveLength(3);
    expect(cut.stderr).toContain('showing 2; more follow');
    expect(await ran('--limit', '6')).toMatchObject({ stderr: '6 roles in 1 space.\n' });
  });

  test('on a terminal has the way in view; of one space its title is not repeated', async () => {
    const one = await world.docs(['access', 'who', space('api')], { columns: 60 });
    expect(one.stdout).toMatch(/^PERSON +ROLE +VIA/);
    expect(one.stdout).not.toContain('API Reference');
    const two = await world.docs(['access', 'who', space('api'), space('board')], { columns: 80 });
    expect(two.stdout).toMatch(/^PERSON +ROLE +VIA +SPACE/);
  });
});

describe('what cannot be read', () => {
  test('is a row unknown, last, counted, and exits 3', async () => {
    world.refuse(new RegExp(`/members/${person('emil')}/spaces`));
    const ran = await world.docs(['access', 'who', space('api'), '--role', 'edit', '--json']);
    expect(ran.code).toBe(3);
    expect(told(JSON.parse(ran.stdout))).toEqual([
      'deniz edit granted',
      'chiara edit granted',
      'emil unknown unknown',
    ]);
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({
      code: 'not_all_read',
      exitCode: 3,
      details: { rows: 3, unknown: 1, failures: 1, unread: [{ kind: 'member-spaces', id: person('emil') }] },
    });
    expect(error.message).toBe('3 roles in 1 space; 1 row is unknown, 1 list could not be read');
  });

  test.each([
    [403, 'docs auth status', ['docs auth status', 'docs doctor']],
    [418, 'docs doctor', ['docs doctor', 'docs auth status']],
  ])(
    'a list for %i: what to run next looks at what may be wrong, not at jobs',
    async (status, hint, next) => {
      world.refuse(new RegExp(`/members/${person('emil')}/spaces`), status);
      const ran = await world.docs(['access', 'who', space('api'), '--json']);
      const { error } = JSON.parse(ran.stderr);
      expect({ code: ran.code, hint: error.hint }).toEqual({ code: 3, hint });
      expect(error.next.map(({ command }: { command: string }) => command)).toEqual(next);
    },
  );

  test('a collection: the roles are told, and what gives them is unknown', async () => {
    world.refuse(/\/collections\//);
    const ran = await world.docs(['access', 'who', space('guide'), '--json']);
    expect(ran.code).toBe(3);
    expect(told(JSON.parse(ran.stdout))).toEqual(
      expect.arrayContaining(['ada admin admin', 'emil comment unknown', 'goran read granted']),
    );
  });

  test('teams: a grant is told, and that teams were not read', async () => {
    world.refuse(/\/teams/);
    const ran = await world.docs(['access', 'who', space('api')]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('\tedit\tgranted\t');
    expect(ran.stderr).toContain('Not read: teams ');
  });

  test('members: there is nothing to tell', async () => {
    world.refuse(/\/members\?/);
    expect(await world.docs(['access', 'who', space('api')])).toMatchObject({ code: 5, stdout: '' });
  });

  test.each([
    ['a space that is not there', ['nothing'], 6],
    ['no space', [], 2],
    ['an empty list of spaces', ['-'], 2],
    ['an unknown role', [space('api'), '--role', 'owner'], 2],
  ])('%s is refused', async (_, words, code) => {
    expect(await world.docs(['access', 'who', ...words])).toMatchObject({ code, stdout: '' });
  });
});

test('many rows wait in files that are gone at the end', async () => {
  // A folder of its own: other tests have such files meanwhile.
  const folder = mkdtempSync(join(tmpdir(), 'docs-rows-'));
  vi.stubEnv('TMPDIR', folder);
  await who(space('api'));
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
