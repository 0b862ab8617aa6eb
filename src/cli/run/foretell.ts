import { type Client, callOne } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { type Change, findReferences } from '../../jobs/change.js';
import { isRefusal } from '../../jobs/reads.js';
import { showProgress } from '../../output/progress.js';
import type { Draft, PlanImpact } from '../../plans/plan.js';
import { outOfTime } from '../../snapshot/tasks.js';
import type { Unread } from '../../snapshot/unread.js';
import type { Command, Consequence, Deletion } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import type { BrokenElsewhere, FindImpact, ImpactOptions } from './impact.js';
import { isStructured } from './output.js';

/** What goes with changes: what their command declares, and what they would break elsewhere. */

type Requests = readonly Pick<Change, 'op' | 'input'>[];

/** How long an impact is looked for: a person waits for a question, and reads a dry run or a plan later. */
export const lookSeconds = { asking: 2, dryRun: 10, planning: 60 } as const;

/** Before a question: whoever waits for it waits no longer, whatever time its requests may take. */
export const asking = { seconds: lookSeconds.asking, isFixed: true } as const;

export interface Foretold {
  /** What people call the only resource that is deleted. */
  title?: string;
  /** Sentences, sanitised. */
  lines: string[];
  /** Absent where nothing is deleted, moved, transferred or renamed, and where that could not be looked up. */
  impact?: PlanImpact;
}

/**
 * The title of what is to be deleted, what goes with it, and what it would break elsewhere.
 * @throws DocsError where it cannot be read; interrupted
 */
export async function foretellDeletion(
  session: Session,
  client: Client,
  { spec }: Command,
  call: Change,
  look: ImpactOptions,
): Promise<Foretold & { title: string }> {
  const { id, input } = call;
  const read = spec?.titleFrom;
  const answer = read && (await callOne(client, { op: read, input: { path: { ...input.path } } }));
  const resource = (answer ?? {}) as Deletion['resource'];
  const declared = (await spec?.consequences?.()) ?? [];
  const { openLook } = await import('./impact.js');
  const time = openLook(session, look);
  try {
    const looking = { session, client: time.limited(client), id, resource };
    const found = await consequencesOf(declared, looking);
    const told = new Set(found.flatMap(({ tells, isKnown }) => (isKnown && tells ? [tells] : [])));
    const late = found.flatMap((one) => one.late ?? []);
    const { organization } = resource;
    const where = typeof organization === 'string' ? { organizationId: organization } : {};
    const own = { ...look, ...where, told, time, late };
    const elsewhere = await lookElsewhere(session, async () => client, [call], own);
    // What can still be done about it comes last.
    const [last, first] = [true, false].map((isLast) =>
      found.flatMap(({ tells, line }) =>
        line !== undefined && (tells === 'irreversible') === isLast ? [line] : [],
      ),
    );
    const title = typeof resource.title === 'string' ? resource.title : id;
    const { lines, ways } = elsewhere;
    return { ...elsewhere, title, lines: [...(first ?? []), ...lines, ...(last ?? []), ...ways] };
  } finally {
    time.end();
  }
}

/**
 * What requests would break elsewhere, and the command that shows all of it. Sends nothing where they delete, move,
 * transfer and rename nothing.
 */
async function foretellImpact(...given: Parameters<typeof lookElsewhere>): Promise<Foretold> {
  const { lines, ways, ...found } = await lookElsewhere(...given);
  return { ...found, lines: [...lines, ...ways] };
}

async function lookElsewhere(
  session: Session,
  client: () => Promise<Client>,
  requests: Requests,
  look: ImpactOptions,
): Promise<BrokenElsewhere> {
  if (requests.length === 0) return { lines: [], ways: [] };
  return (await import('./impact.js')).impactOf(session, client, requests, look);
}

/** Before a question, and in a dry run: warns of what requests would break elsewhere. */
export async function warnOfImpact(
  session: Session,
  client: () => Promise<Client>,
  requests: Requests,
): Promise<void> {
  const isDryRun = session.globals.dryRun === true;
  // A dry run names the limits of undo with each request.
  const told = new Set(isDryRun ? (['irreversible'] as const) : []);
  const look = isDryRun ? { seconds: lookSeconds.dryRun } : asking;
  const found = await lookElsewhere(session, client, requests, { ...look, told });
  // The last line of a dry run names the commands that show all of it.
  const ways = told.size > 0 && !isStructured(session) ? [] : found.ways;
  if (found.lines.length > 0) session.printer.warn([...found.lines, ...ways].join('\n'));
  else if (found.impact !== undefined) session.printer.note('Found nothing else that this affects.');
}

/** Where the drafts of a plan belong, and what is known of them. */
export interface PlannedImpact {
  /** Where all of them are about one. */
  organizationId?: string | undefined;
  /** What they break, where the command that made them finds that out itself. */
  found?: FindImpact | undefined;
  /** The command whose only change asks for a title. */
  deletes?: Command | undefined;
}

/** The same for the drafts of a plan, all at once; the plan itself names what does not exist. */
export async function foretellDrafts(
  session: Session,
  client: Client,
  drafts: readonly Draft[],
  { organizationId, found, deletes }: PlannedImpact = {},
): Promise<Foretold> {
  // What another draft makes is not there yet.
  const isOpen = ({ change }: Draft) =>
    findReferences(change?.input).some(({ was, into }) => was !== undefined || into[0] === 'path');
  const requests = drafts.flatMap((draft) => (draft.change && !isOpen(draft) ? [draft.change] : []));
  const look = { seconds: lookSeconds.planning, organizationId, found };
  const [only] = requests;
  if (deletes === undefined || only === undefined)
    return foretellImpact(session, async () => client, requests, look);
  try {
    return await foretellDeletion(session, client, deletes, only, look);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    if (cause.kind === 'not-found') return { lines: [] };
    if (!isRefusal(cause)) throw cause;
    return { lines: [`Could not look up other effects:  ${cause.message}`] };
  }
}

interface FoundConsequence extends Pick<Consequence, 'tells'> {
  line: string | undefined;
  isKnown: boolean;
  /** What it could not read in time. */
  late?: Unread;
}

/** The consequences at once, in their order; a failure to look one up takes its place. */
async function consequencesOf(
  consequences: readonly Consequence[],
  deletion: Deletion,
): Promise<FoundConsequence[]> {
  const found = consequences.map(async ({ tells, reads, look }): Promise<FoundConsequence> => {
    try {
      return { tells, line: await look(deletion), isKnown: true };
    } catch (cause) {
      if (!(cause instanceof DocsError) || cause.kind === 'interrupted') throw cause;
      const late = reads !== undefined && cause.code === outOfTime;
      if (late)
        return { tells, line: undefined, isKnown: false, late: { kind: reads, id: '', error: cause } };
      return { tells, line: `Could not check: ${cause.message}`, isKnown: false };
    }
  });
  return showProgress(deletion.session, 'Looking up the effects', () => Promise.all(found));
}
