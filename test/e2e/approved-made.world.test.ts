import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApprovalHome, ada, approvalHome, bob } from './approval-home.js';
import { resume } from './five-roles.js';
import type { JobHome } from './job-home.js';

/** A job of an approved plan that makes a team and then puts somebody into it, with a journal that says another team. */

let all: ApprovalHome;
let home: JobHome;
let other: string;
beforeAll(async () => {
  all = await approvalHome();
  ({ home } = all);
  other = (await home.json<{ id: string }[]>(['teams', 'list', '--limit', '1']))[0]?.id ?? '';
});
afterAll(() => all.close());

const journal = () => home.journalPaths().at(-1) ?? '';
const inTeam = async () => (await home.json<unknown[]>(['teams', 'members', 'list', other])).length;
const resumed = () => all.refused(...resume.slice(0, -1));

/** Approved, and stopped after the team was made. */
beforeEach(async () => {
  await all.reset();
  for (const name of ['org', '.local/state', 'plan.json'])
    rmSync(all.at(name), { recursive: true, force: true });
  await home.ok(['pull', '--yes']);
  const write = (name: string, edit: (text: string) => string) =>
    writeFileSync(all.at(`org/${name}`), edit(readFileSync(all.at(`org/${name}`), 'utf8')));
  write('teams.yaml', (text) => `${text.trimEnd()}\n  - key: fresh\n    title: Fresh\n`);
  write('people.yaml', (text) => text.replace(/teams: \[/, 'teams: [fresh, '));
  all.write('policy.yaml', all.policyText([ada, bob], '', ['teams *', 'apply']));
  home.env.DOCS_POLICY = all.at('policy.yaml');
  await home.ok(['plan', '--save-plan', 'plan.json', '--yes']);
  expect(all.plan().operations.map(({ kind }) => kind)).toEqual(['teams', 'memberships']);
  expect((await all.approve('ada')).code).toBe(0);
  all.forwarder.onChange = (count) => (count < 2 ? 'pass' : 'lost before');
  await home.run(['apply', 'plan.json', '--yes', '--concurrency', '1', '--no-retry']);
  await all.forwarder.idle();
  all.forwarder.onChange = () => 'pass';
});

test('is resumed where it is as it was', async () => {
  const ran = await home.run(resume);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 });
});

test('is not resumed where the id of the team is another one, although nothing else is', async () => {
  const before = await inTeam();
  const edited = readFileSync(journal(), 'utf8').split('\n');
  const at = edited.findIndex((line) => line.includes('"is":"ok"'));
  expect(at).toBeGreaterThan(0);
  const line = JSON.parse(edited[at] ?? '') as { answer: { id: string } };
  edited[at] = JSON.stringify({ ...line, answer: { ...line.answer, id: other } });
  writeFileSync(journal(), edited.join('\n'));
  // The chain has the digest of the journal as it ended.
  expect(await resumed()).toMatchObject({ exit: 2, code: 'journal_changed', hint: 'docs audit verify' });
  // Nor without the chain, as after a kill before its end was written.
  rmSync(join(home.path, '.local/state/docs/audit.jsonl'));
  const { code, stderr } = await home.run(['jobs', 'resume', 'last', '--json']);
  expect({ code, stderr }).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/Item 0 did not make \S+, which is something else/),
  });
  expect(await inTeam()).toBe(before);
});
