import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateMember } from '../../src/api/resources/members.js';
import { createJob } from '../../src/jobs/create-job.js';
import { JobFolder } from '../../src/jobs/job-folder.js';
import {
  countsOf,
  type Header,
  type PlannedLine,
  parseJournal,
  stateOf,
  writeLine,
} from '../../src/jobs/journal.js';
import { JournalFile } from '../../src/jobs/journal-file.js';
import { damageOf, hashOfInput, keptMs } from '../../src/jobs/journal-folder.js';
import { type FakeIo, fakeIo } from '../fake-io.js';
import { step } from './job-world.js';
import { noTrail } from './no-trail.js';

let home: string;
let io: FakeIo;
let folder: JobFolder;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docs-journal-'));
  io = fakeIo({ env: { HOME: home } });
  folder = new JobFolder(io);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const facts = {
  command: 'members update',
  origin: 'https://docs.example',
  profile: 'default',
  version: '1.0.0',
};
const steps = ['u1', 'u2', 'u3'].map((userId, item) =>
  step(updateMember, { path: { organizationId: 'o1', userId }, body: { role: 'read' } }, item),
);
const begin = (again = false, own = steps) => createJob(io, folder, facts, own, again, noTrail);

/** A job that was begun and closed, and its journal. */
async function begun() {
  const { job, close } = await begin();
  await close();
  const path = folder.entries()[0]?.path ?? '';
  return { job, path, text: readFileSync(path, 'utf8') };
}

describe('a journal', () => {
  it('is one file per job, readable by its owner only, with a header and the plan', async () => {
    const { job, path, text } = await begun();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    const [header, ...plan] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toEqual({
      journal: 1,
      job,
      at: '2025-06-15T12:00:00.000Z',
      ...facts,
      input: hashOfInput(facts, plan.map(writeLine).join('')),
      total: 3,
    });
    expect(plan.map(({ item, is, id, op }: PlannedLine) => ({ item, is, id, op }))).toEqual([
      { item: 0, is: 'planned', id: 'u1', op: 'members.update' },
      { item: 1, is: 'planned', id: 'u2', op: 'members.update' },
      { item: 2, is: 'planned', id: 'u3', op: 'members.update' },
    ]);
  });

  it('of one change is removed where nothing was started', async () => {
    const open = await begin(false, steps.slice(0, 1));
    await open.close();
    expect(folder.entries()).toEqual([]);
  });

  it('that ends in a torn line is read up to that line and continued there', async () => {
    const open = await begin();
    await open.journal.append(writeLine({ item: 0, is: 'ok', at: 'x' }));
    await open.close();
    const [entry] = folder.entries();
    const path = entry?.path ?? '';
    appendFileSync(path, '{"item":1,"is":"sta');
    const job = folder.find(open.job);
    expect([countsOf(job), stateOf(job)]).toEqual([{ ok: 1, failed: 0, unknown: 0, left: 2 }, 'unfinished']);
    const journal = await JournalFile.reopen(io, path, job.wholeBytes);
    await journal.append(writeLine({ item: 1, is: 'ok', at: 'x' }));
    await journal.close();
    expect(countsOf(folder.find(open.job))).toEqual({ ok: 2, failed: 0, unknown: 0, left: 1 });
  });

  it('whose plan is not the one of its header is damaged: edited, or cut', async () => {
    const { job, path, text } = await begun();
    const damage = (now: string) => {
      writeFileSync(path, now);
      return damageOf(folder.find(job));
    };
    expect(damage(text)).toBeUndefined();
    expect(damage(text.replace('"role":"read"', '"role":"admin"'))).toBe('Its journal was edited');
    expect(damage(text.replace(facts.origin, 'https://other.example'))).toBe('Its journal was edited');
    const cut = text.split('\n').slice(0, 3).join('\n');
    expect(damage(`${cut}\n`)).toBe('Its journal has only 2 of the 3 items of its plan');
  });

  it('with a corrupt line in the middle is refused, with its path', async () => {
    const { job, path } = await begun();
    appendFileSync(path, 'broken\n{"item":0,"is":"ok","at":"x"}\n');
    expect(() => folder.find(job)).toThrow(`the journal ${path} is corrupt: line 5 is not JSON`);
  });

  it.each([
    ['nothing at all', '', undefined],
    ['a torn header', '{"journal":1', undefined],
    ['a header alone', '{"journal":1}\n', []],
    ['a last line that is not JSON', '{"journal":1}\n{"item":0}\n\0\0\n', [{ item: 0 }]],
    ['another file', '{"name":"x"}\n', 'its first line is not a journal header'],
    ['a later form', '{"journal":3}\n', 'its format 3 is not supported by this version'],
  ])('%s', (_, text, expected) => {
    const parsed = parseJournal(Buffer.from(text));
    expect(typeof parsed === 'object' ? parsed.lines : parsed).toEqual(expected);
  });

  it('cut short at any byte is read up to its last whole line', () => {
    const lines = [0, 1, 2].map((item) => writeLine({ item, is: 'ok', at: 'ä€😀' }));
    const whole = Buffer.from(`{"journal":1}\n${lines.join('')}`);
    for (let length = 0; length <= whole.length; length++) {
      const parsed = parseJournal(whole.subarray(0, length));
      const read = typeof parsed === 'object' ? parsed.lines.length : 0;
      const expected = whole.subarray(0, length).toString('latin1').split('\n').length - 2;
      expect({ length, read }).toEqual({ length, read: Math.max(0, expected) });
    }
  });
});

