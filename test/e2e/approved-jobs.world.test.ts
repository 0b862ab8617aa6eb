import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlannedLine } from '../../src/jobs/journal.js';
import { ada, bob } from './approval-home.js';
import { editJournal, type FiveRoles, fiveRoles, resume } from './five-roles.js';
import type { JobHome } from './job-home.js';

/** Jobs of approved plans, resumed and undone under a policy that asks. */

let all: FiveRoles;
let home: JobHome;
beforeAll(async () => {
  all = await fiveRoles();
  ({ home } = all);
});
afterAll(() => all.close());

const journal = () => home.journalPaths().at(-1) ?? '';

describe('an approved apply that was killed', () => {
  /** The platform, the plan with its approval, and what docs keeps, at that moment. */
  let then: { platform: string; done: string[] } | undefined;
  const kept = ['.local/state', 'plan.json', 'plan.json.approvals'];
  beforeEach(async () => {
    if (then === undefined) {
      await all.begin();
      await all.approve('ada');
      await all.applyInPart();
      then = { platform: all.at('then.json'), done: [...all.forwarder.done] };
      writeFileSync(then.platform, all.sandbox.control.export());
      for (const path of kept) cpSync(all.at(path), all.at(`then/${path}`), { recursive: true });
      return;
    }
    await all.reset();
    await all.sandbox.control.seed(then.platform, { isExport: true });
    for (const path of kept) {
      rmSync(all.at(path), { recursive: true, force: true });
      cpSync(all.at(`then/${path}`), all.at(path), { recursive: true });
    }
    all.forwarder.done.push(...then.done);
    all.write('policy.yaml', all.policyText([ada, bob]));
    home.env.DOCS_POLICY = all.at('policy.yaml');
  });

  test('is resumed, and nothing is sent twice', async () => {
    const ran = await home.run(resume);
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/is finished: all 5 items are done/),
    });
    expect(ran.stderr).toMatch(
      /\n2 requests were done earlier, by its journal alone: the audit chain does not confirm .*\n$/,
    );
    expect(await all.commenting()).toBe(5);
    expect(new Set(all.forwarder.done).size).toBe(5);
    expect(all.forwarder.done).toHaveLength(5);
  });

  test.each([
    ['another body', (line: PlannedLine) => Object.assign(line.input.body as object, { role: 'admin' })],
    [
      'another member',
      (line: PlannedLine) => Object.assign(line.input.path ?? {}, { userId: all.ids[0] ?? '' }),
    ],
    ['another state to find', (line: PlannedLine) => Object.assign(line, { expect: { role: 'edit' } })],
  ])('is denied where a line of its journal was given %s', async (_, change) => {
    editJournal(journal(), (_header, lines) => {
      const line = lines.find((one): one is PlannedLine => one.is === 'planned' && one.item === 3);
      expect(line).toBeDefined();
      if (line !== undefined) change(line);
    });
    expect(await all.notResumed()).toMatchObject({
      exit: 5,
      code: 'policy_denied',
      message: expect.stringMatching(
        /requires an approved plan .* Item 3 of job .* differs from the approved plan/,
      ),
      hint: expect.stringMatching(/^docs jobs show /),
    });
  });

  test('is denied where its journal has one request more', async () => {
    editJournal(journal(), (header, lines) => {
      const line = lines.find((one): one is PlannedLine => one.is === 'planned' && one.item === 4);
      if (line !== undefined) lines.push({ ...line, item: 5 });
      header.total = 6;
    });
    expect(await all.notResumed()).toMatchObject({ exit: 5, code: 'policy_denied' });
  });

  test('is refused where a line of its journal was edited, and its hash was not', async () => {
    const path = journal();
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"comment"', '"admin"'));
    expect(await all.notResumed()).toMatchObject({ exit: 2, code: 'job_mismatch' });
  });

  test('a copy of its journal, as another job, is denied', async () => {
    const path = journal();
    editJournal(journal(), (header, lines) => {
      const { job } = header;
      header.job = `${job.slice(0, -1)}${job.endsWith('0') ? '1' : '0'}`;
      lines.splice(5);
    });
    renameSync(
      path,
      path.replace(/[0-9a-f](\.[0-9a-f]{16}\.jsonl)$/, (_, rest: string) => {
        const last = path.charAt(path.length - rest.length - 1);
        return `${last === '0' ? '1' : '0'}${rest}`;
      }),
    );
    expect(await all.notResumed()).toMatchObject({
      exit: 5,
      code: 'policy_denied',
      message: expect.stringContaining('was not applied by this job'),
    });
  });

  test('is refused without its approval, and resumed with a new one', async () => {
    rmSync(all.at('plan.json.approvals'));
    expect(await all.notResumed()).toMatchObject({
      exit: 2,
      code: 'plan_unapproved',
      hint: `docs plan approve ${all.at('plan.json')}`,
    });
    const { screen } = await all.approve('ada');
    expect(screen).toMatch(/Job: +\S+ applied 2 of 5 changes and is unfinished/);
    expect(screen).toMatch(/Finish it with "docs jobs resume \S+"\./);
    expect((await home.run(resume)).code).toBe(0);
    expect(all.forwarder.done).toHaveLength(5);
  });

  test('is refused with an approval that expired since', async () => {
    const when = new Date(Date.now() - 86_400_000).toISOString();
    all.write('plan.json.approvals', all.approval(ada, { when }));
    expect(await all.notResumed()).toMatchObject({
      exit: 2,
      code: 'plan_unapproved',
      message: expect.stringContaining('counts for 12 hours'),
    });
  });

  test('is refused under another policy', async () => {
    all.write('policy.yaml', `${all.policyText([ada, bob])}# changed\n`);
    expect(await all.notResumed()).toMatchObject({ exit: 2, code: 'plan_policy_changed' });
  });

  test('is resumed under a policy that no longer asks, also without its plan', async () => {
    all.write('policy.yaml', 'version: 1\ndefault: allow\n');
    rmSync(all.at('plan.json'));
    expect((await home.run(resume)).code).toBe(0);
    expect(all.forwarder.done).toHaveLength(5);
  });

  test.each([
    ['is gone', () => rmSync(all.at('plan.json')), 'plan_unapproved', /cannot read .*plan\.json/],
    [
      'holds another plan',
      () => {
        const file = all.at('plan.json');
        const env = { ...home.env, DOCS_POLICY: '' };
        const words = ['members', 'update', all.ids[0] ?? '', '--role', 'edit'];
        return home.run([...words, '--save-plan', file, '--yes'], { env });
      },
      'plan_edited',
      /now holds another plan/,
    ],
    [
      'was edited',
      () =>
        all.write('plan.json', readFileSync(all.at('plan.json'), 'utf8').replaceAll('"comment"', '"admin"')),
      'plan_edited',
      /was edited after it was made/,
    ],
  ])('is refused where the file of its plan %s', async (_, change, code, message) => {
    await change();
    expect(await all.notResumed()).toMatchObject({ exit: 2, code, message: expect.stringMatching(message) });
  });

  test('is denied where its journal does not name the file, as those of older versions', async () => {
    editJournal(journal(), (header) => {
      delete header.planFile;
    });
    expect(await all.notResumed()).toMatchObject({ exit: 5, code: 'policy_denied' });
  });
});

test('the undo of an approved plan is denied, and its plan is approved and applied', async () => {
  await all.begin();
  await all.approve('ada');
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await all.commenting()).toBe(5);
  const [{ id: job }] = await home.json<[{ id: string }]>(['jobs', 'list', '--limit', '1']);
  all.forwarder.reset();
  expect(await all.refused('undo', job, '--yes')).toMatchObject({
    exit: 5,
    code: 'policy_denied',
    hint: `docs undo ${job} --yes --json --save-plan plan.json`,
  });
  await home.ok(['undo', job, '--save-plan', 'undo.json', '--yes']);
  expect(await all.refused('apply', 'undo.json', '--yes')).toMatchObject({
    exit: 2,
    code: 'plan_unapproved',
  });
  await all.approve('ada', 'undo.json');
  await home.ok(['apply', 'undo.json', '--yes']);
  expect(await all.commenting()).toBe(0);
  expect(all.forwarder.done).toHaveLength(5);
  const jobs = await home.json<{ id: string; state: string }[]>(['jobs', 'list']);
  expect(jobs.find(({ id }) => id === job)?.state).toBe('undone');
});
