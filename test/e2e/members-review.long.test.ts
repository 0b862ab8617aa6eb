import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forwardedHome } from './forwarded-home.js';

/** `docs members review` in an organization of 400: all members, and applying decisions despite failures. */

const { home, sandbox, forwarder } = await forwardedHome({ seed: 'acme' });

interface Row {
  id: string;
  user: { email: string };
  role: string | null;
  teams: { title: string; onlyOwner: boolean }[];
  spaces: unknown[];
  flags: string[];
}

const review = ['members', 'review'];

test('has a row per member that agrees with the platform', async () => {
  const rows = await home.json<Row[]>(review);
  const members = await home.json<{ id: string; spaces: number; teams: number }[]>(['members', 'list']);
  expect(rows.map(({ id, spaces, teams }) => [id, spaces.length, teams.length])).toEqual(
    members.map(({ id, spaces, teams }) => [id, spaces, teams]),
  );
  expect(rows).toHaveLength(400);
});

test('one request in twenty fails: the review is complete', async () => {
  const whole = await home.ok([...review, '-o', 'csv']);
  await home.ok(['sandbox', 'fault', '--match', '*', '--rate', '0.05', '--status', '503']);
  const ran = await home.run([...review, '-o', 'csv']);
  expect(ran).toMatchObject({ code: 0, stdout: whole });
});

/** The review as CSV, with a decision for each of some people; nobody of them is the last of a team. */
async function decided(): Promise<string[]> {
  const rows = await home.json<Row[]>([...review, '--role', 'edit']);
  const plain = rows.filter(({ teams }) => teams.every(({ onlyOwner }) => !onlyOwner)).slice(0, 30);
  const csv = await home.ok([...review, '--role', 'edit', '-o', 'csv']);
  const decisions = new Map(plain.map(({ id }, at) => [id, at % 3 === 0 ? 'remove' : 'role=read']));
  const lines = csv.split('\n').map((line) => {
    const id = line.split(',').at(-1) ?? '';
    return line.replace(`,,${id}`, `,${decisions.get(id) ?? ''},${id}`);
  });
  writeFileSync(join(home.path, 'reviewed.csv'), lines.join('\n'));
  return plain.map(({ id }) => id);
}

async function expectApplied(people: readonly string[]): Promise<void> {
  const members = await home.json<{ id: string; role: string | null }[]>(['members', 'list']);
  const roles = people.map((id) => members.find((member) => member.id === id)?.role);
  expect(roles).toEqual(people.map((_, at) => (at % 3 === 0 ? undefined : 'read')));
  expect(new Set(forwarder.done).size).toBe(forwarder.done.length);
}

test('kill -9 in the middle: after resuming, each decision is applied once', async () => {
  const people = await decided();
  const running = home.start([...review, '--apply', 'reviewed.csv', '--yes']);
  forwarder.onChange = (count) => {
    if (count === 18) running.child.kill('SIGKILL');
    return count < 18 ? 'pass' : 'lost after';
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  forwarder.onChange = () => 'pass';
  await home.ok(['jobs', 'resume', 'last']);
  await expectApplied(people);
});

test('one request in twenty fails: after resuming, all decisions are applied', async () => {
  const people = await decided();
  await home.ok(['sandbox', 'fault', '--match', '*', '--rate', '0.05', '--status', '500']);
  let { code } = await home.run([...review, '--apply', 'reviewed.csv', '--yes']);
  for (let round = 0; round < 5 && code !== 0; round++)
    code = (await home.run(['jobs', 'resume', 'last'])).code;
  sandbox.control.faults.clear();
  expect(code).toBe(0);
  await expectApplied(people);
});
