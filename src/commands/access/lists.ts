import { holdersOf, type WhoRequest } from '../../access/holders.js';
import { namedSpaces } from '../../access/matrix.js';
import { Tally } from '../../access/person.js';
import { openWhatIf, type Proposal, type WhatIf, type WhatIfCounts } from '../../access/what-if.js';
import { type Role, roles } from '../../api/shapes.js';
import { DocsError, usageError } from '../../base/errors.js';
import { wholeNumber } from '../../cli/parse/plain-values.js';
import { readIds } from '../../cli/parse/typed-text.js';
import { findAmong, findByTitle, hasId, readAddress } from '../../cli/resolve/find-by-title.js';
import { isAddress, refuseTitles } from '../../cli/resolve/id-places.js';
import { outputFormat } from '../../cli/run/output.js';
import type {
  ManualInput,
  Page,
  Report,
  ReportEnding,
  Session,
  View,
  Work,
} from '../../cli/run/run-report.js';
import { type Resource, resources } from '../../model/resources.js';
import { counted } from '../../output/text.js';
import { notAllRead, notReadLines, type Reading, unreadFacts } from '../../snapshot/unread.js';

/** `docs impact access`: lists who gains and who loses what by a change. */
export const whatIfReport: Report<WhatIf> = {
  async read({ session, input, ...asked }) {
    const typed = typedProposal(input);
    const reading = await asked.reading();
    const find = new Finder(session, reading);
    const proposal = await proposalOf(find, typed);
    const words = changeWords(proposal, find.collections);
    if (words !== undefined) session.previewed?.push({ shown: 'docs impact', words });
    return openWhatIf(reading, proposal);
  },
  rows(asked, { input }) {
    const limit = limitOf(input);
    return { items: pagesOf(rowsOf(asked), limit), ...limit };
  },
  end({ notes, tally, counts }, { listed: { cut } }) {
    const { warnings = [], ...ending } = endingOf(tally, { words: wordsOf(counts), cut });
    return { ...ending, warnings: [...notes, ...warnings] };
  },
};

async function* rowsOf(asked: WhatIf) {
  for await (const rows of asked.rows()) if (rows.length > 0) yield rows;
}

function wordsOf({ certain, possible }: WhatIfCounts): string {
  const parts = Object.entries({ certain, possible }).flatMap(([name, counts]) => {
    const words = partsOf(counts);
    return words.length === 0 ? [] : [`${name}: ${words.join(', ')}`];
  });
  const [first = 'No role changes', ...others] = parts;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ');
}

function partsOf({ gains, loses, changes }: WhatIfCounts['certain']): string[] {
  const verbs = [
    ['gained', gains],
    ['lost', loses],
    ['changed', changes],
  ] as const;
  return verbs.flatMap(([verb, count]) => (count > 0 ? [`${counted(count, 'role')} ${verb}`] : []));
}

/** The changes of `docs impact access`, as typed and by ids. */

/** What was typed around the `=` of a flag. */
interface Pair {
  key: string;
  value: string;
}

interface TypedProposal {
  left: Pair[];
  roles: Pair[];
  levels: Pair[];
  deleted: string[];
}

/** @throws DocsError usage `missing_option` without any change, `invalid_input` for one that cannot be read */
function typedProposal({ options }: ManualInput): TypedProposal {
  const many = (name: string) => (options[name] as string[] | undefined) ?? [];
  const typed = {
    // No id and no email has an `=`, but a title may.
    left: many('removeTeam').map((text) => pairOf('--remove-team', 'person=team', text, text.indexOf('='))),
    roles: many('role').map((text) => pairOf('--role', 'person=role', text, text.lastIndexOf('='))),
    levels: many('level').map((text) => pairOf('--level', 'space=role', text, text.lastIndexOf('='))),
    deleted: many('deleteTeam'),
  };
  for (const { value } of typed.roles) refuseValue('--role', value, [...roles, 'guest', 'none']);
  for (const { value } of typed.levels) refuseValue('--level', value, [...roles, 'inherit', 'none']);
  if (Object.values(typed).some((list) => list.length > 0)) return typed;
  const message = 'no change given; pass --remove-team, --role, --level or --delete-team';
  throw usageError('missing_option', message, { hint: 'docs impact access --help' });
}

function pairOf(flag: string, shape: string, text: string, at: number): Pair {
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && key !== '' && value !== '') return { key, value };
  throw usageError('invalid_input', `${flag}: expected ${shape}, not ${JSON.stringify(text.slice(0, 100))}`);
}

