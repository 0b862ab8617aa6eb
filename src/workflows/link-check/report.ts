import type { LinkStatus } from '../../access/links/reference.js';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { counted, grouped } from '../../output/counted.js';
import { notAllRead, type Unread, unreadFacts } from '../../snapshot/unread.js';
import type { Looked } from './finding.js';

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
  add({ space, findings, links, unread }: Looked, known: number): void {
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
  looked(looked: Looked): string;
  /** The end, with what could not be read. */
  end(tally: Tally): string;
}
