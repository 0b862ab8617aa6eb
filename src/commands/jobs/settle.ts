import { Type } from '../../api/type.js';
import { type DocsError, usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { option } from '../../cli/declare/standing-flags.js';
import { askFor, askText } from '../../cli/resolve/prompts.js';
import { findJob } from '../../cli/run/find-job.js';
import { claimedIn } from '../../cli/run/resume-job.js';
import { refuseElsewhere, trailOf } from '../../cli/run/session-job.js';
import { reopenJob } from '../../jobs/create-job.js';
import { namedByHand } from '../../jobs/creations/by-hand.js';
import { refuseDamaged } from '../../jobs/damage.js';
import { wasSent } from '../../jobs/failures.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { countsOf, type ItemRecord, type Job, type OutcomeLine, writeLine } from '../../jobs/journal.js';
import { operationOf } from '../../jobs/operation-of.js';
import { readsOf } from '../../jobs/request.js';
import { checked } from '../../output/check-mark.js';
import { done, oneOf, text } from '../../output/printed-shapes.js';
import { jobArgument } from './argument.js';

export const settle = manual({
  name: 'settle',
  summary: 'Mark an item as done or not done, by hand',
  why:
    'For a request whose answer was lost where docs jobs resume cannot find out whether it took effect. ' +
    'The next resume sends an item that was not done.',
  args: {
    ...jobArgument('unsettled-jobs', async () => (await import('./offers.js')).unknownJobs),
    '<item>': {
      description: 'Index of the item, from 0, or its id',
      listedBy: 'jobs list',
      offers: async () => (await import('./offers.js')).unknownItems,
      completes: 'unsettled-items',
    },
  },
  options: [
    option('--is <id>', 'It was done: id of what it created or changed', { conflicts: ['not-done'] }),
    option('--not-done', 'It was not done', { boolean: true }),
  ],
  returns: done(oneOf('done', 'not-done'), { job: text, item: Type.Integer(), made: Type.Optional(text) }),
  exits: ['not-found'],
  examples: {
    'jobs settle last 0 --is t1': 'record that item 0 created a team',
    'jobs settle last 0 --not-done': 'let the next resume send item 0 again',
  },
  danger: 'change',
  effect: 'local',
  async run(session, input) {
    const folder = new JobFolder(session.io);
    const job = findJob(session, folder, String(input.args.job));
    const { job: name } = job.header;
    const word = String(input.args.item);
    refuseElsewhere(session, job.header, `docs jobs settle ${name} ${word}`);
    refuseDamaged(job, 'settled');
    const { item } = unknownItem(job, word).plan;
    const verify = (typed: string) => verified(session, folder, job, item, typed);
    const typed = outcomeIn(input);
    const { id } = typed ?? (await askOutcome(session, { job: name, item }, verify));
    const answer = id === undefined ? undefined : await verify(id);
    if (!session.globals.dryRun) await record(session, folder, job, item, id !== undefined, answer);
    await tell(session, job, item, id);
  },
});

/** The id of what an item created or changed; none where it was not done. */
interface Outcome {
  id?: string;
}

/** What the flags say; undefined where they say nothing. */
function outcomeIn({ options }: ManualInput): Outcome | undefined {
  if (options.notDone === true) return {};
  return typeof options.is === 'string' && options.is !== '' ? { id: options.is } : undefined;
}

/** The first is under the cursor: Enter alone records nothing. */
const outcomes = [
  { value: 'leave', name: 'I do not know; leave it as it is' },
  { value: 'done', name: 'It was done' },
  { value: 'not-done', name: 'It was not done; the next resume sends it again' },
] as const;

/**
 * Asks whether the item was done.
 * @param verify refuses an id that the platform does not have, or not as the item would have made it
 * @throws DocsError usage `missing_outcome` where nobody can be asked, or knows
 */
async function askOutcome(
  session: Session,
  { job, item }: { job: string; item: number },
  verify: (id: string) => Promise<unknown>,
): Promise<Outcome> {
  if (!session.interactive)
    throw usageError('missing_outcome', 'Pass --is <id> if the item was done, else --not-done.', {
      hint: `docs jobs settle ${job} ${item} --not-done`,
    });
  const chosen = await askFor(session, { what: '--is', label: 'Outcome of the item', choices: outcomes });
  if (chosen === 'not-done') return {};
  if (chosen === 'done')
    return { id: await askText(session, 'Id of what it created or changed:', { check: verify }) };
  throw usageError('missing_outcome', 'Nothing was recorded; the item stays unknown.', {
    hint: `docs jobs show ${job}`,
  });
}

/** The item that a word names: by its index, else by an id that no other item of unknown outcome has. */
function unknownItem(job: Job, word: string): ItemRecord {
  const { job: name } = job.header;
  const byIndex = job.items.filter(({ plan }) => String(plan.item) === word);
  const found = byIndex.length > 0 ? byIndex : job.items.filter(({ plan }) => plan.id === word);
  const open = found.filter(wasSent);
  const [only] = open;
  if (only !== undefined && open.length === 1) return only;
  throw noItem(word, name, found, open);
}

function noItem(
  word: string,
  job: string,
  found: readonly ItemRecord[],
  open: readonly ItemRecord[],
): DocsError {
  const hint = `docs jobs show ${job}`;
  const indexes = open.map(({ plan }) => plan.item).join(', ');
  if (open.length > 1)
    return usageError('ambiguous_item', `Ambiguous item ${JSON.stringify(word)}: items ${indexes}.`, {
      hint,
    });
  const [first] = found;
  if (first === undefined)
    return usageError('unknown_item', `Item ${JSON.stringify(word)} not found in job ${job}.`, { hint });
  const { state, plan } = first;
  const message = `Item ${plan.item} of job ${job} is ${state}; only an item of unknown outcome can be settled.`;
  return usageError('not_unknown', message, { hint });
}

/** What a person names, as the platform has it. @throws DocsError as `namedByHand`; usage `other_item` */
async function verified(
  session: Session,
  folder: JobFolder,
  job: Job,
  item: number,
  id: string,
): Promise<unknown> {
  const other = claimedIn(folder, job).get(id);
  const hint = `docs jobs show ${job.header.job}`;
  if (other !== undefined)
    throw usageError('other_item', `${id} was created by ${other}; nothing was recorded.`, { hint });
  const found = job.items.find(({ plan }) => plan.item === item) as ItemRecord;
  return namedByHand(readsOf(await session.client()), operationOf(found.plan.op), found, { id, hint });
}

async function record(
  session: Session,
  folder: JobFolder,
  job: Job,
  item: number,
  isDone: boolean,
  answer: unknown,
): Promise<void> {
  const { io } = session;
  const open = await reopenJob(io, folder, job, { trail: trailOf(session), settles: item });
  try {
    // Another process may have settled it until now.
    unknownItem(job, String(item));
    const line: OutcomeLine = { item, is: isDone ? 'ok' : 'skipped', at: new Date(io.now()).toISOString() };
    const how = isDone ? ({ found: true, byHand: true } as const) : ({ byHand: true } as const);
    await open.journal.append(writeLine({ ...line, ...how, ...defined({ answer }) }));
    Object.assign(job, folder.read(job));
  } finally {
    await open.close();
  }
}

async function tell(session: Session, job: Job, item: number, id: string | undefined): Promise<void> {
  const { printer, globals, io } = session;
  const { job: name } = job.header;
  const status = id === undefined ? 'not-done' : 'done';
  const words = `item ${item} of job ${name} as ${id === undefined ? 'not done' : `done: ${id}`}`;
  await printer.done(
    { id: `${name}/${item}`, status, job: name, item, ...defined({ made: id }) },
    globals.dryRun ? `Would record ${words}.` : checked(io, `Recorded ${words}.`),
  );
  if (globals.dryRun) return;
  const { unknown, left, failed } = countsOf(job);
  if (unknown + left + failed === 0) return;
  printer.note(`${atPlace(`docs jobs resume ${name}`, globals, io.platform)} goes on with the rest.`);
}
