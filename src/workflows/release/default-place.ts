import type { SiteSection } from '../../api/resources/sections.js';
import { usageError } from '../../base/errors.js';
import { nameKey } from '../../base/name.js';
import type { SiteContent } from '../../snapshot/organization.js';
import { copyTitle } from './names.js';
import { defaultOf, type Origin, titleIn } from './site.js';

/** What `--make-default` may replace: a version takes over from its source, or from an earlier version of that. */

/** What visitors see first, and whether it is the source or a version of it. */
interface First {
  title: string;
  isOwn: boolean;
  /** Who shows it first. */
  of: string;
}

/**
 * @param pattern of the titles of copies
 * @throws DocsError usage `not_the_default`: visitors see first what the version is no version of
 */
export function refuseForeignDefault(parts: SiteContent, origin: Origin, pattern: string): void {
  const first =
    origin.kind === 'section'
      ? firstSection(parts, origin.section, pattern)
      : firstSpace(parts, origin.siteSpace, pattern);
  if (first === undefined || first.isOwn) return;
  const source = origin.kind === 'section' ? origin.section.title : titleIn(origin.siteSpace);
  const message = `Visitors of the ${first.of} see ${first.title} first, which is neither ${source} nor a version of it; --make-default would replace it. Nothing was sent.`;
  throw usageError('not_the_default', message, { hint: `docs sites tree ${parts.site.id}` });
}

function firstSection(
  { site, sections, siteSpaces }: SiteContent,
  source: SiteSection,
  pattern: string,
): First | undefined {
  const now = sections.find((one) => one.default === true);
  if (now === undefined) return undefined;
  const copies = siteSpaces
    .filter(({ section }) => section === source.id)
    .map((one) => nameKey(copyTitle(titleIn(one), now.title, pattern)));
  const isVersion = now.siteSpaces.some((one) => copies.includes(nameKey(titleIn(one))));
  return { title: now.title, isOwn: now.id === source.id || isVersion, of: `site ${site.title}` };
}

function firstSpace(
  parts: SiteContent,
  source: (Origin & { kind: 'space' })['siteSpace'],
  pattern: string,
): First | undefined {
  const { site, sections, siteSpaces } = parts;
  const nowId = defaultOf(parts, source.section);
  const now = siteSpaces.find(({ id }) => id === nowId);
  if (now === undefined) return undefined;
  const section = sections.find(({ id }) => id === source.section);
  return {
    title: titleIn(now),
    isOwn: now.id === source.id || isVersion(titleIn(now), titleIn(source), pattern),
    of: section === undefined ? `site ${site.title}` : `section ${section.title}`,
  };
}

/** Whether a title is that of a copy of the original, in some version. */
function isVersion(title: string, original: string, pattern: string): boolean {
  // A version has no control characters, so the mark stands for it alone.
  const mark = '\u0000';
  const [before = '', ...after] = nameKey(copyTitle(original, mark, pattern)).split(mark);
  const end = after.at(-1) ?? '';
  const shown = nameKey(title);
  const isLongEnough = shown.length > before.length + end.length;
  return after.length > 0 && isLongEnough && shown.startsWith(before) && shown.endsWith(end);
}
