import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, startRecordingPlatform } from '../../cli/run/recording-platform.js';
import type { SentRequest } from '../../cli/run/request-cases.js';

/** Finding the owner of the token by pings, and ambiguous emails, on a scripted platform. */

const platform = await startRecordingPlatform();
afterAll(() => platform.close());

interface Person {
  id: string;
  email: string;
  role: string | null;
  seen: number;
  disabled?: boolean;
}

let people: Person[];
let pings: number;
/** What a ping does: who is seen at it, or the status that it fails with. */
let onPing: (() => string[]) | number;
let permissions: Record<string, boolean>;
beforeEach(() => {
  rmSync(join(platform.home, '.local'), { recursive: true, force: true });
  people = [
    { id: 'u1', email: 'ada@acme.example', role: 'admin', seen: 1 },
    { id: 'u2', email: 'bo@acme.example', role: 'admin', seen: 2 },
    { id: 'u3', email: 'cy@acme.example', role: 'read', seen: 3 },
  ];
  pings = 0;
  permissions = { admin: true };
  onPing = () => ['u1'];
});

function ping(): Answer {
  pings += 1;
  if (typeof onPing === 'number') return { status: onPing, body: {} };
  const seen = onPing();
  for (const one of people) if (seen.includes(one.id)) one.seen += 10;
  return { status: 200, body: {} };
}

const shown = ({ id, email, role, seen, disabled = false }: Person) => ({
  ...{ object: 'member', id, role, disabled, sso: false, spaces: 0, teams: 0 },
  user: { object: 'user', id, displayName: id, email, urls: {} },
  joinedAt: '2025-01-01T00:00:00.000Z',
  lastSeenAt: new Date(Date.parse('2025-06-01T00:00:00Z') + seen * 1000).toISOString(),
});
const list = (items: unknown[]): Answer => ({ status: 200, body: { items } });

function answer({ method, path, query }: SentRequest): Answer {
  const { search, role } = Object.fromEntries(new URLSearchParams(query)) as Record<string, string>;
  if (path.endsWith('/ping')) return ping();
  if (method === 'DELETE') return { status: 204 };
  const [, id] = /\/members\/(\w+)$/.exec(path) ?? [];
  if (id !== undefined) {
    const found = people.find((one) => one.id === id);
    return found === undefined
      ? { status: 404, body: { error: { code: 404, message: 'no' } } }
      : { status: 200, body: shown(found) };
  }
  if (path.endsWith('/members')) {
    const fitting = people.filter(
      (one) =>
        (role === undefined || one.role === role) && (search === undefined || one.email.includes(search)),
    );
    return list(fitting.map(shown));
  }
  if (/\/orgs\/o1$/.test(path))
    return { status: 200, body: { id: 'o1', title: 'Acme', emailDomains: [], permissions } };
  return list([]);
}

const offboard = (...words: string[]) =>
  platform.run(['members', 'offboard', ...words, '--yes'], answer, {
    env: { DOCS_ORG: 'o1', DOCS_JOURNAL: 'on' },
  });
const removed = (sent: readonly SentRequest[]) => sent.some(({ method }) => method === 'DELETE');

describe('the owner of the token', () => {
  test('is the member last seen by the ping, and is refused', async () => {
    const ran = await offboard('u1');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('ada@acme.example owns the token in use; another admin has to do this.');
    expect({ pings, removed: removed(ran.sent) }).toEqual({ pings: 1, removed: false });
  });

  test('is found by another ping if another member was active at the same moment', async () => {
    onPing = () => (pings === 1 ? ['u1', 'u2'] : ['u1']);
    expect((await offboard('u2')).stderr).not.toContain('owns the token');
    expect(pings).toBe(2);
  });

  test('may be any of several active members, all of whom are refused', async () => {
    onPing = () => ['u1', 'u2'];
    const ran = await offboard('u2');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('bo@acme.example may own the token in use');
    expect(removed((await offboard('u3')).sent)).toBe(true);
  });

  test('may be any admin if the ping tells nothing', async () => {
    onPing = () => [];
    const ran = await offboard('u2');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      'bo@acme.example may own the token in use: a ping did not change when any member was last seen.',
    );
    expect(removed((await offboard('u3')).sent)).toBe(true);
  });

  test('may be anybody if the platform does not tell the role of the token', async () => {
    onPing = 403;
    permissions = {};
    const ran = await offboard('u3');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('may own the token in use: the ping that identifies its owner failed');
  });
});

test('a disabled admin does not count as a remaining one', async () => {
  Object.assign(people[0] ?? {}, { disabled: true });
  onPing = () => ['u3'];
  const ran = await offboard('u2');
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('bo@acme.example is the last admin of the organization');
});

test('an ambiguous email is refused with the ids', async () => {
  people.push({ id: 'u4', email: 'CY@acme.example', role: 'read', seen: 4 });
  people.push({ id: 'u5', email: 'cy@acme.example', role: 'read', seen: 4 });
  const ran = await offboard('cy@acme.example', 'no@acme.example');
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('Email "cy@acme.example" matches 2 members: u3, u5. Use the id.');
  expect(ran.stderr).toContain('member "no@acme.example" not found');
  expect(removed(ran.sent)).toBe(false);
});