describe('appending', () => {
  it('resolves when the line is on the disk; lines appended during a sync share the next one', async () => {
    const path = join(home, 'journal.jsonl');
    const journal = await JournalFile.create(io, path);
    const lines = Array.from({ length: 200 }, (_, index) => `${index}\n`);
    await Promise.all(
      lines.map(async (line) => {
        await journal.append(line);
        expect(`\n${readFileSync(path, 'utf8')}`).toContain(`\n${line}`);
      }),
    );
    await journal.close();
    expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
  });

  it('to a full disk is exit 13, as is every later append', async () => {
    const journal = new JournalFile(io, '/dev/full', openSync('/dev/full', 'a'));
    const failed = { kind: 'local-io', code: 'journal_unwritable' };
    await expect(journal.append('a\n')).rejects.toMatchObject(failed);
    await expect(journal.append('b\n')).rejects.toMatchObject(failed);
    expect(journal.failure?.message).toMatch(/^cannot write the journal \/dev\/full: the disk is full\./);
    await journal.close();
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  it('to a folder that cannot be created is exit 13', async () => {
    writeFileSync(join(home, '.local'), 'in the way');
    await expect(begin()).rejects.toMatchObject({ kind: 'local-io', code: 'journal_unwritable' });
  });
});

describe('the same input twice', () => {
  it('is refused while the first job is unfinished, and accepted with again', async () => {
    const first = await begun();
    await expect(begin()).rejects.toMatchObject({
      kind: 'usage',
      code: 'unfinished_job',
      failure: { hint: `docs jobs resume ${first.job}` },
    });
    await (await begin(true)).close();
  });

  it('is refused while another process works on it', async () => {
    const first = await begin();
    await expect(begin()).rejects.toMatchObject({
      message: `job ${first.job} with the same input is already running (pid ${process.pid}): 0 of 3 items are done`,
    });
    await first.close();
  });

  it('is accepted after the first job is finished', async () => {
    const first = await begin();
    for (const item of [0, 1, 2]) await first.journal.append(writeLine({ item, is: 'ok', at: 'x' }));
    await first.close();
    const second = await begin();
    await second.close();
    expect(folder.entries()).toHaveLength(2);
  });
});

describe('the folder', () => {
  it('finds a job by the beginning of its name', async () => {
    const { job } = await begun();
    expect(folder.find('20250615-1200').header.job).toBe(job);
    expect(() => folder.find('2024')).toThrow('job "2024" not found');
    await (await begin(true)).close();
    expect(() => folder.find('2025')).toThrow(/^ambiguous job "2025": 2 jobs begin with it: /);
  });

  /** Writes a job of its own. @returns its name */
  function write(at: number): string {
    const { job, path } = folder.newJob(String(at).padStart(16, '0'));
    writeFileSync(path, '');
    return job;
  }

  it('names jobs of one millisecond differently', () => {
    folder.make();
    expect(new Set(Array.from({ length: 400 }, (_, at) => write(at))).size).toBe(400);
  });

  it('orders jobs as they were written, also of one millisecond and after the clock was set back', async () => {
    folder.make();
    const first = Array.from({ length: 40 }, (_, at) => write(at));
    const ahead = 40 * 365 * 86_400_000;
    await io.advance(ahead);
    first.push(write(40));
    await io.advance(-ahead - 3_600_000);
    first.push(write(41), write(42));
    expect(folder.entries().map(({ job }) => job)).toEqual(first.toReversed());
  });

  it.skipIf(process.platform === 'win32').each([
    ['the group', 0o720],
    ['everybody', 0o702],
  ])('is refused where %s can write to it or to the one around it', async (_, mode) => {
    await (await begin()).close();
    for (const path of [folder.path, dirname(folder.path)]) {
      chmodSync(path, mode);
      expect(() => folder.entries()).toThrow(`other users can write to ${path}; it was not used`);
      await expect(begin(true)).rejects.toMatchObject({
        code: 'unsafe_path',
        failure: { hint: `chmod go-w ${path}` },
      });
      chmodSync(path, 0o755);
    }
    expect(folder.entries()).toHaveLength(1);
  });

  it('removes the journals of a clock that was ahead once their files are old', async () => {
    folder.make();
    const { path } = folder.newJob('0'.repeat(16));
    const later = path.replace('/2025', '/2095');
    writeFileSync(later, '');
    utimesSync(later, new Date(io.now()), new Date(io.now()));
    await io.advance(keptMs - 1000);
    expect(await folder.prune(io.now() - keptMs, noTrail)).toBe(0);
    await io.advance(2000);
    expect(await folder.prune(io.now() - keptMs, noTrail)).toBe(1);
  });

  it('removes journals older than 90 days when a job is created', async () => {
    const old = await begun();
    await io.advance(keptMs - 1000);
    await (await begin(true)).close();
    expect(folder.entries()).toHaveLength(2);
    await io.advance(2000);
    await (await begin(true)).close();
    expect(folder.entries().map(({ job }) => job)).not.toContain(old.job);
  });

  it('holds header, plan, states and answers, but no token', async () => {
    const { job } = await begun();
    const header = folder.find(job).header as Header & Record<string, unknown>;
    expect(Object.keys(header).sort()).toEqual(
      ['at', 'command', 'input', 'job', 'journal', 'origin', 'profile', 'total', 'version'].sort(),
    );
  });
});
