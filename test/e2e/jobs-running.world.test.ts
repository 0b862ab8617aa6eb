import { basename } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { JobFolder, takeJob } from '../../src/jobs/job-folder.js';
import type { Job } from '../../src/jobs/journal.js';
import { memberHome } from './member-home.js';

/** A job that ends while it is looked at. */

const { home } = await memberHome(2);
afterEach(() => vi.restoreAllMocks());

test.each([
  [['jobs', 'list', '--jq', '.[].state'], 'readAll'],
  [['jobs', 'show', 'last', '--jq', '.state'], 'undoing'],
] as const)('docs %j: one that ends after its journal was read was running', async (words, read) => {
  await home.ok(['members', 'update', 'u1', '--role', 'read']);
  const [path = ''] = home.journalPaths();
  const { release } = takeJob(process, home.journals, basename(path, '.jsonl').split('.')[0] ?? '');
  const original = JobFolder.prototype[read];
  vi.spyOn(JobFolder.prototype, read).mockImplementation(function (this: JobFolder, ...given: unknown[]) {
    const found: Job[] = Reflect.apply(original, this, given);
    release();
    return found;
  });
  const { stdout } = await home.run(words);
  expect(stdout).toMatch(/^"?running"?\n$/);
});
