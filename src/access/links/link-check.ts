import { readFile } from 'node:fs/promises';
import { listChangeRequestPageLinks, listChangeRequestPages } from '../../api/resources/change-requests.js';
import { choice } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import { conforms } from '../../api/validate.js';
import { DocsError, localIoError, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { shellWord } from '../../base/shell-word.js';
import { decodeText } from '../../base/text-encoding.js';
import { defined, isObject, jsonIn } from '../../base/values.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { counted, grouped } from '../../output/text.js';
import { isIn, type Shard } from '../../shards/shard.js';
import { isWhole, type Scope, spacesOfScope } from '../../snapshot/spaces.js';
import { notAllRead, type Reading, type Unread, unreadFacts, unreadOf } from '../../snapshot/unread.js';
import { type Finding, Findings, type LinkFindings } from './finding.js';
import { type DrawnBeside, type GraphSpace, graphSpace } from './read-graph.js';
import { foundPage, inWindows, pagesIn, pagesOf, readLinks, titled, totalOf } from './read-links.js';
import {
  type FoundPage,
  type FoundSpace,
  type Link,
  type LinkStatus,
  linkStatuses,
  placesOf,
} from './reference.js';

/** Reads the links of spaces or of a change request, counts them, and leaves out what the baseline knows. */

export class Tally {
  /** Spaces that were read to their end. */
  readonly read = new Set<string>();
  readonly unread: Unread[] = [];
  links = 0;
  /** Spaces, or pages of a change request, whose links the platform did not count. */
  uncounted = 0;
  /** Findings that are reported, by status. */
  readonly found = new Map<LinkStatus, number>();
  /** Findings that the baseline knows. */
  known = 0;
  /** Pages that were read, if the check is of a change request. */
  pages: number | undefined;

  /** @param changeRequest whether pages of a change request are looked at */
  constructor(changeRequest: boolean) {
    if (changeRequest) this.pages = 0;
  }

  /** Counts what was looked at. @param known how many further findings the baseline hid */
  add({ space, findings, links, unread }: LinkFindings, known: number): void {
    if (unread.length === 0) {
      this.read.add(space.id);
      if (this.pages !== undefined) this.pages += 1;
    }
    this.unread.push(...unread);
    if (links !== undefined) this.links += links;
    else if (unread.length === 0) this.uncounted += 1;
    for (const { status } of findings) this.found.set(status, (this.found.get(status) ?? 0) + 1);
    this.known += known;
  }

  /** How many findings have one of these statuses. */
  of(statuses: readonly LinkStatus[]): number {
    return statuses.reduce((sum, status) => sum + (this.found.get(status) ?? 0), 0);
  }
}

/** `3 broken links found. Looked at 60 spaces with 1,234 links.` */
export function tallyWords(tally: Tally, statuses: readonly LinkStatus[]): string {
  const { read, links, pages, uncounted, known, unread } = tally;
  const where = pages === undefined ? counted(read.size, 'space') : counted(pages, 'page');
  const unknown = uncounted === 0 ? '' : `; the platform did not count those of ${grouped(uncounted)}`;
  const sentences = [
    `${foundWords(tally, statuses)}.`,
    `Looked at ${where} with ${counted(links, 'link')}${unknown}.`,
  ];
  const are = known === 1 ? 'is' : 'are';
  if (known > 0) sentences.push(`${counted(known, 'finding')} of the baseline ${are} not shown.`);
  if (unread.length > 0) sentences.push(`Not read: ${unreadCounts(unread)}.`);
  return sentences.join(' ');
}

/** `3 broken, 2 in-app links found`, `No broken links found`. */
function foundWords({ found, known }: Tally, statuses: readonly LinkStatus[]): string {
  const fresh = known > 0 ? 'new ' : '';
  const parts = statuses.filter((status) => (found.get(status) ?? 0) > 0);
  if (parts.length === 0) return `No ${fresh}${statuses.join(' or ')} links found`;
  const counts = parts.map((status) => `${grouped(found.get(status) ?? 0)} ${fresh}${status}`).join(', ');
  return `${counts} ${parts.length === 1 && found.get(parts[0] as LinkStatus) === 1 ? 'link' : 'links'} found`;
}

function unreadCounts(unread: readonly Unread[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of unread) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => counted(count, kind.replace('-', ' '))).join(', ');
}

