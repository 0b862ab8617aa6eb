import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { sha256 } from '../../../src/base/hash.js';
import { createJob, reopenJob } from '../../../src/jobs/create-job.js';
import { keptMs } from '../../../src/jobs/journal-folder.js';
import {
  appendEvents,
  recordApproval,
  recordDenial,
  recordRefusal,
} from '../../../src/policy/audit/append.js';
import { eventsBackwards, linesOf } from '../../../src/policy/audit/chain.js';
import { noTrail } from '../../jobs/no-trail.js';
import { type ChainWorld, chainWorld, relinked } from './chain-world.js';

let world: ChainWorld;
beforeEach(() => {
  world = chainWorld();
});
afterEach(() => world.close());

const cause = { file: '/etc/docs/policy.yaml', line: 3, rule: 'spaces delete' };
const deny = (rule = 'spaces delete') =>
  recordDenial(world.io, {
    actor: { kind: 'agent', name: 'ada', client: 'x' },
    command: 'spaces delete',
    cause: { ...cause, rule },
  });

/** A chain of jobs and denials: 2 lines a job, one a denial, one for its beginning. */
async function chainOf(jobs: number, denials: number): Promise<string[]> {
  for (let job = 0; job < jobs; job += 1) {
    await world.job([`u${job}`, `v${job}`]);
    world.io.advance(1000);
  }
  for (let denial = 0; denial < denials; denial += 1) await deny(`rule ${denial}`);
  return world.lines();
}

