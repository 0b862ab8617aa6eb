import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DocsError } from '../../src/base/errors.js';
import type { Io } from '../../src/base/io.js';
import { JobFolder } from '../../src/jobs/job-folder.js';
import { type OverBudget, type Reservation, release, remaining, reserve } from '../../src/policy/budget.js';
import type { Counts } from '../../src/policy/effects.js';
import type { Policy } from '../../src/policy/policy.js';
import { fakeIo } from '../fake-io.js';
import { noTrail } from '../jobs/no-trail.js';
import { policyOf } from './world.js';

const hourMs = 3_600_000;
let home: string;
let nowMs: number;
let io: Io;
let ledger: string;

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'docs-budget-'));
  nowMs = Date.parse('2026-11-22T12:00:00Z');
  io = { ...fakeIo({ env: { HOME: home } }), now: () => nowMs };
  ledger = join(home, '.local', 'state', 'docs', 'budget.jsonl');
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const writes = (count: number, deletes = 0): Counts => ({ writes: count, deletes });

/** Reserves in a run of its own, unless one is given. */
function take(
  policies: readonly Policy[],
  wanted: Counts,
  run = writes(0),
): Promise<Reservation | OverBudget> {
  return reserve(io, policies, wanted, run);
}

async function refused(policies: readonly Policy[], wanted: Counts, run = writes(0)): Promise<OverBudget> {
  const found = await take(policies, wanted, run);
  if (!('is' in found)) throw new Error('it was reserved');
  return found;
}

async function taken(policies: readonly Policy[], wanted: Counts, run = writes(0)): Promise<Reservation> {
  const found = await take(policies, wanted, run);
  if ('is' in found) throw new Error(found.why);
  return found;
}

describe('a budget of a run', () => {
  it('counts what the run reserves, and touches no file', async () => {
    const policies = [await policyOf('budget: { writes: 3/run }')];
    const run = writes(0);
    await taken(policies, writes(2), run);
    expect(await refused(policies, writes(2), run)).toEqual({
      is: 'deny',
      by: { file: '/p.yaml', line: 2, rule: 'budget writes: 3/run' },
      why: 'the budget of 3 writes per run has 1 left, and 2 writes are needed',
      left: 1,
    });
    await taken(policies, writes(1), run);
    await taken(policies, writes(3));
    expect(fs.existsSync(ledger)).toBe(false);
  });

  it('gives to one of two requests that reserve at once', async () => {
    const policies = [await policyOf('budget: { writes: [1/run, 9/day] }')];
    const run = writes(0);
    const found = await Promise.all([take(policies, writes(1), run), take(policies, writes(1), run)]);
    expect(found.filter((one) => 'is' in one)).toHaveLength(1);
    expect(run.writes).toBe(1);
  });
});