function refuseValue(flag: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  const message = `${flag}: invalid value ${JSON.stringify(value.slice(0, 100))}; expected one of ${allowed.join(', ')}`;
  throw usageError('invalid_input', message);
}

/**
 * The changes by ids; everything that is named is looked up.
 * @throws DocsError not-found `unknown_title`; usage `ambiguous_title`, and `contradiction` where two changes
 *   of the same thing differ
 */
async function proposalOf(find: Finder, typed: TypedProposal): Promise<Proposal> {
  const changed = new Map<string, Proposal['roles'] extends ReadonlyMap<string, infer R> ? R : never>();
  const levels = new Map<string, string | null>();
  const left = new Map<string, Set<string>>();
  for (const { key, value } of typed.roles) {
    const role = roles.find((one) => one === value) ?? null;
    setOnce(changed, await find.id(resources.member, key), role, `--role ${key}`);
  }
  for (const { key, value } of typed.levels)
    setOnce(levels, await find.place(key), value === 'none' ? null : value, `--level ${key}`);
  for (const { key, value } of typed.left) {
    const person = await find.id(resources.member, key);
    left.set(person, (left.get(person) ?? new Set()).add(await find.id(resources.team, value)));
  }
  const deleted = new Set<string>();
  for (const text of typed.deleted) deleted.add(await find.id(resources.team, text));
  return { roles: changed, levels, left, deleted };
}

/** The command that makes a single change, as the words after `docs`. */
function changeWords(
  { roles: changed, levels, left, deleted }: Proposal,
  collections: ReadonlySet<string>,
): string[] | undefined {
  const each = [
    ...[...changed].map(([person, role]) => ['members', 'update', person, '--role', role ?? 'none']),
    ...[...levels].map(([place, level]) => [
      ...[collections.has(place) ? 'collections' : 'spaces', 'update', place],
      ...['--default-level', level ?? 'none'],
    ]),
    ...[...left].flatMap(([person, teams]) =>
      [...teams].map((team) => ['teams', 'members', 'delete', team, person]),
    ),
    ...[...deleted].map((team) => ['teams', 'delete', team]),
  ];
  return each.length === 1 ? each[0] : undefined;
}

function setOnce<T>(map: Map<string, T>, key: string, value: T, what: string): void {
  if (map.has(key) && map.get(key) !== value)
    throw usageError('contradiction', `${what}: set to two different values`);
  map.set(key, value);
}

/** Looks up what is named; each name once. */
class Finder {
  readonly #session: Session;
  readonly #reading: Reading;
  readonly #found = new Map<string, Promise<string>>();
  /** The ids of collections among the places. */
  readonly collections = new Set<string>();

  constructor(session: Session, reading: Reading) {
    this.#session = session;
    this.#reading = reading;
  }

  id(kind: Resource, text: string): Promise<string> {
    const key = `${kind.name} ${text}`;
    const found = this.#found.get(key) ?? this.#look(kind, text);
    this.#found.set(key, found);
    return found;
  }

  /** The id of a space or a collection. */
  async place(text: string): Promise<string> {
    const [kind, id] = await this.#place(text);
    if (kind === resources.collection.name) this.collections.add(id);
    return id;
  }

  async #place(text: string): Promise<[kind: string, id: string]> {
    const kinds = [resources.space, resources.collection];
    const named = kinds.find(({ name }) => text.startsWith(`${name}:`));
    if (named !== undefined) return [named.name, await this.id(named, text.slice(named.name.length + 1))];
    if (isAddress(text)) return this.#idInAddress(kinds, text);
    const found = await findAmong(
      kinds,
      { text, place: '--level', isName: true },
      {
        hasId: (kind) => hasId(this.#reading.client, kind, this.#lookup(text)),
        idOf: (kind) => this.id(kind, text),
      },
    );
    const at = found.indexOf(':');
    return [found.slice(0, at), found.slice(at + 1)];
  }

