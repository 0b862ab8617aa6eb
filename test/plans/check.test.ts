import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { updateSamlProvider } from '../../src/api/resources/saml.js';
import { createJob } from '../../src/jobs/create-job.js';
import { fromEnvironment } from '../../src/jobs/environment.js';
import { JobFolder } from '../../src/jobs/job-folder.js';
import { type CheckFacts, checkPlan, claimPlan, refuseApplied } from '../../src/plans/check.js';
import { makePlan } from '../../src/plans/make.js';
import { itemsOf } from '../../src/plans/operation.js';
import type { Plan } from '../../src/plans/plan.js';
import { fakeIo } from '../fake-io.js';
import { noTrail } from '../jobs/no-trail.js';
import { request } from './plan-world.js';

/** Which plans are refused before the first request. */

let home: string;
let plan: Plan;
const madeAt = '2026-01-01T12:00:00.000Z';
const here: CheckFacts = { origin: 'https://api.example', profile: 'default', organization: 'org1' };
const bare = { one: async () => ({}), all: async () => null };
const env = { CERTIFICATE: 'a certificate that is secret' };

const ioAt = (now: string, more: Record<string, string> = env) =>
  fakeIo({ now, env: { HOME: home, ...more } });

beforeEach(async () => {
  home = fs.mkdtempSync(join(tmpdir(), 'docs-check-'));
  const certificate = fromEnvironment(env, 'CERTIFICATE');
  const path = { organizationId: 'org1', samlProviderId: 's1' };
  const facts = {
    ...here,
    organization: 'org1',
    version: '1',
    command: 'plan',
    line: [],
    by: 'unknown',
    risks: [],
  } as const;
  plan = await makePlan(bare, { ...facts, nowMs: Date.parse(madeAt) }, [
    { change: request(updateSamlProvider, path, { certificate }) },
  ]);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  fs.rmSync(home, { recursive: true, force: true });
});

const noon = '2026-01-01T13:00:00Z';

function refused(io = ioAt(noon), facts: CheckFacts = here) {
  try {
    checkPlan(io, plan, facts);
    return undefined;
  } catch (cause) {
    return (cause as { toJSON(): Record<string, unknown> }).toJSON();
  }
}

/** Creates the job of the plan, as applying it does. */
async function begun(io = ioAt(noon)): Promise<string> {
  const { origin, profile, version, id } = plan;
  const facts = { command: 'plan', origin, profile, version, plan: id };
  const open = await createJob(io, new JobFolder(io), facts, itemsOf(plan), true, noTrail);
  await open.close();
  return open.job;
}

describe('a plan', () => {
  it('whose one field comes from the environment cannot be undone', () => {
    const why = 'certificate came from the environment, and the journal does not have the previous value';
    expect(plan.operations).toMatchObject([{ undo: 'none', why }]);
  });

  it('passes where it was made, within a day', () => {
    expect(refused()).toBeUndefined();
    expect(refused(ioAt('2026-01-02T11:59:00Z'))).toBeUndefined();
  });

  it.each([
    ['another platform', { origin: 'https://other.example' }, 'plan_foreign'],
    ['another organization', { organization: 'org2' }, 'plan_foreign'],
    ['another profile', { profile: 'ci' }, 'plan_foreign'],
    ['a shorter age', { maxAgeMs: 60_000 }, 'plan_expired'],
  ])('is refused for %s', (_, facts, code) => {
    expect(refused(undefined, { ...here, ...facts })).toMatchObject({
      code,
      exitCode: 2,
      outcome: 'not-sent',
    });
  });

  it('is refused after a day, and before it was made', () => {
    expect(refused(ioAt('2026-01-02T12:30:00Z'))).toMatchObject({ code: 'plan_expired' });
    expect(refused(ioAt('2026-01-01T11:00:00Z'))).toMatchObject({
      code: 'plan_expired',
      message: expect.stringContaining('future'),
    });
  });

  it('is refused where a variable is not set, or changed, and never shows its value', () => {
    const unset = refused(ioAt(noon, {}));
    const changed = refused(ioAt(noon, { CERTIFICATE: 'another secret value' }));
    const message = expect.stringContaining('CERTIFICATE');
    expect(unset).toMatchObject({ code: 'env_unset', message, hint: 'printenv CERTIFICATE' });
    expect(changed).toMatchObject({ code: 'env_changed', message, hint: 'docs plan' });
    expect(JSON.stringify([unset, changed, plan])).not.toContain('secret');
  });

  it('is refused with all reasons at once, the gravest first', async () => {
    const claim = await claimPlan(ioAt(noon), plan.id);
    claim.begun(await begun());
    const edited = { code: 'plan_edited', message: 'The plan was edited.', hint: 'x' } as const;
    const found = refused(ioAt('2026-02-01T00:00:00Z', {}), {
      ...here,
      profile: 'ci',
      origin: 'x',
      reasons: [edited],
    });
    const codes = ['plan_applied', 'plan_edited', 'plan_foreign', 'plan_expired', 'env_unset'];
    expect(found).toMatchObject({
      code: 'plan_applied',
      details: { reasons: codes.map((code) => ({ code })) },
    });
    expect(found?.message).toContain('profile default, not ci');
    expect(found?.message).toContain('platform https://api.example, not x');
  });
});

