import { meant } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/option.js';
import type { Session } from '../../cli/declare/session.js';
import { asksForValue, columnsOf, outputFormat, paletteOf } from '../../cli/run/output.js';
import type { Palette } from '../../output/colors.js';
import { closed, orNull, text } from '../../output/printed-shapes.js';
import type { Page, View } from '../../output/printer.js';
import { safeLine } from '../../output/text.js';
import { cut, widthOf } from '../../output/text-width.js';
import type { SandboxControl } from '../../sandbox/control.js';
import type { ListedRequest, RequestFilter } from '../../sandbox/server/request-queries.js';
import { parseDuration } from '../../settings/duration.js';
import { chosenFile, fileOption, sandboxTime, withControl } from './control.js';
import { count } from './typed.js';

const LoggedRequest = closed({
  id: text,
  time: sandboxTime,
  method: text,
  path: text,
  status: meant('state', Type.Integer({ description: '0 if the connection was cut' })),
  caller: orNull(text),
  actor: orNull(Type.String({ description: 'Name of the caller' })),
  ms: Type.Number({ description: 'Real milliseconds until it was answered' }),
  fault: orNull(Type.String({ description: 'Method and path of the fault that applied' })),
});

/** Requests that a watch begins with. */
const firstWatched = 10;
const pollMs = 250;

export const requests = manual({
  name: 'requests',
  summary: 'List the last 10,000 requests',
  why: 'Shows the requests of a script and the responses of the sandbox, for inspection or assertions.',
  options: [
    option('-L, --limit <n>', 'Only the last n requests', { number: 'count' }),
    option('--status <status>', 'Only this status, a class such as 4xx, or errors', { choices: ['errors'] }),
    option('--method <method>', 'Only this method, or changes: all but GET and HEAD', {
      choices: ['changes', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    }),
    option('--actor <user>', 'Only requests of this user, by name, email or id'),
    option('--watch [interval]', 'Print requests as they arrive, until Ctrl-C', { duration: true }),
    fileOption,
  ],
  returns: Type.Array(LoggedRequest),
  columns: [
    'time',
    { path: 'method', keep: true },
    { path: 'path', keep: true },
    { path: 'status', lead: true },
    { path: 'ms', label: 'MS' },
    'actor',
    'id',
  ],
  empty: 'No requests yet.',
  examples: {
    'sandbox requests --limit 20': 'list the last 20 requests',
    'sandbox requests --status errors --method changes': 'list the changes that failed',
  },
  local: true,
  // Seeds a database that is not there yet.
  actsHere: true,
  async run(session, { options }, { view }) {
    await session.printer.check(view);
    const filter = filterOf(options);
    const file = await chosenFile(session, 'requests', options.file);
    const most = options.limit === undefined ? undefined : count('--limit', options.limit, 1, 10_000);
    await withControl(session, file, async (control) => {
      if (options.watch !== undefined)
        return watch(
          session,
          view,
          arriving(session, control, filter, { most, everyMs: intervalOf(options.watch) }),
        );
      await session.printer.list(control.requests(filter, defined({ most })).map(shown), view);
    });
  },
});

/** @throws DocsError usage `invalid_value` */
function filterOf({ status, method, actor }: ManualInput['options']): RequestFilter {
  if (status !== undefined && !/^(?:errors|[1-5]xx|\d{1,3})$/i.test(String(status)))
    throw usageError(
      'invalid_value',
      `invalid --status ${JSON.stringify(status)}; expected a status such as 404, 4xx or errors`,
    );
  const said = (value: unknown) => (value === undefined ? undefined : String(value));
  return defined({ status: said(status)?.toLowerCase(), method: said(method), actor: said(actor) });
}

function intervalOf(typed: unknown): number {
  const ms = typeof typed === 'string' ? parseDuration(typed) : pollMs;
  return typeof ms === 'number' ? Math.max(pollMs, ms) : pollMs;
}

function shown({ seq: _, email: __, ...request }: ListedRequest) {
  return { ...request, time: new Date(request.time).toISOString() };
}

/** The last requests, and then those that arrive, until the run is aborted. */
async function* arriving(
  { io }: Session,
  control: SandboxControl,
  filter: RequestFilter,
  { most = firstWatched, everyMs }: { most: number | undefined; everyMs: number },
): AsyncGenerator<ListedRequest[], never> {
  let found = control.requests(filter, { most });
  for (let after = control.lastRequest(); ; ) {
    if (found.length > 0) yield found;
    await io.sleep(everyMs, io.signal);
    io.signal.throwIfAborted();
    const last = control.lastRequest();
    // A log that was emptied begins anew.
    found = last === after ? [] : control.requests(filter, { after: last < after ? 0 : after });
    after = last;
  }
}

/** A line for each request; for JSON a value each. @throws DocsError interrupted on Ctrl-C */
async function watch(
  session: Session,
  view: View,
  arrivals: AsyncGenerator<ListedRequest[], never>,
): Promise<void> {
  const { io, printer } = session;
  try {
    if (session.sorts === true)
      throw usageError('contradiction', '--watch prints requests as they arrive; remove --sort-by');
    if (asksForValue(session)) {
      for await (const found of arrivals) for (const one of found) await printer.one(shown(one), view);
    } else if (outputFormat(session) === 'table') {
      const line = lineOf(columnsOf(session), await paletteOf(session));
      for await (const found of arrivals) await printer.painted(found.map(line).join(''));
    } else await printer.list(pages(arrivals), view);
  } catch (cause) {
    if (!io.signal.aborted) throw cause;
    const { Left } = await import('../../cli/run/watch.js');
    throw new Left(io.signal.reason);
  }
}

async function* pages(arrivals: AsyncIterable<ListedRequest[]>): AsyncGenerator<Page> {
  for await (const found of arrivals) yield { items: found.map(shown), next: 'more' };
}

/** Makes the line of a request for a terminal of that width. */
function lineOf(columns: number, palette: Palette): (request: ListedRequest) => string {
  const wide = columns >= 100;
  const room = Math.max(20, columns - (wide ? 54 : 31));
  return ({ time, method, path, status, ms, actor }) => {
    const at = new Date(time).toISOString().slice(11, 19);
    const where = cut(safeLine(path), room);
    const answered = toneOf(palette, status)(status === 0 ? 'cut' : String(status));
    const parts = [
      palette.quiet(at),
      methodTone(palette, method)(method.padEnd(6)),
      where + ' '.repeat(room - widthOf(where)),
      answered,
      `${Math.round(ms)} ms`.padStart(8),
      ...(wide ? [palette.quiet(cut(actor ?? '–', 22))] : []),
    ];
    return `${parts.join(' ')}\n`;
  };
}

function toneOf({ good, warn, bad }: Palette, status: number) {
  return status === 0 || status >= 500 ? bad : status >= 400 ? warn : good;
}

function methodTone({ quiet, strong, bad }: Palette, method: string) {
  return method === 'DELETE' ? bad : method === 'GET' || method === 'HEAD' ? quiet : strong;
}
