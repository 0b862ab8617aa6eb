import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failure, outcomes, runLimited } from './job-home.js';
import { memberHome, update as updateAll } from './member-home.js';

/** The disk is full in the middle of a job: nothing is sent without a line in the journal. */

const count = 60;
const { platform, home } = await memberHome(count);
const update = [...updateAll, '--yes', '--json'];

/** Everything sent has its `started` line, and everything recorded as done was done. */
function expectJournalKnows(text: string): void {
  const started = text.split('\n').filter((line) => line.includes('"is":"started"') && line.endsWith('}'));
  expect(platform.changes.length).toBeLessThanOrEqual(started.length);
  expect(outcomes(text.slice(0, text.lastIndexOf('\n') + 1)).size).toBeLessThanOrEqual(
    platform.changes.length,
  );
}

test('a journal that cannot grow ends the job with exit 13; the job can be resumed', async () => {
  const ran = await runLimited(16, update, home);
  expect(ran.code).toBe(13);
  const error = failure(ran.stderr);
  expect(error).toMatchObject({ code: 'journal_unwritable', exitCode: 13 });
  expect(error.message).toMatch(/^\d+ of 60 items are done; .*the file would be larger than allowed/);
  expect(platform.changes.length).toBeGreaterThan(0);
  expect(platform.changes.length).toBeLessThan(count);
  // Nothing is read any more either, for what could not be sent.
  expect(platform.requests.length).toBeLessThan(2 * count - 20);
  expectJournalKnows(home.journalTexts()[0] ?? '');

  const resumed = await home.run(['jobs', 'resume', 'last']);
  expect(resumed.code).toBe(0);
  expect([...platform.changes].sort()).toEqual([...platform.roles.keys()].map((id) => `${id} read`).sort());
});

test('under a policy nobody is told to turn journals off, which it does not allow', async () => {
  const policy = join(home.path, 'open.yaml');
  writeFileSync(policy, 'version: 1\ndefault: allow\n', { mode: 0o600 });
  const env = { ...home.env, DOCS_POLICY: policy };
  const ran = await runLimited(16, [...update, '--again'], { path: home.path, env });
  const error = failure(ran.stderr);
  expect(error).toMatchObject({ code: 'journal_unwritable', exitCode: 13 });
  expect(error.message).not.toContain('journal off');
});