describe('an applied plan', () => {
  it('is refused, and names its job, also once the journal is pruned', async () => {
    const io = ioAt(noon);
    const claim = await claimPlan(io, plan.id);
    const job = await begun(io);
    claim.begun(job);
    expect(refused()).toMatchObject({ code: 'plan_applied', hint: `docs jobs show ${job}` });
    expect(await new JobFolder(io).prune(Date.parse('2027-01-01'), noTrail)).toBe(1);
    expect(refused()).toMatchObject({ code: 'plan_applied', message: expect.stringContaining(job) });
    await expect(claimPlan(io, plan.id)).rejects.toMatchObject({ code: 'plan_applied' });
  });

  it('is free again where it was given back', async () => {
    (await claimPlan(ioAt(noon), plan.id)).release();
    expect(refused()).toBeUndefined();
    (await claimPlan(ioAt(noon), plan.id)).release();
  });

  it('of two that try at once, one wins, and the other is told the job', async () => {
    const io = ioAt(noon);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const claims = [1, 2, 3].map(() => claimPlan(io, plan.id));
    const ended = Promise.allSettled(claims);
    const claim = await Promise.race(claims);
    // The others look again, and wait for its job.
    await vi.advanceTimersByTimeAsync(200);
    claim.begun('20260101-130000-000abc');
    await vi.advanceTimersByTimeAsync(200);
    const tries = await ended;
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const others = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
    expect(others).toEqual([1, 2].map(() => expect.stringContaining('20260101-130000-000abc')));
  });

  it('is applied by one of two that both saw it free', async () => {
    const io = ioAt(noon);
    const write = fs.writeFileSync;
    let other: Promise<void> | undefined;
    // The other claims it between the look of this one and its claim.
    vi.spyOn(fs, 'writeFileSync').mockImplementationOnce((...words) => {
      write(...words);
      other = claimPlan(io, plan.id).then((claim) => claim.begun('20260101-130000-000abc'));
    });
    const own = claimPlan(io, plan.id);
    await expect(own).rejects.toMatchObject({
      code: 'plan_applied',
      message: expect.stringContaining('20260101-130000-000abc'),
    });
    await other;
  });

  /** The claim of a process that was killed, as it leaves it. */
  async function abandon(io: ReturnType<typeof ioAt>, more: object = {}) {
    await claimPlan(io, plan.id);
    const path = join(new JobFolder(io).path, `plan-${plan.id}.1`);
    const claim = JSON.parse(fs.readFileSync(path, 'utf8'));
    // Above what any system gives to a process.
    const pid = 2 ** 30;
    fs.writeFileSync(path, JSON.stringify({ ...claim, pid, started: '1', ...more }));
  }

  it('is free where its process was killed before it had a job, for one of several', async () => {
    const io = ioAt(noon);
    await abandon(io);
    expect(refuseApplied(io, plan.id)).toEqual([]);
    const tries = await Promise.allSettled([1, 2].map(async () => (await claimPlan(io, plan.id)).begun('j')));
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is applied where its process was killed after it had a job, whose journal names the plan', async () => {
    const io = ioAt(noon);
    await abandon(io);
    const job = await begun(io);
    expect(refused()).toMatchObject({ code: 'plan_applied', message: expect.stringContaining(job) });
    await expect(claimPlan(io, plan.id)).rejects.toMatchObject({ code: 'plan_applied' });
  });

  it('waits an hour for a process of another machine, and then is free', async () => {
    await abandon(ioAt(noon), { host: 'elsewhere' });
    expect(refuseApplied(ioAt('2026-01-01T13:30:00Z'), plan.id)).toMatchObject([{ code: 'plan_applied' }]);
    expect(refuseApplied(ioAt('2026-01-01T14:30:00Z'), plan.id)).toEqual([]);
  });

  it('has a journal even where nothing of it was sent', async () => {
    const job = await begun();
    expect(new JobFolder(ioAt(noon)).find(job)).toMatchObject({
      header: { plan: plan.id },
      items: [{ sent: false }],
    });
  });
});