describe('the chain', () => {
  it('says who approved a plan, and who tried to apply one that was refused', async () => {
    const actor = { kind: 'person', name: 'ada' } as const;
    const plan = { plan: 'p-1', hash: 'a'.repeat(64) };
    await recordApproval(world.io, { actor, ...plan, approver: 'ada@acme.example', key: 'SHA256:x' });
    const reasons = [{ code: 'plan_applied', message: 'applied by token=abc-secret-1234567890' }];
    expect(await recordRefusal(world.io, { actor, command: 'apply', ...plan, reasons })).toBeUndefined();
    const [, approved, refused] = world.events();
    expect(approved).toMatchObject({ event: 'approved', command: 'plan approve', ...plan, key: 'SHA256:x' });
    expect(refused).toMatchObject({ event: 'refused', command: 'apply', ...plan });
    expect(refused?.reasons).toEqual([
      { code: 'plan_applied', message: expect.not.stringContaining('abc-secret-1234567890') },
    ]);
    expect(world.verify().findings).toEqual([]);
  });

  it('has a line for each event, with who did it and the hash of the line before', async () => {
    const job = await world.job();
    await deny();
    const events = world.events();
    expect(events.map(({ event }) => event)).toEqual(['chain-begun', 'job-begun', 'job-ended', 'denied']);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const lines = world.lines();
    expect(events.map(({ prev }) => prev)).toEqual([
      '0'.repeat(64),
      ...lines.slice(0, -1).map((line) => sha256(line)),
    ]);
    expect(events[1]).toMatchObject({
      job,
      command: 'members update',
      org: 'o1',
      actor: { kind: 'person', name: 'ada' },
    });
    const journal = readFileSync(world.journal(job));
    expect(events[2]).toMatchObject({
      job,
      sha256: sha256(journal),
      counts: { ok: 1, failed: 0, unknown: 0, left: 1 },
    });
    expect(events[3]).toMatchObject({ actor: { client: 'x' }, cause, command: 'spaces delete' });
    expect(statSync(world.path).mode & 0o777).toBe(0o600);
    expect(world.verify()).toMatchObject({
      events: 4,
      head: sha256(lines[3] ?? ''),
      findings: [],
      unfinished: [],
    });
  });

  it('is empty where nothing was done', () => {
    expect(world.verify()).toMatchObject({ events: 0, head: '0'.repeat(64), findings: [] });
    expect([...eventsBackwards(dirname(world.path))]).toEqual([]);
  });

  it('begins with the journals of versions that kept none', async () => {
    const facts = { command: 'x', origin: 'o', profile: 'p', version: '0' };
    const old = await createJob(world.io, world.folder, { ...facts, plan: 'p-1' }, [], true, noTrail);
    await old.close();
    const job = await world.job();
    expect(world.events().map((line) => [line.event, line.job])).toEqual([
      ['chain-begun', undefined],
      ['journal-found', old.job],
      ['job-begun', job],
      ['job-ended', job],
    ]);
    expect(world.verify().findings).toEqual([]);
    appendFileSync(world.journal(old.job), '{}\n');
    expect(world.verify().findings).toMatchObject([{ is: 'journal-changed', job: old.job }]);
  });

  it('hides what looks secret, and what could command a terminal', async () => {
    const leak = { ...cause, rule: 'api token=abcdef123456' };
    const request = 'GET /v1/x?token=abcdef123456';
    await recordDenial(world.io, {
      actor: { kind: 'person', name: 'ada' },
      command: 'api',
      request,
      cause: leak,
    });
    expect(world.lines().join('')).not.toContain('abcdef123456');
  });

  it('is written under its lock: an append waits while another process holds it', async () => {
    await deny();
    const before = world.lines();
    mkdirSync(`${world.path}.lock`);
    const seen: string[][] = [];
    const sleep = async () => {
      seen.push(world.lines());
      if (seen.length === 3) rmdirSync(`${world.path}.lock`);
    };
    await appendEvents({ ...world.io, sleep }, [{ event: 'denied', command: 'x' }]);
    expect(seen).toEqual([before, before, before]);
    expect(world.lines()).toHaveLength(before.length + 1);
  });

  it('is left as it is by an append whose lock another process has taken over', async () => {
    await deny();
    const before = world.lines();
    const now = () => {
      rmdirSync(`${world.path}.lock`);
      mkdirSync(`${world.path}.lock`);
      return world.io.now();
    };
    const appending = appendEvents({ ...world.io, now }, [{ event: 'denied', command: 'x' }]);
    await expect(appending).rejects.toMatchObject({ code: 'audit_unwritable' });
    expect(world.lines()).toEqual(before);
    expect(statSync(`${world.path}.lock`).isDirectory()).toBe(true);
  });

  it('is read backwards as it stands, over the borders of what is read at once', async () => {
    await chainOf(1, 3);
    const long = Array.from({ length: 400 }, (_, at) => ({
      event: 'denied' as const,
      command: 'x'.repeat(at * 3),
    }));
    await appendEvents(world.io, long);
    const forwards = [...linesOf(dirname(world.path))].map(({ line }) => line?.seq);
    expect([...eventsBackwards(dirname(world.path))].map(({ seq }) => seq).reverse()).toEqual(forwards);
    expect(forwards).toEqual(Array.from({ length: 406 }, (_, at) => at + 1));
  });
});