/**
 * The failure of a check: findings (17) if `--fail-on` names their status, whatever was not read; else
 * partial (3) if something was not read. The details have the counts and everything unread.
 */
export function failureOf(
  tally: Tally,
  statuses: readonly LinkStatus[],
  failOn: readonly LinkStatus[],
  platform: NodeJS.Platform,
): DocsError | undefined {
  const { unread, read, pages, links, known } = tally;
  const found = Object.fromEntries(statuses.map((status) => [status, tally.of([status])]));
  const details = defined({ spaces: read.size, pages, links, found, known, unread: unread.map(unreadFacts) });
  const words = tallyWords(tally, statuses);
  if (tally.of(failOn) > 0) return new DocsError('findings', 'links_found', words, { details });
  if (unread.length === 0) return undefined;
  return linksUnread(words, { unread, details, platform, isAny: read.size > 0 });
}

/** The failure of a look at links of which not all could be read. @param isAny whether those of a space were */
export function linksUnread(
  words: string,
  facts: {
    unread: readonly Unread[];
    details: Record<string, unknown>;
    platform: NodeJS.Platform;
    isAny: boolean;
  },
): DocsError {
  const { unread, details, platform, isAny } = facts;
  // Repeats the read that failed alone: its error names the request and its id.
  const space = unread.find(({ kind }) => kind === 'space');
  const hint = space && `docs spaces links ${shellWord(space.id, platform)}`;
  const failure = notAllRead(words, { unread, details, hint });
  const isLimited = !isAny && unread.every(({ error }) => error.kind === 'rate-limited');
  return isLimited ? new DocsError('rate-limited', failure.code, words, failure.failure) : failure;
}

/** A report, written piece by piece while the check runs. Every piece ends with a newline or is empty. */
export interface Report {
  begin(): string;
  /** What was found in a space, or on a page of a change request; also called if nothing was found. */
  looked(looked: LinkFindings): string;
  /** The end, with what could not be read. */
  end(tally: Tally): string;
}

const KnownFinding = Type.Object({
  fingerprint: Type.String(),
  status: choice(linkStatuses),
  space: Type.String(),
  page: Type.Optional(Type.Unsafe<string>(Type.Unknown())),
  link: Type.String(),
});
type KnownFinding = Static<typeof KnownFinding>;

/**
 * Findings that are known and not reported again, by fingerprint. A JSON file with a finding a line in a
 * stable order, to be kept in version control.
 */
export type Baseline = ReadonlyMap<string, KnownFinding>;

const format = 'docs-links-baseline/1';

/**
 * @param path absolute
 * @param orEmpty whether a missing file counts as an empty baseline
 * @throws DocsError usage `bad_baseline`, `bad_encoding`; local-io if it cannot be read
 */
export async function readBaseline(path: string, orEmpty: boolean): Promise<Baseline> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    if (orEmpty && systemCode(cause) === 'ENOENT') return new Map();
    throw localIoError(cause, `cannot read the baseline ${path}`);
  }
  return new Map(parse(decodeText(bytes, path), path).map((known) => [known.fingerprint, known]));
}

function parse(text: string, path: string): KnownFinding[] {
  const value = jsonIn(text);
  if (value === undefined) throw notOne(path, 'it is not JSON');
  if (!isObject(value) || value.format !== format || !Array.isArray(value.findings))
    throw notOne(path, `it is not in the format ${format}`);
  const wrong = value.findings.findIndex((known) => !conforms(KnownFinding, known));
  if (wrong !== -1) throw notOne(path, `finding ${wrong + 1} is incomplete`);
  return value.findings as KnownFinding[];
}

function notOne(path: string, why: string): DocsError {
  return usageError('bad_baseline', `${path} is not a baseline of links: ${why}`);
}

/** What a run looked at: it removes nothing else from the baseline. */
interface Ground {
  statuses: readonly LinkStatus[];
  /** Whether a space was read to its end, or no longer exists. */
  covers(space: string): boolean;
}

/**
 * Writes the next baseline: what was found, and what is known of places that this run did not look at.
 * @returns how many findings it has
 * @throws DocsError local-io
 */
