import { usageError } from '../../base/errors.js';
import { defined, isObject } from '../../base/values.js';
import { isForPerson, outputFormat } from '../../cli/run/output.js';
import type { Page, Report, Session, View } from '../../cli/run/run-report.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { commandWords } from '../../jobs/journal.js';
import { counted, safeText } from '../../output/text.js';
import { type ChainLine, eventsOfAllBackwards, linesOfAll, type Placed } from '../../policy/audit/chain.js';
import { AuditEvent } from '../../policy/audit/shape.js';
import { recordPlaces } from '../../policy/place.js';
import { momentMs, parseMoment } from '../../settings/duration.js';

/** An event as it is listed: of several chains, with the folder of its own. */
type Event = ChainLine & { place?: string };

/** Events with their places, where more than one is read. */
function* named(events: Iterable<Placed<ChainLine>>, { length }: readonly string[]): Generator<Event> {
  for (const { place, line } of events) yield length > 1 ? { ...line, place } : line;
}

const pageSize = 100;

/** `docs audit list`: reads from the end, no further than it prints. Usage `invalid_since`. */
export const listReport: Report<Iterable<Event>> = {
  one: 'event',
  read({ session: { io }, input: { options } }) {
    const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
    const sinceMs = sinceOf(text('since'), io.now());
    const wanted = { sinceMs, actor: text('actor'), job: text('job'), event: text('event') };
    const places = recordPlaces(io);
    return Promise.resolve(selected(named(eventsOfAllBackwards(places), places), wanted));
  },
  rows(events, { session, input: { options } }) {
    const pages = pagesOf(events);
    return {
      items: isForPerson(session) ? withSubjects(pages, new JobFolder(session.io)) : pages,
      ...(options.limit !== undefined && { limit: Number(options.limit) }),
    };
  },
};

/** For a person, the command of every event with what its job changed, and its chain in the words of what came of it. */
async function* withSubjects(pages: AsyncIterable<Page>, folder: JobFolder): AsyncGenerator<Page> {
  for await (const page of pages) {
    const wanted = new Set(page.items.flatMap((item) => (isObject(item) ? [item.job] : [])));
    const jobs = folder.readAll(
      () => {},
      ({ job }) => wanted.has(job),
    );
    const words = new Map<unknown, string>(jobs.map((job) => [job.header.job, commandWords(job)]));
    const items = page.items.map((item) => {
      if (!isObject(item)) return item;
      const { job, command, detail, place } = item;
      const where = place === undefined ? [] : [`in ${place}`];
      return {
        ...item,
        ...defined({ command: words.get(job) ?? command }),
        detail: [...(detail === '' ? [] : [detail]), ...where].join(', '),
      };
    });
    yield { ...page, items };
  }
}

/** `docs audit export`: the lines as they stand, or as the values of another format. */
export async function exportEvents(session: Session, view: View): Promise<void> {
  const { io, printer, settings, globals, sorts } = session;
  const isPlain = (globals.jq ?? settings.fields ?? sorts) === undefined;
  await printer.check(view);
  if (!isPlain || (settings.output !== undefined && outputFormat(session) !== 'ndjson'))
    return void (await printer.list(pagesOf(eventsOf(session)), view));
  const places = recordPlaces(io);
  let text = '';
  for (const { line: raw } of linesOfAll(places)) {
    const line = raw.bytes.toString('utf8');
    // What somebody else wrote into the file must not command the terminal.
    text += `${io.stdout.isTTY === true ? safeText(line) : line}\n`;
    if (text.length < 64 * 1024) continue;
    await printer.painted(text);
    text = '';
  }
  if (text !== '') await printer.painted(text);
  if (places.length > 1)
    printer.note(
      `These are the lines of the chains in ${places.join(' and ')}; -o json says which is whose.`,
    );
}