  #idInAddress(
    [first = resources.space, ...others]: readonly Resource[],
    address: string,
  ): [kind: string, id: string] {
    try {
      return [first.name, readAddress(address, first, this.#session.settings.baseUrl?.value).id];
    } catch (cause) {
      if (!(cause instanceof DocsError) || others.length === 0) throw cause;
      return this.#idInAddress(others, address);
    }
  }

  async #look(kind: Resource, text: string): Promise<string> {
    const found = await findByTitle(this.#reading.client, kind, this.#lookup(text));
    return found.is === 'id' ? found.id : found.known.id;
  }

  #lookup(text: string) {
    const known = { organizationId: this.#reading.organizationId };
    return { text, known, parents: async () => known };
  }
}

interface HoldersRead {
  reading: Reading;
  request: WhoRequest;
  tally: Tally;
}

/** `docs access who`: lists everybody with a role in some spaces. */
export const whoReport: Report<HoldersRead> = {
  async read({ session, input, ...asked }) {
    const { limit } = limitOf(input);
    const ids = await readIds(session, [input.args.space ?? []].flat(), 'space');
    if (ids.length === 0)
      throw usageError('no_items', 'no ids given for <space>', { hint: 'docs spaces list' });
    refuseTitles(session, '<space>', ids);
    const reading = await asked.reading();
    const tally = new Tally();
    const { spaces, collections } = await namedSpaces(reading, ids, tally);
    const roles = (input.options.role as Role[] | undefined) ?? [];
    // Another order may put any of them first.
    const most = session.sorts === true ? undefined : limit;
    return { reading, request: { spaces, collections, roles, most }, tally };
  },
  rows({ reading, request, tally }, { session, input, view }) {
    let count: Parameters<Work['watch']>[0] = () => {};
    const onRead = (people: number) => count(people, 0);
    const work: Work = {
      text: 'Reading members',
      watch(counter) {
        count = counter;
      },
    };
    const limit = limitOf(input);
    const holders = holdersOf(reading, { ...request, onRead }, tally);
    const shown = viewFor(session, view, request.spaces.length);
    return { items: pagesOf(holders, limit), view: shown, ...limit, work };
  },
  end({ request, tally }, { listed: { cut } }) {
    const words = `${counted(tally.rows, 'role')} in ${counted(request.spaces.length, 'space')}`;
    return endingOf(tally, { words, cut });
  },
};

/** A table of one space needs no column for it. */
function viewFor(session: Session, view: View, spaces: number): View {
  if (outputFormat(session) !== 'table' || spaces > 1) return view;
  return { ...view, columns: view.columns.filter(({ path }) => path !== 'space.title') };
}

interface Listed {
  /** What was listed: `12 roles`. */
  words: string;
  /** Whether `--limit` cut the list, which was said. */
  cut?: boolean;
  /** Sentences on what the list may lack. */
  holes?: readonly string[];
}

/** How a list ends: with a note where everything was read, else partial `not_all_read` (exit 3). */
export function endingOf(tally: Tally, { words, cut = false, holes = [] }: Listed): ReportEnding {
  const { unread, failures, unknown, retryable } = tally;
  if (failures === 0 && unknown === 0 && holes.length === 0) return cut ? {} : { note: `${words}.` };
  const what = [
    ...(unknown > 0 ? [`${counted(unknown, 'row is', 'rows are')} unknown`] : []),
    ...(failures > 0 ? [`${counted(failures, 'list')} could not be read`] : []),
    ...(holes.length > 0 ? ['the list may lack rows'] : []),
  ];
  const failure = notAllRead(`${words}; ${what.join(', ')}`, {
    details: { rows: tally.rows, unknown, failures, unread: unread.map(unreadFacts), holes: [...holes] },
    retryable,
    // A token of a higher role may read more; else the way to the platform is to be looked at.
    hint: unread.some(({ error }) => isDenied(error)) ? 'docs auth status' : 'docs doctor',
  });
  return { warnings: [...missedWords(tally), ...holes], failure };
}

/** What could not be read, a sentence each. */
export function missedWords({ unread, failures }: Tally): string[] {
  const more = failures - unread.length;
  return [...notReadLines(unread), ...(more > 0 ? [`Not read: ${counted(more, 'more list')}.`] : [])];
}

function isDenied({ kind }: DocsError): boolean {
  return kind === 'forbidden' || kind === 'not-found';
}

/** Lists that `--limit` cuts. */

interface Limit {
  limit?: number;
}

export function limitOf({ options: { limit } }: ManualInput): Limit {
  return limit === undefined ? {} : { limit: wholeNumber('--limit', limit) };
}

/** The parts of a list as pages. Where there is a limit, each tells whether another follows. */
export async function* pagesOf<T>(parts: AsyncIterable<T[]>, { limit }: Limit): AsyncGenerator<Page> {
  let held: T[] | undefined;
  for await (const items of parts) {
    if (limit === undefined) yield { items };
    else {
      if (held !== undefined) yield { items: held, next: 'more' };
      held = items;
    }
  }
  if (held !== undefined) yield { items: held };
}
