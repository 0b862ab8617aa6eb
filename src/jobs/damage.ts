import { type DocsError, usageError } from '../base/errors.js';
import { hashOfInput } from './job-folder.js';
import type { Job } from './journal.js';

/**
 * What is wrong with the plan in a journal, which is then no ground to send anything: a crash or a full disk cut
 * it, or somebody edited it. A whole sentence without its full stop.
 */
export function damageOf({ header, items }: Pick<Job, 'header' | 'items'>): string | undefined {
  const { total, input } = header;
  if (items.length < total) return `Its journal has only ${items.length} of the ${total} items of its plan`;
  const plan = items.map((item) => item.filed ?? item.plan);
  return plan.length === total && hashOfInput(header, plan) === input ? undefined : 'Its journal was edited';
}

/** The way on from a damaged journal, for every command that meets one. */
export function wayOn({ header: { job }, items }: Job): { words: string; hint: string } {
  const sent = items.filter((item) => item.sent).length;
  const words =
    sent === 0
      ? 'none of its items was sent. Discard the journal, and start over with the command that began the job'
      : `${sent} of its items were sent (docs jobs show ${job}). To start over, discard the journal first`;
  return { words, hint: `docs jobs discard ${job}` };
}

/**
 * Refuses to work on a job whose journal is damaged.
 * @param what what cannot be done: `resumed`
 * @throws DocsError usage `job_mismatch`
 */
export function refuseDamaged(job: Job, what: string): void {
  const damage = damageOf(job);
  if (damage !== undefined) throw damagedJob(job, what, damage);
}

function damagedJob(job: Job, what: string, damage: string): DocsError {
  const { words, hint } = wayOn(job);
  const message = `Job ${job.header.job} cannot be ${what}. ${damage}; nothing was sent now, and ${words}.`;
  return usageError('job_mismatch', message, { hint });
}