function* eventsOf({ io }: Session): Generator<Event> {
  const places = recordPlaces(io);
  const events = function* (): Generator<Placed<ChainLine>> {
    for (const { place, line } of linesOfAll(places))
      if (line.line !== undefined) yield { place, line: line.line };
  };
  yield* named(events(), places);
}

async function* pagesOf(events: Iterable<Event>): AsyncGenerator<Page> {
  let items: unknown[] = [];
  for (const event of events) {
    items.push(printedEvent(event));
    if (items.length < pageSize) continue;
    yield { items, next: 'more' };
    items = [];
  }
  yield { items };
}

interface EventFilter {
  sinceMs: number | undefined;
  actor: string | undefined;
  job: string | undefined;
  event: string | undefined;
}

/** The events that are wanted; ends at the first that is too old, since later lines are never older. */
function* selected(events: Iterable<Event>, { sinceMs, actor, job, event }: EventFilter): Generator<Event> {
  for (const line of events) {
    if (sinceMs !== undefined && Date.parse(line.at) < sinceMs) return;
    if (event !== undefined && line.event !== event) continue;
    if (job !== undefined && !(line.job ?? '').startsWith(job)) continue;
    if (actor === undefined || isBy(line, actor)) yield line;
  }
}

/** Whether somebody of this kind, name or client did it; a client also without its version. */
function isBy({ actor }: ChainLine, wanted: string): boolean {
  const { kind, name, client } = actor ?? {};
  const known = [kind, name, client, client?.replace(/[@/].*$/, '')];
  return known.some((one) => one?.toLowerCase() === wanted.toLowerCase());
}

function sinceOf(typed: string | undefined, nowMs: number): number | undefined {
  if (typed === undefined) return undefined;
  const moment = parseMoment(typed);
  if (moment !== undefined) return momentMs(moment, nowMs);
  const message = `invalid --since ${JSON.stringify(typed)}; expected a span such as 7d or 24h, or a date such as 2026-01-31`;
  throw usageError('invalid_since', message, { hint: 'docs audit list --since 7d' });
}

const printedKeys = Object.keys(AuditEvent.properties);

/** A line as it is printed; whatever else somebody wrote into it is left to `docs audit export`. */
function printedEvent(line: Event): Record<string, unknown> {
  const known = { ...line, detail: detailOf(line) } as Record<string, unknown>;
  return defined(Object.fromEntries(printedKeys.map((key) => [key, known[key]])));
}

function detailOf(line: ChainLine): string {
  const { event, counts, interrupted, missing, request, cause, item, bytes, undoes, requests } = line;
  const { approver, reasons } = line;
  const found = [
    request,
    cause && `${cause.rule} (line ${cause.line})`,
    item === undefined ? undefined : `item ${item}`,
    undoes && `undoes ${undoes}`,
    approver && `by ${approver}`,
    reasons?.map(({ code }) => code).join(', '),
    requests && requestWords(requests),
    counts && countWords(counts),
    event === 'job-ended' && counts === undefined && missing !== true ? 'nothing was sent' : undefined,
    interrupted === true ? 'its process died' : undefined,
    missing === true ? 'its journal was gone' : undefined,
    event === 'torn' && bytes !== undefined ? counted(bytes, 'byte') : undefined,
  ];
  return found.filter((part) => part !== undefined && part !== '').join(', ');
}

/** More requests than this are counted; `--json` and `docs audit export` have all. */
const mostRequests = 3;

function requestWords(requests: NonNullable<ChainLine['requests']>): string {
  const words = ({ method, path, body }: (typeof requests)[number]) =>
    [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' ');
  return requests.length > mostRequests
    ? counted(requests.length, 'request')
    : requests.map(words).join('; ');
}

function countWords(counts: NonNullable<ChainLine['counts']>): string {
  const told = (['ok', 'failed', 'unknown', 'left'] as const).filter((state) => counts[state] > 0);
  return told.map((state) => `${counts[state]} ${state}`).join(', ');
}
