import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { counted, grouped } from '../../output/counted.js';
import { notAllRead, unreadFacts } from '../../snapshot/unread.js';
import type { FoundLinks } from './find.js';
import type { FoundLink } from './found-link.js';
import { rowOf } from './rows.js';
import { type FixStatus, fixStatuses } from './shapes.js';

/** `5 broken links: 2 proposed, 1 ambiguous, 2 left. Looked at 60 spaces.` */
export function summaryOf({ links, tally, unread }: FoundLinks): string {
  const counts = fixStatuses.flatMap((status) => {
    const count = links.filter((link) => rowOf(link).status === status).length;
    return count === 0 ? [] : [`${grouped(count)} ${status}`];
  });
  const missed = tally.unread.length + unread.length;
  const none = tally.read.size === 0 && missed > 0 ? [] : ['No broken links found.'];
  const what = links.length === 0 ? none : [`${counted(links.length, 'broken link')}: ${counts.join(', ')}.`];
  const sentences = [...what, `Looked at ${counted(tally.read.size, 'space')}.`];
  if (missed > 0) sentences.push(`Not read: ${grouped(missed)}.`);
  return sentences.join(' ');
}

/** `3 left: nothing has its id or its title.` */
export function reasonsLeft({ links }: FoundLinks): string[] {
  const counts = new Map<string, number>();
  for (const { status, why } of links.map(rowOf))
    if (status === 'left' && why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, count]) => `${grouped(count)} left: ${why}.`);
}

interface Asked {
  failOn: readonly FixStatus[];
  /** Whether a link is part of what was proposed just now. */
  isPlanned(link: FoundLink): boolean;
  platform: NodeJS.Platform;
}

/** Findings (17) where `--fail-on` names what remains; else partial (3) where something was not read. */
export function failureOf(found: FoundLinks, { failOn, isPlanned, platform }: Asked): DocsError | undefined {
  const unread = [...found.tally.unread, ...found.unread];
  const rows = found.links.filter((link) => !isPlanned(link)).map(rowOf);
  const counts = Object.fromEntries(
    fixStatuses.map((status) => [status, rows.filter((row) => row.status === status).length]),
  );
  const details = { spaces: found.tally.read.size, found: counts, unread: unread.map(unreadFacts) };
  if (rows.some(({ status }) => failOn.includes(status)))
    return new DocsError('findings', 'links_left', summaryOf(found), { details });
  if (unread.length === 0) return undefined;
  const space = unread.find(({ kind }) => kind === 'space');
  const hint = space && `docs spaces links ${shellWord(space.id, platform)}`;
  return notAllRead(summaryOf(found), { unread, details, hint });
}