describe('every change of a small chain is found, and named', () => {
  test('a removed line, at every position but the last', async () => {
    const lines = await chainOf(2, 3);
    for (let at = 0; at < lines.length - 1; at += 1) {
      world.write(lines.toSpliced(at, 1));
      const { findings } = world.verify();
      expect(findings.filter(({ is }) => is.startsWith('line'))).toMatchObject([
        { is: 'line-removed', line: at + 1, seq: at + 1 },
      ]);
    }
  });

  test('a changed line, at every position but the last, and in every field', async () => {
    const lines = await chainOf(2, 3);
    for (let at = 0; at < lines.length - 1; at += 1) {
      const event = JSON.parse(lines[at] ?? '') as Record<string, unknown>;
      for (const field of [...Object.keys(event), 'more']) {
        const changed = { ...event, [field]: typeof event[field] === 'number' ? event[field] + 7 : 'abc' };
        world.write(lines.with(at, JSON.stringify(changed)));
        expect([at, field, world.verify().findings]).toEqual([
          at,
          field,
          expect.arrayContaining([expect.objectContaining({ is: 'line-changed', line: at + 1 })]),
        ]);
        expect(world.verify().findings.filter(({ is }) => is.startsWith('line'))).toHaveLength(1);
      }
      world.write(lines.with(at, 'not an event'));
      expect(world.verify().findings).toContainEqual(
        expect.objectContaining({ is: 'line-changed', line: at + 1 }),
      );
    }
  });

  test('an added line, at every position: a copy, a forged one that fits, or anything else', async () => {
    const lines = await chainOf(2, 3);
    for (let at = 0; at <= lines.length; at += 1) {
      const forged = relinked([...lines.slice(0, at), lines[3] ?? ''], at).at(-1) ?? '';
      const fits = at < lines.length ? [forged] : [];
      for (const added of [...fits, lines[2] ?? '', 'not an event']) {
        world.write(lines.toSpliced(at, 0, added));
        const found = world.verify().findings.filter(({ is }) => is.startsWith('line'));
        // Of a line and its copy beside it, either may be the one.
        const beside = [lines[at], lines[at - 1]].includes(added);
        expect([at, added, found]).toEqual([at, added, [expect.objectContaining({ is: 'line-added' })]]);
        if (!beside) expect(found).toMatchObject([{ line: at + 1 }]);
      }
    }
  });

  test('any bytes that change within it, so that the head kept from before is unknown or something is found', async () => {
    const lines = await chainOf(1, 3);
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const { head } = world.verify();
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(text);
        changed[at] = (changed[at] ?? 0) ^ by;
        writeFileSync(world.path, changed);
        expect(world.verify(head).findings).not.toEqual([]);
      }),
      { numRuns: 60, seed: 20261127 },
    );
  });

  test('a rewritten end goes unseen without --head alone', async () => {
    const lines = await chainOf(1, 4);
    const { head } = world.verify();
    world.write(relinked(lines.toSpliced(5, 1), 5));
    expect(world.verify().findings).toEqual([]);
    expect(world.verify(head).findings).toMatchObject([{ is: 'head-unknown' }]);
    world.write(lines.slice(0, -2));
    expect(world.verify().findings).toEqual([]);
    expect(world.verify(head).findings).toMatchObject([{ is: 'head-unknown' }]);
  });

  test('a head of before still holds once the chain has grown', async () => {
    await chainOf(1, 1);
    const { head } = world.verify();
    await chainOf(1, 1);
    expect(world.verify(head).findings).toEqual([]);
  });
});

describe('a torn end', () => {
  test('is known, wherever a crash cut the last line; the chain goes on', async () => {
    const lines = await chainOf(1, 1);
    const whole = readFileSync(world.path);
    const from = whole.length - (lines.at(-1) ?? '').length;
    for (let size = from; size < whole.length; size += 1) {
      writeFileSync(world.path, whole);
      truncateSync(world.path, size);
      const isWhole = size === whole.length - 1;
      expect(world.verify()).toMatchObject({ findings: [], isCut: !isWhole });
      await deny('after');
      const events = [...linesOf(dirname(world.path))].flatMap(({ line }) => line?.event ?? []);
      expect(events.slice(-2)).toEqual(isWhole ? ['denied', 'denied'] : ['torn', 'denied']);
      expect(world.verify()).toMatchObject({ findings: [], isCut: false, torn: isWhole ? 0 : 1 });
    }
  });

  test('of zeros, as a power cut leaves, too; in the very first line as well', async () => {
    mkdirSync(dirname(world.path), { recursive: true, mode: 0o700 });
    writeFileSync(world.path, Buffer.alloc(700));
    await deny();
    expect(world.verify()).toMatchObject({ findings: [], torn: 1, events: 3 });
    appendFileSync(world.path, Buffer.concat([Buffer.alloc(100_000), Buffer.from('\n')]));
    await deny();
    expect(world.verify()).toMatchObject({ findings: [], torn: 2, events: 5 });
  });

  test('that somebody edits once it is recorded is found', async () => {
    await chainOf(1, 1);
    appendFileSync(world.path, '{"seq":5,');
    await deny();
    const lines = world.lines();
    world.write(lines.with(4, '{"seq":5,"x'));
    expect(world.verify().findings).not.toEqual([]);
  });
});