describe('a budget of a time', () => {
  it('is spent by all runs, and is back once the time is over', async () => {
    const policies = [await policyOf('budget: { deletes: 2/hour }')];
    await taken(policies, writes(1, 1));
    expect(fs.statSync(ledger).mode & 0o777).toBe(0o600);
    nowMs += hourMs / 2;
    await taken(policies, writes(1, 1));
    expect(await refused(policies, writes(1, 1))).toMatchObject({
      by: { line: 2, rule: 'budget deletes: 2/hour' },
      why: 'the budget of 2 deletes per hour has 0 left, and 1 delete is needed; there is room again at 2026-11-22T13:00:00.000Z',
      left: 0,
      backAtMs: Date.parse('2026-11-22T13:00:00Z'),
    });
    await taken(policies, writes(5));
    nowMs += hourMs / 2;
    await taken(policies, writes(1, 1));
  });

  it('says when all that is asked has room, or that it never has', async () => {
    const policies = [await policyOf('budget: { writes: 3/day }')];
    await taken(policies, writes(2));
    nowMs += hourMs;
    await taken(policies, writes(1));
    expect(await refused(policies, writes(3))).toMatchObject({ backAtMs: nowMs + 24 * hourMs });
    expect(await refused(policies, writes(2))).toMatchObject({ backAtMs: nowMs + 23 * hourMs });
    const never = await refused(policies, writes(4));
    expect(never.why).toBe(
      'the budget of 3 writes per day has 0 left, and 4 writes are needed; the budget never allows that many at once',
    );
    expect(never.backAtMs).toBeUndefined();
  });

  it('reserves in all policies or in none', async () => {
    const [wide, narrow] = [
      await policyOf('budget: { writes: 9/day }', '/wide.yaml'),
      await policyOf('budget: { writes: 1/day }', '/narrow.yaml'),
    ];
    await taken([wide, narrow], writes(1));
    await refused([wide, narrow], writes(1));
    expect(remaining(io, wide)).toMatchObject([{ left: 8 }]);
    await taken([wide], writes(8));
  });

  it('gives back what was not sent, to the time and to the run', async () => {
    const policies = [await policyOf('budget: { writes: [5/day, 5/run] }')];
    const run = writes(0);
    const all = await taken(policies, writes(5), run);
    await release(io, policies, all, writes(3), run);
    expect(run).toEqual(writes(2));
    expect(remaining(io, policies[0] as Policy).map(({ left }) => left)).toEqual([3, 5]);
    await taken(policies, writes(3), run);
  });

  it('counts on where the clock was set back', async () => {
    const policies = [await policyOf('budget: { writes: 1/day }')];
    await taken(policies, writes(1));
    nowMs -= 48 * hourMs;
    await refused(policies, writes(1));
  });

  it('outlives the journals', async () => {
    const policies = [await policyOf('budget: { writes: 1/day }')];
    await taken(policies, writes(1));
    await new JobFolder(io).prune(nowMs + hourMs, noTrail);
    await refused(policies, writes(1));
  });
});

describe('the ledger', () => {
  it('loses nothing by a torn last line', async () => {
    const policies = [await policyOf('budget: { writes: 2/day }')];
    await taken(policies, writes(1));
    fs.appendFileSync(ledger, '{"id":"x","at":17');
    await taken(policies, writes(1));
    await refused(policies, writes(1));
    expect(
      fs
        .readFileSync(ledger, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (line.endsWith('#torn') ? 'torn' : JSON.parse(line).writes)),
    ).toEqual([1, 'torn', 1]);
  });

  it.each([
    ['a line that is not JSON', 'x\n', 'corrupt_budget', 14],
    ['a number in place of a line', '1\n', 'corrupt_budget', 14],
    [
      'a count that is not whole',
      '{"id":"x","at":1,"writes":0.5,"deletes":0,"policies":[]}\n',
      'corrupt_budget',
      14,
    ],
  ])('stops at %s', async (_, text, code, exitCode) => {
    const policies = [await policyOf('budget: { writes: 2/day }')];
    await taken(policies, writes(1));
    fs.appendFileSync(ledger, text);
    await expect(take(policies, writes(1))).rejects.toMatchObject({ code, exitCode });
  });

  it('stops where it is a link, or cannot be read', async () => {
    const policies = [await policyOf('budget: { writes: 2/day }')];
    await taken(policies, writes(1));
    fs.renameSync(ledger, `${ledger}.old`);
    fs.symlinkSync(`${ledger}.old`, ledger);
    await expect(take(policies, writes(1))).rejects.toMatchObject({ code: 'unsafe_path', exitCode: 14 });
    fs.rmSync(ledger);
    fs.mkdirSync(ledger);
    await expect(take(policies, writes(1))).rejects.toBeInstanceOf(DocsError);
  });

  it('is written anew once it is long', async () => {
    const policies = [await policyOf('budget: { writes: 9/day }')];
    await taken(policies, writes(1));
    const old = { id: 'x', at: nowMs - 48 * hourMs, writes: 1, deletes: 0, policies: ['/p.yaml'] };
    fs.appendFileSync(ledger, `${JSON.stringify(old)}\n`.repeat(2001));
    await taken(policies, writes(1));
    expect(fs.readFileSync(ledger, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(remaining(io, policies[0] as Policy)).toMatchObject([{ left: 7 }]);
  });
});