export async function writeBaseline(
  io: Pick<Io, 'own'>,
  path: string,
  old: Baseline,
  found: ReadonlyMap<string, KnownFinding>,
  { statuses, covers }: Ground,
): Promise<number> {
  const next = new Map(found);
  for (const [fingerprint, known] of old)
    if (!statuses.includes(known.status) || !covers(known.space)) next.set(fingerprint, known);
  const lines = [...next.values()].sort(byPlace).map((known) => `    ${JSON.stringify(known)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  await writeAskedFile(io, path, `{\n  "format": "${format}",\n  "findings": ${list}\n}\n`);
  return lines.length;
}

export function knownOf({ fingerprint, status, space, page, link }: Finding): KnownFinding {
  return defined({ fingerprint, status, space: space.id, page: page?.id, link });
}

function byPlace(a: KnownFinding, b: KnownFinding): number {
  const key = ({ space, page = '', link, fingerprint }: KnownFinding) =>
    [space, page, link, fingerprint].join('\n');
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}

export interface CheckPlan {
  scope: Scope;
  /** Looks at the pages of this change request instead; the scope is then its space alone. */
  changeRequest?: string;
  /** In the order of `linkStatuses`. */
  statuses: readonly LinkStatus[];
  baseline: Baseline;
  updateBaseline: boolean;
  /** Draws all links that there are; they are then read whatever their status. */
  drawing?: DrawnBeside;
  /** Whether links are read whatever their status, though nothing is drawn: as parts did that are joined. */
  readsAll?: boolean;
  /** Looks at the spaces of this part alone. */
  shard?: Shard;
}

type CheckEvent =
  /** The spaces are known; 0 if their number is not. */
  | { kind: 'started'; total: number }
  /** A space, or a page of a change request, was read; findings of the baseline are left out. */
  | { kind: 'looked'; looked: LinkFindings };

/** Reads the links of every space in its scope, counts, and leaves out what the baseline knows. */
export class LinkCheck {
  readonly tally: Tally;
  /** For the next baseline; empty unless it is to be updated. */
  readonly found = new Map<string, KnownFinding>();
  /** Broken links, those of the baseline included. */
  broken = 0;
  /** Spaces in the scope; those of lists that could not be read are missing. */
  spaces = 0;
  readonly #plan: CheckPlan;

  constructor(plan: CheckPlan) {
    this.#plan = plan;
    this.tally = new Tally(plan.changeRequest !== undefined);
  }

  /** @throws DocsError if the spaces, or the pages of the change request, cannot be listed */
  async *run(reading: Reading): AsyncGenerator<CheckEvent> {
    const { scope, changeRequest, statuses, drawing, readsAll, shard } = this.#plan;
    if (changeRequest !== undefined) {
      yield { kind: 'started', total: 0 };
      const [id = ''] = scope.spaces;
      await drawing?.begin(reading, [{ id }], false);
      return yield* this.#counted(lookAtChangeRequest(reading, { id }, changeRequest, { statuses, drawing }));
    }
    const { spaces, unread } = await spacesOfScope<GraphSpace>(reading, scope, graphSpace);
    this.tally.unread.push(...unread);
    const own = spaces.filter(({ id }) => isIn(shard, id));
    this.spaces = own.length;
    yield { kind: 'started', total: own.length };
    // A link may lead to a space of another part, whose address tells it.
    await drawing?.begin(reading, spaces, isWhole(scope));
    const found = own.map(({ id, title }: GraphSpace): FoundSpace => defined({ id, title }));
    yield* this.#counted(lookAtSpaces(reading, found, { statuses, drawing, readsAll }));
  }

  async *#counted(looks: AsyncIterable<LinkFindings>): AsyncGenerator<CheckEvent> {
    const { baseline, updateBaseline } = this.#plan;
    for await (const looked of looks) {
      if (updateBaseline)
        for (const finding of looked.findings) this.found.set(finding.fingerprint, knownOf(finding));
      this.broken += looked.findings.filter(({ status }) => status === 'broken').length;
      const { former } = looked;
      const fresh = looked.findings.filter(
        ({ fingerprint }) =>
          !baseline.has(fingerprint) && !baseline.has(former?.get(fingerprint) ?? fingerprint),
      );
      const shown = { ...looked, findings: fresh };
      this.tally.add(shown, looked.findings.length - fresh.length);
      yield { kind: 'looked', looked: shown };
    }
  }

  /** Whether it looks for broken links in all that is published in the organization. */
  get isWhole(): boolean {
    const { scope, changeRequest, statuses, shard } = this.#plan;
    return (
      shard === undefined && isWhole(scope) && changeRequest === undefined && statuses.includes('broken')
    );
  }

  /** What the check looked at: it may take nothing else out of the baseline. */
  get ground(): Ground {
    const { read, unread } = this.tally;
    const all = isWhole(this.#plan.scope) && unread.length === 0;
    return { statuses: this.#plan.statuses, covers: (space) => all || read.has(space) };
  }
}

type LinkReadOptions = Pick<CheckPlan, 'statuses' | 'drawing' | 'readsAll'>;

/** What was found in each space, in order. Only a few spaces are held at once. */
export function lookAtSpaces(
  reading: Reading,
  spaces: readonly FoundSpace[],
  wanted: LinkReadOptions,
): AsyncGenerator<LinkFindings> {
  return inWindows(reading, spaces, (space) => lookAtSpace(reading, space, wanted));
}

/**
 * What was found on each page of a change request, in the order of the pages.
 * @throws DocsError if its pages cannot be listed
 */
async function* lookAtChangeRequest(
  reading: Reading,
  { id, title }: FoundSpace,
  changeRequestId: string,
  { statuses, drawing }: LinkReadOptions,
): AsyncGenerator<LinkFindings> {
  const { client, signal } = reading;
  const path = { spaceId: id, changeRequestId };
  const space = await titled(reading, defined({ id, title }));
  const { pages } = await client.call(listChangeRequestPages, { path });
  yield* inWindows(reading, [...pagesIn(pages)].map(foundPage), async (page) => {
    const made = new Findings(space, changeRequestId);
    const looked: LinkFindings = { space, findings: [], links: undefined, unread: [], former: made.former };
    try {
      const links = client.call(listChangeRequestPageLinks, { path: { ...path, pageId: page.id } });
      for await (const { items, extra } of links.pages()) {
        await drawing?.add(space, items, page);
        looked.links = totalOf(extra) ?? (looked.links ?? 0) + items.length;
        for (const link of items)
          if (statuses.includes(link.status)) looked.findings.push(made.of(link, page));
      }
    } catch (cause) {
      const named = defined({ id: page.id, title: page.title });
      looked.unread.push(unreadOf(cause, signal, { kind: 'page', ...named, space: id }));
    }
    return looked;
  });
}

/** A space that fails half way is unread; what was found in it before is reported all the same. */
async function lookAtSpace(
  reading: Reading,
  given: FoundSpace,
  { statuses, drawing, readsAll = drawing !== undefined }: LinkReadOptions,
): Promise<LinkFindings> {
  const looked: LinkFindings = { space: given, findings: [], links: undefined, unread: [] };
  const read: Link[] = [];
  const draw = readsAll ? async (all: readonly Link[]) => drawing?.add(looked.space, all) : undefined;
  try {
    looked.space = await titled(reading, given);
    await draw?.([]);
    looked.links = await readLinks(reading, given.id, statuses, read, draw);
  } catch (cause) {
    looked.unread.push(unreadOf(cause, reading.signal, { kind: 'space', ...looked.space }));
  }
  // With a drawing they come in one list; each status was asked for on its own without it.
  const isMixed = readsAll && statuses.length < linkStatuses.length;
  const links = isMixed ? statuses.flatMap((one) => read.filter(({ status }) => status === one)) : read;
  if (links.length === 0) return looked;
  const made = new Findings(looked.space);
  const findings = placed(links, made, await pagesOf(reading, given.id));
  return { ...looked, findings, former: made.former };
}

/** One finding for each page that has the link, in the order of the pages, then of the links. */
function placed(links: readonly Link[], made: Findings, pages: ReadonlyMap<string, FoundPage>): Finding[] {
  const order = new Map([...pages.keys()].map((id, index) => [id, index]));
  const findings = links.flatMap((link) => {
    return [...placesOf(link)].map(([id, place]) =>
      made.of(link, id === undefined ? undefined : (pages.get(id) ?? { id }), place),
    );
  });
  const rank = ({ page }: Finding) => (page === undefined ? -1 : (order.get(page.id) ?? order.size));
  return findings.sort((a, b) => rank(a) - rank(b));
}
