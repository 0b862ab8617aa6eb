import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateMember } from '../../../src/api/resources/members.js';
import { sha256 } from '../../../src/base/hash.js';
import { createJob, type OpenJob } from '../../../src/jobs/create-job.js';
import { JobFolder } from '../../../src/jobs/job-folder.js';
import { writeLine } from '../../../src/jobs/journal.js';
import { type Actor, actorOf } from '../../../src/policy/actor.js';
import { auditTrail } from '../../../src/policy/audit/append.js';
import { type ChainLine, chainPath } from '../../../src/policy/audit/chain.js';
import { type Finding, type Verified, verifyChain } from '../../../src/policy/audit/verify.js';
import { userPlace } from '../../../src/policy/place.js';
import { type FakeIo, fakeIo } from '../../fake-io.js';
import { step } from '../../jobs/job-world.js';

/** A home with an audit chain and journals, without a program. */
export interface ChainWorld {
  io: FakeIo;
  folder: JobFolder;
  path: string;
  /** What was warned of. */
  warnings: string[];
  /** Begins a job of these items. */
  begin(ids?: readonly string[], actor?: Partial<Actor>): Promise<OpenJob>;
  /** A job from its beginning to its end; returns its name. */
  job(ids?: readonly string[]): Promise<string>;
  trail(actor?: Partial<Actor>): ReturnType<typeof auditTrail>;
  journal(job: string): string;
  /** The lines of the chain, without their line feeds. */
  lines(): string[];
  events(): ChainLine[];
  write(lines: readonly string[]): void;
  verify(head?: string): Verified & { findings: Finding[] };
  close(): void;
}

export function chainWorld(): ChainWorld {
  const home = mkdtempSync(join(tmpdir(), 'docs-audit-'));
  const io = fakeIo({ env: { HOME: home, USER: 'ada' }, sleep: 'skips' });
  const folder = new JobFolder(io);
  const path = chainPath(userPlace(io));
  const warnings: string[] = [];
  const trail = (more: Partial<Actor> = {}) =>
    auditTrail(io, { ...actorOf(io), ...more }, (line) => warnings.push(line));
  const begin = async (ids: readonly string[] = ['u1', 'u2'], more: Partial<Actor> = {}) => {
    const steps = ids.map((userId, item) =>
      step(updateMember, { path: { organizationId: 'o1', userId }, body: { role: 'read' } }, item),
    );
    const facts = {
      command: 'members update',
      origin: 'https://docs.example',
      profile: 'default',
      version: '1',
    };
    const actor = { ...actorOf(io), ...more };
    return createJob(io, folder, { ...facts, org: 'o1', actor }, steps, true, trail(more));
  };
  const world: ChainWorld = {
    io,
    folder,
    path,
    warnings,
    begin,
    trail,
    async job(ids) {
      const open = await begin(ids);
      const at = new Date(io.now()).toISOString();
      await open.journal.append(writeLine({ item: 0, is: 'started', at }));
      await open.journal.append(writeLine({ item: 0, is: 'ok', at }));
      await open.close();
      return open.job;
    },
    journal: (job) => folder.entries().find((entry) => entry.job === job)?.path ?? '',
    lines: () => readFileSync(path, 'utf8').split('\n').slice(0, -1),
    events: () => world.lines().map((line) => JSON.parse(line) as ChainLine),
    write(lines) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    },
    verify(head) {
      const findings: Finding[] = [];
      return { ...verifyChain(io, head, (finding) => findings.push(finding)), findings };
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
  return world;
}

/** The lines of events from some place on, linked anew: what somebody writes who hides a change. */
export function relinked(lines: readonly string[], from: number): string[] {
  const all = lines.slice(0, from);
  for (const line of lines.slice(from)) {
    const { prev: _, ...event } = JSON.parse(line) as ChainLine;
    const before = all.at(-1);
    const prev = before === undefined ? '0'.repeat(64) : sha256(before);
    all.push(JSON.stringify({ ...event, seq: all.length + 1, prev }));
  }
  return all;
}
