import { usageError } from '../../../base/errors.js';
import { counted } from '../../../output/counted.js';
import type { Reading } from '../../../reading/reading.js';
import type { Impact, ImpactAspect, ImpactQuestion } from '../change.js';
import { Findings } from '../findings.js';
import { tellLinks } from '../links-to.js';
import { pageReader } from '../published.js';
import { nothingGone, sitesShowing, tellGone } from '../site-changes.js';
import { tellChangeRequests, tellClashes, tellGitSync, tellSpecs } from './contents.js';
import { type Moved, readMoved, visibilityAfter } from './moved.js';
import { readSides, refusalOf, type Sides } from './organizations.js';
import { tellOutgoing } from './outgoing.js';
import { findPeople } from './people.js';
import { type ValueLoss, valueDependent, valuesLost } from './values.js';

/** What was asked about a transfer. */
type Question = Pick<ImpactQuestion, 'things' | 'to'>;

/** The impact of a transfer, and what it takes to make it. */
export interface TransferRead {
  impact: Impact;
  moved: Moved;
}

/** Reads the impact of a transfer with what goes. Sends reads only. @throws DocsError as `transferThings` */
export async function readTransfer(
  reading: Reading,
  question: ImpactQuestion,
  { aspects, onSpace }: { aspects: readonly ImpactAspect[]; onSpace?: Findings['onSpace'] },
): Promise<TransferRead> {
  const found = new Findings(reading, new Set(aspects), onSpace);
  const moved = await transferThings(found, question);
  return { impact: found.impact(question), moved };
}

/** A look at a transfer, as `readImpact` takes it. @throws DocsError as `transferThings` */
export async function lookAtTransfer(found: Findings, question: Question): Promise<void> {
  await transferThings(found, question);
}

/**
 * What transferring spaces and collections to another organization breaks and loses. To the organization that
 * they leave it is as if they were deleted: site spaces, addresses and links to them go.
 * @returns what goes
 * @throws DocsError usage `not_transferable`, `wrong_org`, `same_organization`, `missing_target`; not-found
 *   where one of them or the target is not visible
 */
export async function transferThings(found: Findings, { things, to }: Question): Promise<Moved> {
  const target = to?.organization;
  if (target === undefined) throw usageError('missing_target', 'A transfer needs the organization to go to.');
  const sides = await readSides(found, target);
  found.target = { id: sides.to.id, title: sides.to.name };
  const moved = await readMoved(found.reading, things);
  for (const { title, ...thing } of moved.things) found.thing(thing, title);
  found.unknown.push(...moved.unknown);
  tellRefusal(found, sides);
  const losses = await tellLeft(found, moved, sides);
  if (found.wants('people', 'dependents')) await findPeople(found, moved, sides.to);
  tellIrreversible(found, moved, sides, losses);
  return moved;
}

function tellRefusal(found: Findings, sides: Sides): void {
  const what = refusalOf(sides);
  if (what === undefined) return;
  const { id, name } = [sides.to, sides.from].find(({ admin }) => admin === false) ?? sides.to;
  found.dependents.push({ kind: 'refusal', id, title: name, what });
}

/** What a transfer takes from spaces for good. */
interface Losses {
  values: readonly ValueLoss[];
  /** Whether any of the spaces is on a site. */
  detached: boolean;
}

/** What stays behind, or stops. */
async function tellLeft(found: Findings, moved: Moved, sides: Sides): Promise<Losses> {
  const ids = new Set(moved.spaces.map(({ id }) => id));
  const pagesOf = pageReader(found);
  const parts = found.wants('urls', 'links', 'dependents') ? await sitesShowing(found, [...ids]) : [];
  const left = parts.filter(({ siteSpaces }) => siteSpaces.some(({ space }) => ids.has(space?.id ?? '')));
  const addresses = await tellGone(found, parts, { ...nothingGone, spaces: ids }, pagesOf);
  if (found.wants('links')) {
    await tellLinks(found, { spaces: ids, ...addresses });
    await tellOutgoing(found, moved.spaces);
  }
  if (!found.wants('dependents')) return { values: [], detached: left.length > 0 };
  const values = await valuesLost(found, moved.spaces, sides.to);
  for (const loss of values) found.dependents.push(valueDependent(loss, sides.to.name));
  await tellChangeRequests(found, moved.spaces, sides.to);
  tellGitSync(found, moved.spaces, sides);
  const specs = await tellSpecs(found, moved.spaces, pagesOf, sides);
  await tellClashes(found, moved, { sites: left.map(({ site }) => site), specs }, sides);
  return { values, detached: left.length > 0 };
}

function tellIrreversible(
  { irreversible }: Findings,
  { spaces }: Moved,
  { to }: Sides,
  { values, detached }: Losses,
): void {
  irreversible.push(
    `Grants to teams, and to people who are not members of ${to.name}, are lost. No operation shows or sets grants, so a transfer back does not restore them.`,
  );
  if (detached)
    irreversible.push(
      'Places on sites are lost with their paths, conditions and addresses; a transfer back does not restore them.',
    );
  const hidden = spaces.filter((space) => visibilityAfter(space) !== space.visibility).length;
  if (hidden > 0)
    irreversible.push(
      `The visibility of ${counted(hidden, 'space')} changes from in-collection to private; no operation sets it back.`,
    );
  const inside = new Set(spaces.flatMap(({ id, with: top }) => (id === top ? [] : [id])));
  const lost = values.filter(({ space }) => inside.has(space.id)).length;
  if (lost > 0)
    irreversible.push(
      `${counted(lost, 'custom field value')} of spaces in transferred collections would have to be set again by hand after a transfer back.`,
    );
}