describe('journals', () => {
  it('that change after their end, or vanish, are found', async () => {
    const [first, second, third] = [await world.job(), await world.job(), await world.job()];
    appendFileSync(world.journal(first), '{"item":1,"is":"ok","at":"x"}\n');
    rmSync(world.journal(second));
    truncateSync(world.journal(third), 10);
    expect(
      world
        .verify()
        .findings.map((finding) => [finding.is, 'job' in finding && finding.job])
        .sort(),
    ).toEqual(
      [
        ['journal-changed', first],
        ['journal-changed', third],
        ['journal-removed', second],
      ].sort(),
    );
  });

  it('that are pruned, by hand or after 90 days, are told, and the chain is whole', async () => {
    const old = await world.job();
    await world.io.advance(keptMs + 1000);
    const job = await world.job();
    expect(world.folder.entries().map((entry) => entry.job)).toEqual([job]);
    expect(await world.folder.prune(world.io.now() + 1000, world.trail())).toBe(1);
    const pruned = world.events().filter(({ event }) => event === 'journal-pruned');
    expect(pruned.map((line) => line.job)).toEqual([old, job]);
    const ended = world.events().filter(({ event }) => event === 'job-ended');
    expect(pruned.map((line) => line.sha256)).toEqual(ended.map((line) => line.sha256));
    expect(world.verify()).toMatchObject({ findings: [], removed: 2 });
  });

  it('that are discarded are told', async () => {
    const job = await world.job();
    await world.folder.discard(job, world.trail());
    expect(world.events().at(-1)).toMatchObject({ event: 'discarded', job });
    expect(world.verify()).toMatchObject({ findings: [], removed: 1 });
  });

  it('of a job that is resumed or settled are told again', async () => {
    const job = await world.job();
    const found = () => world.folder.find(job);
    for (const settles of [undefined, 1]) {
      const more = settles === undefined ? {} : { settles };
      const open = await reopenJob(world.io, world.folder, found(), { trail: world.trail(), ...more });
      await open.journal.append('{"item":1,"is":"ok","at":"x"}\n');
      expect(world.verify()).toMatchObject({ findings: [], unfinished: [job] });
      await open.close();
    }
    expect(
      world
        .events()
        .map(({ event }) => event)
        .slice(-4),
    ).toEqual(['job-resumed', 'job-ended', 'settled', 'job-ended']);
    expect(world.verify()).toMatchObject({ findings: [], unfinished: [] });
  });

  it('of a job that sent nothing are none', async () => {
    const open = await world.begin(['u1']);
    await open.close();
    expect(world.events().at(-1)).toMatchObject({ event: 'job-ended', job: open.job });
    expect(world.events().at(-1)).not.toHaveProperty('sha256');
    expect(world.verify()).toMatchObject({ findings: [], unfinished: [] });
  });

  it('that have no line are found: the end of the chain was removed', async () => {
    await world.job();
    const lines = world.lines();
    const job = await world.job();
    world.write(lines);
    expect(world.verify().findings).toMatchObject([{ is: 'journal-unrecorded', job }]);
  });

  it('without a chain are found, and so is a chain that was begun anew', async () => {
    const job = await world.job();
    rmSync(world.path);
    expect(world.verify().findings).toMatchObject([{ is: 'chain-removed', job }]);
    await world.job();
    expect(world.verify().findings).toMatchObject([{ is: 'chain-removed', job }]);
  });
});

describe('a job whose process died', () => {
  const die = async () => {
    const { job, journal } = await world.begin();
    await journal.close();
    const names = readdirSync(world.folder.path).filter((name) => name.endsWith('.running'));
    for (const name of names) rmSync(join(world.folder.path, name));
    return job;
  };

  it('is unfinished, until the next writer ends it', async () => {
    const job = await die();
    expect(world.verify()).toMatchObject({ findings: [], unfinished: [job] });
    await deny();
    expect(world.events().at(-2)).toMatchObject({
      event: 'job-ended',
      job,
      interrupted: true,
      sha256: sha256(readFileSync(world.journal(job))),
    });
    expect(world.events().at(-1)).not.toHaveProperty('open');
    expect(world.verify()).toMatchObject({ findings: [], unfinished: [] });
  });

  it('and whose journal somebody removed is found, before and after', async () => {
    const job = await die();
    rmSync(world.journal(job));
    expect(world.verify().findings).toMatchObject([{ is: 'journal-removed', job }]);
    await deny();
    expect(world.events().at(-2)).toMatchObject({ event: 'job-ended', job, missing: true });
    expect(world.verify().findings).toMatchObject([{ is: 'journal-removed', job }]);
  });

  it('is not ended while it is at work', async () => {
    const open = await world.begin();
    await deny();
    expect(world.events().at(-1)).toMatchObject({ event: 'denied', open: [open.job] });
    await open.close();
    expect(world.events().at(-1)).not.toHaveProperty('open');
  });
});

