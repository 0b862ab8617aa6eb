import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/hash.js';
import type { ChainLine } from '../../src/policy/audit/chain.js';
import { runLimited } from './job-home.js';
import { memberHome } from './member-home.js';

/** The audit chain of processes at once, on a full disk, and in little memory. */

const { platform, home } = await memberHome(40, { USER: 'ada' });
const chain = join(home.path, '.local', 'state', 'docs', 'audit.jsonl');

const lines = () => readFileSync(chain, 'utf8').split('\n').slice(0, -1);
const update = (id: string) => ['members', 'update', id, '--role', 'read', '--yes'];
const verify = async () => JSON.parse((await home.run(['audit', 'verify', '--json'])).stdout) as unknown;

test('processes that write at once each have their lines, in one chain', async () => {
  const ran = await Promise.all(['u1', 'u2', 'u3', 'u4'].map((id) => home.run(update(id))));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const events = lines().map((line) => JSON.parse(line) as ChainLine);
  expect(events.filter(({ event }) => event === 'job-begun')).toHaveLength(4);
  expect(events.filter(({ event }) => event === 'job-ended')).toHaveLength(4);
  expect(events.at(-1)).not.toHaveProperty('open');
  expect(await verify()).toMatchObject({ state: 'whole', events: 9, findings: [] });
});

test('a full disk leaves no half line, and the change that it has room for goes ahead with a warning', async () => {
  await home.ok(update('u1'));
  const before = lines();
  // No file may grow beyond 8 kB: what a full disk is to one file. The chain is that long, a journal is not.
  const command = 'x'.repeat(8000);
  const filler = JSON.stringify({
    ...JSON.parse(before.at(-1) ?? ''),
    seq: 4,
    command,
    prev: sha256(before.at(-1) ?? ''),
  });
  appendFileSync(chain, `${filler}\n`);
  const size = readFileSync(chain).length;
  const { code, stderr } = await runLimited(8, update('u2'), home);
  expect(code).toBe(0);
  expect(stderr).toContain('the file would be larger than allowed');
  expect(platform.changes).toEqual(['u1 read', 'u2 read']);
  expect(readFileSync(chain).length).toBe(size);
  expect(await verify()).toMatchObject({ state: 'broken', findings: [{ is: 'journal-unrecorded' }] });
});

test('forty megabytes are verified, listed and exported in little memory', async () => {
  await home.ok(update('u1'));
  const [first = ''] = lines();
  const all: string[] = [];
  let prev = '0'.repeat(64);
  const { seq: _, prev: __, ...rest } = JSON.parse(first) as ChainLine;
  // The journal of each job that begins is removed by the line after it.
  for (let seq = 1; seq <= 25_001; seq += 1) {
    const job = `20250101-000000-${Math.floor(seq / 2)
      .toString(16)
      .padStart(6, '0')}`;
    const event = seq % 2 === 0 ? 'job-begun' : 'journal-pruned';
    const text = JSON.stringify(
      seq === 1 ? { seq, ...rest, prev } : { seq, ...rest, event, job, command: 'x'.repeat(1300), prev },
    );
    prev = sha256(text);
    all.push(text);
  }
  const text = `${all.join('\n')}\n`;
  rmSync(home.journals, { recursive: true });
  writeFileSync(chain, text);
  const small = { env: { NODE_OPTIONS: '--max-old-space-size=40' } };
  const verified = await home.run(['audit', 'verify', '--head', prev, '--json'], small);
  expect(JSON.parse(verified.stdout)).toMatchObject({ events: 25_001, state: 'whole', removed: 12_500 });
  expect(verified.code).toBe(0);
  const listed = await home.run(['audit', 'list', '--limit', '1', '--json'], small);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ seq: 25_001 }]);
  const exported = await home.run(['audit', 'export'], small);
  expect(exported.stdout.length).toBe(text.length);
});
