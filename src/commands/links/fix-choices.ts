import type { Session } from '../../cli/declare/session.js';
import { askFor, askYes } from '../../cli/resolve/prompts.js';
import { safeLine } from '../../output/safe-text.js';
import { pageName, spaceName } from '../../workflows/link-check/finding.js';
import type { FoundLink } from '../../workflows/link-fix/found-link.js';
import { type Candidate, nameOf } from '../../workflows/link-fix/new-address.js';
import type { FixRequest } from './fix-request.js';

/** Which targets are used: those found by id, those by title with `--match-titles`, and what somebody chose. */

export type Choices = ReadonlyMap<FoundLink, { candidate: Candidate; by: 'id' | 'title' }>;

/** Asks on a terminal about each link that was found by title, where corrections are to be made. */
export async function chooseTargets(
  session: Session,
  links: readonly FoundLink[],
  { matchTitles, out, proposes }: FixRequest,
): Promise<Choices> {
  const makes = out !== undefined || proposes;
  const { globals } = session;
  const asks = makes && session.interactive && globals.yes !== true;
  const chosen = new Map<FoundLink, { candidate: Candidate; by: 'id' | 'title' }>();
  for (const link of links) {
    const { found, fixedIn } = link;
    if (fixedIn !== undefined || found.is === 'none') continue;
    const { by } = found;
    const sure = found.is === 'one' && (by === 'id' || matchTitles) ? found.candidate : undefined;
    const candidate =
      sure ?? (asks && !(matchTitles && found.is === 'one') ? await asked(session, link) : undefined);
    if (candidate !== undefined) chosen.set(link, { candidate, by });
  }
  return chosen;
}

async function asked(session: Session, { finding, found }: FoundLink): Promise<Candidate | undefined> {
  if (found.is === 'none') return undefined;
  const from = `${finding.link} on ${pageName(finding)} of ${spaceName(finding.space)}`;
  if (found.is === 'one') {
    const agreed = await askYes(session, safeLine(`${from}: link to ${nameOf(found.candidate)}?`));
    return agreed ? found.candidate : undefined;
  }
  const choices = found.candidates.map((one, index) => ({
    value: String(index),
    name: safeLine(nameOf(one)),
  }));
  const typed = await askFor(session, {
    what: '--match-titles',
    label: safeLine(from),
    choices: [{ value: 'none', name: 'leave it as it is' }, ...choices],
  });
  return found.candidates[Number(typed)];
}