describe('a chain that cannot be written', () => {
  const block = () => {
    rmSync(world.path, { force: true });
    mkdirSync(world.path, { recursive: true, mode: 0o700 });
  };
  const underPolicy = { policy: ['0'.repeat(64)] };

  it('keeps a job from beginning under a policy, and leaves no journal', async () => {
    block();
    await expect(world.begin(['u1', 'u2'], underPolicy)).rejects.toMatchObject({
      failure: { outcome: 'not-sent' },
    });
    expect(world.folder.entries()).toEqual([]);
    expect(world.folder.workers().size).toBe(0);
  });

  it('warns once without a policy, and does not keep a job from its work', async () => {
    block();
    await world.job();
    expect(world.warnings).toHaveLength(1);
    expect(world.folder.entries()).toHaveLength(1);
  });

  it('is exit 13 under a policy where the folder is not writable, and names the way to look', async () => {
    await world.job();
    mkdirSync(`${world.path}.lock`);
    await expect(world.begin(['u1'], underPolicy)).rejects.toMatchObject({
      kind: 'local-io',
      code: 'audit_unwritable',
      failure: { outcome: 'not-sent' },
    });
  });

  it('never keeps a denial from being one', async () => {
    block();
    expect(await deny()).toMatchObject({ code: 'audit_unwritable' });
  });

  it('is not followed where it is a link, nor where others can write to its folder', async () => {
    const aside = join(dirname(world.path), '..', 'elsewhere');
    mkdirSync(dirname(world.path), { recursive: true, mode: 0o700 });
    writeFileSync(aside, '');
    symlinkSync(aside, world.path);
    expect(await deny()).toMatchObject({ code: 'unsafe_path' });
    expect(readFileSync(aside, 'utf8')).toBe('');
    rmSync(world.path);
    chmodSync(dirname(world.path), 0o777);
    expect(await deny()).toMatchObject({ code: 'unsafe_path' });
  });
});

describe('a plan', () => {
  const began = { event: 'job-begun', command: 'apply', plan: 'p-1' } as const;
  const ended = (job: string, ok: number) =>
    ({ event: 'job-ended', job, counts: { ok, failed: 1 - ok, unknown: 0, left: 0 } }) as const;

  it('that was applied twice is a finding; one whose first job changed nothing is none', async () => {
    await appendEvents(world.io, [
      { ...began, job: 'a' },
      ended('a', 0),
      { ...began, job: 'b' },
      ended('b', 1),
    ]);
    const twice = () => world.verify().findings.filter(({ is }) => is === 'plan-applied-twice');
    expect(twice()).toEqual([]);
    await appendEvents(world.io, [{ ...began, job: 'c' }]);
    expect(twice()).toMatchObject([
      { job: 'c', message: 'plan p-1 was applied 2 times, by the jobs b and c' },
    ]);
  });

  it('whose claim names a job of another plan is a finding', async () => {
    await appendEvents(world.io, [{ ...began, job: 'a' }]);
    mkdirSync(world.folder.path, { recursive: true, mode: 0o700 });
    const claim = (plan: string) =>
      writeFileSync(join(world.folder.path, `plan-${plan}.1`), JSON.stringify({ plan, job: 'a' }));
    const changed = () => world.verify().findings.filter(({ is }) => is === 'claim-changed');
    claim('p-1');
    expect(changed()).toEqual([]);
    claim('p-2');
    expect(changed()).toMatchObject([{ job: 'a' }]);
  });
});
