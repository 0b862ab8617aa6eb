import {
  type Asking,
  askAll,
  type OpenReading,
  questionsOf,
  type Request,
} from '../../access/impact/impact.js';
import type { Affected, ImpactQuestion } from '../../access/impact/shapes.js';
import {
  countsOf,
  type DependentKind,
  type ImpactCounts,
  type Summarized,
  summaryOf,
} from '../../access/impact/summary.js';
import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { resourceOfObject, wordForImpact } from '../../model/resources.js';
import { showProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { lateError, limitedClient } from '../../snapshot/tasks.js';
import type { Unread } from '../../snapshot/unread.js';
import { atPlace, type ContextParameter, contextFlags } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';

/** What changes would break elsewhere, for confirmations, dry runs and plans. */

export interface ImpactOptions extends Asking, Patience {
  /** The time for it, where something else was looked at in it before. */
  time?: LookTime;
  /** What was not read in that time. */
  late?: readonly Unread[];
  /** What is shown beside it. */
  told?: ReadonlySet<DependentKind>;
  /** What the requests break, by a command that knows more than they tell; it is not asked for again. */
  found?: FindImpact;
}

/** How long looking may take. */
interface Patience {
  /** As long as `--timeout`, where that is longer. */
  seconds: number;
  /** Whether that does not count. */
  isFixed?: boolean;
}

/** The time for looking. */
export interface LookTime {
  seconds: number;
  /** The same client, whose requests end once the time is over. */
  limited(client: Client, onRequest?: (requests: number) => void): Client;
  /** To be called once nothing is looked at any more. */
  end(): void;
}

/** Sends only reads. */
export type FindImpact = (reading: OpenReading) => Promise<Summarized>;

/** What requests break elsewhere. */
export interface BrokenElsewhere {
  /** Sentences, sanitised. */
  lines: string[];
  /** Sentences that name the commands which show all of it; none where nothing was found. */
  ways: string[];
  /** Absent where it could not be looked up at all. */
  impact?: ImpactCounts;
}

/**
 * Looks up what requests would break. Sends only reads, and none where nothing is deleted, moved, transferred
 * or renamed. The lines name what cannot be read.
 * @throws DocsError interrupted, terminated: nothing was sent
 */
export async function impactOf(
  session: Session,
  client: () => Promise<Client>,
  requests: readonly Request[],
  look: ImpactOptions,
): Promise<BrokenElsewhere> {
  const { found: find = (reading) => askAll(reading, requests, look), late = [] } = look;
  const { questions, open } = questionsOf(look.found === undefined ? requests : []);
  if (look.found === undefined && questions.length === 0) return { lines: openLines(open), ways: [] };
  const time = look.time ?? openLook(session, look);
  const { seconds } = time;
  try {
    const found = await inTime(session, client, time, find);
    const impact = { ...found, unknown: [...late, ...found.unknown] };
    const lines = summaryOf(impact, { seconds, told: look.told });
    const ways = lines.length === 0 ? [] : waysOf(impactCommands(session, questions));
    return { lines: [...lines, ...openLines(open)], ways, impact: countsOf(impact) };
  } catch (cause) {
    if (session.io.signal.aborted || !(cause instanceof DocsError)) throw cause;
    return { lines: [`Could not look up other effects:  ${cause.message}`], ways: [] };
  } finally {
    if (look.time === undefined) time.end();
  }
}

function openLines(open: number): string[] {
  if (open === 0) return [];
  return [`Could not look at ${counted(open, 'change')} to something that does not exist yet.`];
}

/** More commands than this do not help. */
const mostCommands = 3;

function waysOf(commands: readonly string[]): string[] {
  if (commands.length > mostCommands) return ['Run "docs impact --help" to see all of it.'];
  const named = commands.map((command) => `"${command}"`).join(' and ');
  return commands.length === 0 ? [] : [`${named} ${commands.length === 1 ? 'shows' : 'show'} all of it.`];
}

/** Begins the time for looking. */
export function openLook({ io, settings }: Session, { seconds: least, isFixed }: Patience): LookTime {
  const set = isFixed ? 0 : (settings.timeoutMs?.value ?? 0);
  const seconds = set === 'none' ? Number.POSITIVE_INFINITY : Math.max(least, Math.ceil(set / 1000));
  const [over, ended] = [new AbortController(), new AbortController()];
  if (Number.isFinite(seconds))
    io.sleep(seconds * 1000, AbortSignal.any([io.signal, ended.signal])).then(
      () => over.abort(lateError()),
      () => {},
    );
  const pageSize = settings.pageSize?.value;
  return {
    seconds,
    limited: (client, onRequest) => limitedClient(client, { until: over.signal, onRequest, pageSize }),
    end: () => ended.abort(),
  };
}

/** Reads until the time is up; shows on a terminal that work is under way. */
function inTime<T>(
  session: Session,
  client: () => Promise<Client>,
  time: LookTime,
  work: (reading: OpenReading) => Promise<T>,
): Promise<T> {
  return showProgress(session, 'Looking up the effects', async (progress) => {
    const limited = time.limited(await client(), (requests) => progress.count(requests));
    return work({ client: checkedClient(limited), concurrency: 8, signal: session.io.signal });
  });
}

/** The commands that show all of an impact (`docs impact`); a test runs each through the parser. */

/** More ids than this make a line that nobody reads. */
const mostIds = 5;

/** @returns one command for each question and kind; with `<id...>` for many things */
export function impactCommands(
  { io, globals }: Pick<Session, 'io' | 'globals'>,
  questions: readonly ImpactQuestion[],
): string[] {
  const word = (text: string) => shellWord(text, io.platform);
  const all = questions.flatMap(({ action, things, to = {} }) => {
    const groups = new Map<string, Affected[]>();
    for (const thing of things) {
      const key = JSON.stringify([thing.object, thing.within]);
      groups.set(key, [...(groups.get(key) ?? []), thing]);
    }
    return [...groups.values()].map((own) => {
      const [{ object, within = {} }] = own as [Affected];
      const ids = own.length > mostIds ? ['<id...>'] : own.map(({ id }) => word(id));
      const around = Object.entries(within).flatMap(([name, id]) => [
        `--${contextFlags[name as ContextParameter]}`,
        word(id),
      ]);
      const parts = ['docs impact', action, wordForImpact(object), ...ids, ...around];
      return [...parts, ...targetWords(to, word)].join(' ');
    });
  });
  return [...new Set(all)].map((command) => atPlace(command, globals, io.platform));
}

/** The command that makes the change of which an impact is asked, as the words after `docs`. */
export function changeWords({ action, things, to = {} }: ImpactQuestion): string[] {
  const [first] = things;
  if (first === undefined) return [];
  const group = resourceOfObject(first.object)?.command.words.split(' ').slice(0, -1) ?? [];
  const around = Object.entries(first.within ?? {}).flatMap(([name, id]) => [
    `--${contextFlags[name as ContextParameter]}`,
    id,
  ]);
  const ids = things.map(({ id }) => id);
  const verb = action === 'rename' ? 'update' : action;
  return [...group, verb, ...ids, ...around, ...targetWords(to, (text) => text)];
}

function targetWords(to: NonNullable<ImpactQuestion['to']>, word: (text: string) => string): string[] {
  return Object.entries(to).flatMap(([name, value]) => {
    if (value === null) return ['--unset', name];
    return [name === 'organization' ? '--to-org' : `--${name}`, word(value)];
  });
}
