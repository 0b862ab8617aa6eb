import type { ChangeRequest } from '../../api/resources/change-requests.js';
import { type CustomField, listCustomFields, listSpaceFields } from '../../api/resources/custom-fields.js';
import type { Site } from '../../api/resources/sites.js';
import type { Role } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import { nameKey } from '../../base/name.js';
import { readAll } from '../../jobs/sequence.js';
import { counted } from '../../output/text.js';
import { organization } from '../../snapshot/organization.js';
import { allSpaces } from '../../snapshot/spaces.js';
import type { Reading } from '../../snapshot/unread.js';
import { type DefaultLevel, roleByLevels } from '../levels.js';
import { pagesOn } from '../links/inbound.js';
import { linkPages } from '../links/read-links.js';
import { AddressBook, targetOf } from '../links/reference.js';
import { openTeams, type PersonAccess, readPeople } from '../people.js';

import { nameOf, personOf } from '../person.js';
import { grantBounds, type Held, roleChangeOf, roleInOf } from '../role-changes.js';
import { Findings, pendingRequests, specsUsed } from './findings.js';
import {
  levelAfter,
  levelBefore,
  type Moved,
  type MovedSpace,
  readMoved,
  readSides,
  readTargetMembers,
  type Side,
  type Sides,
  visibilityAfter,
} from './moved.js';
import { heldBy } from './people.js';
import { type PagesOf, pageReader, tellLinks, withTitles } from './published.js';
import type { Impact, ImpactAspect, ImpactLink, ImpactQuestion } from './shapes.js';
import { nothingGone, sitesShowing, tellGone } from './sites.js';

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

/**
 * What transferring spaces and collections to another organization breaks and loses. To the organization that
 * they leave it is as if they were deleted: site spaces, addresses and links to them go.
 * @returns what goes
 * @throws DocsError usage `not_transferable`, `wrong_org`, `same_organization`, `missing_target`; not-found
 *   where one of them or the target is not visible
 */
export async function transferThings(
  found: Findings,
  { things, to }: Pick<ImpactQuestion, 'things' | 'to'>,
): Promise<Moved> {
  const target = to?.organization;
  if (target === undefined) throw usageError('missing_target', 'a transfer needs the organization to go to');
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

/** Why the platform would refuse the transfer. */
function tellRefusal(found: Findings, { from, to }: Sides): void {
  const lacking = [from, to].filter(({ admin }) => admin === false);
  const first = lacking.at(-1);
  if (first === undefined) return;
  const names = lacking.map(({ name }) => name).join(' or ');
  const what = `The platform will refuse it: this token is not an administrator of ${names}.`;
  found.depends('refusal', { id: first.id, title: first.name }, what);
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
  const detached = left.length > 0;
  if (!found.wants('dependents')) return { values: [], detached };
  const values = await valuesLost(found, moved.spaces, sides.to);
  for (const loss of values) tellValue(found, loss, sides.to.name);
  await tellChangeRequests(found, moved.spaces, sides.to);
  for (const space of moved.spaces) {
    if (space.gitSync === undefined) continue;
    const by = `an integration of ${sides.from.name}`;
    found.depends(
      'integration',
      space,
      `It is synchronized with ${space.gitSync} by ${by}; set it up again.`,
    );
  }
  const specs = await tellSpecs(found, moved.spaces, pagesOf, sides);
  const sites = left.map(({ site }) => site);
  await tellClashes(found, moved, { sites, specs }, sides);
  return { values, detached };
}

function tellIrreversible(
  { irreversible }: Findings,
  { spaces }: Moved,
  { to }: Sides,
  { values, detached }: Losses,
): void {
  irreversible.push(
    `Grants to teams, and to people who are not members of ${to.name}, are lost. The API cannot show or set grants, so a transfer back does not restore them.`,
  );
  if (detached)
    irreversible.push(
      'Places on sites are lost with their paths, conditions and addresses; a transfer back does not restore them.',
    );
  const hidden = spaces.filter((space) => visibilityAfter(space) !== space.visibility).length;
  if (hidden > 0)
    irreversible.push(
      `The visibility of ${counted(hidden, 'space')} changes from in-collection to private; the API cannot set it back.`,
    );
  const inside = new Set(spaces.flatMap(({ id, with: top }) => (id === top ? [] : [id])));
  const lost = values.filter(({ space }) => inside.has(space.id)).length;
  if (lost > 0)
    irreversible.push(
      `${counted(lost, 'custom field value')} of spaces in transferred collections would have to be set again by hand after a transfer back.`,
    );
}

/**
 * Tells the links from the spaces that go to what stays: the platform knows no references between organizations.
 * Addresses in the text still lead there. Links that are broken already are left out.
 */
async function tellOutgoing(found: Findings, spaces: readonly MovedSpace[]): Promise<void> {
  const going = new Set(spaces.map(({ id }) => id));
  const lists = await readAll(found.reading, spaces, async ({ id, title }) => {
    const links: ImpactLink[] = [];
    const book = new AddressBook();
    await found.attempt({ kind: 'links', id, title }, async () => {
      for await (const { items } of linkPages(found.reading, id))
        for (const link of items) {
          const { status } = link;
          const { to, via } = targetOf(link, id, book);
          const stays = to.space !== undefined && !going.has(to.space);
          if (via !== 'reference' || !stays || status === 'broken') continue;
          for (const page of pagesOn(link))
            links.push({ from: { space: { id, title }, page }, to, via, status, outgoing: true });
        }
    });
    return links;
  });
  found.links.push(...(await withTitles(found, lists.flat())));
}

/** Values of custom fields: the target keeps one only if it has a field of the same name and type for it. */

type FieldType = Pick<CustomField, 'type' | 'options'>;

/** What becomes of one value of a space. */
interface ValueLoss {
  space: { id: string; title: string };
  field: string;
  value: unknown;
  /** The options of the value that are kept; empty where nothing is. */
  kept: readonly string[];
  why: 'no-field' | 'other-type' | 'options';
}

/**
 * Compares one value with the fields of the target.
 * @param fields those of the target, by name
 * @returns undefined where it is kept whole
 */
export function valueLoss(
  { name, type }: Pick<CustomField, 'name' | 'type'>,
  value: unknown,
  fields: ReadonlyMap<string, FieldType>,
): Pick<ValueLoss, 'kept' | 'why'> | undefined {
  const field = fields.get(name);
  if (field === undefined) return { kept: [], why: 'no-field' };
  if (field.type !== type) return { kept: [], why: 'other-type' };
  const { options } = field;
  if (options === undefined || (type !== 'select' && type !== 'multiselect')) return undefined;
  const given = [value].flat().map(String);
  const kept = given.filter((one) => options.includes(one));
  return kept.length === given.length ? undefined : { kept, why: 'options' };
}

/** The values that are lost; what cannot be read counts as unknown. */
async function valuesLost(
  found: Findings,
  spaces: readonly MovedSpace[],
  target: Side,
): Promise<ValueLoss[]> {
  const { client } = found.reading;
  const what = { kind: 'custom-fields', id: target.id, title: target.name };
  const all = await found.items(what, client.call(listCustomFields, { path: { organizationId: target.id } }));
  if (all === undefined) return [];
  const fields = new Map<string, FieldType>(all.map((field) => [field.name, field]));
  const lost = await readAll(found.reading, spaces, async ({ id, title }) => {
    const entries = await found.attempt({ kind: 'custom-field-values', id, title }, () =>
      client.call(listSpaceFields, { path: { spaceId: id } }),
    );
    return (entries ?? []).flatMap(({ customField, value }): ValueLoss[] => {
      const loss = value === undefined ? undefined : valueLoss(customField, value, fields);
      return loss === undefined ? [] : [{ space: { id, title }, field: customField.name, value, ...loss }];
    });
  });
  return lost.flat();
}

/** @param target what the target is called */
function tellValue(found: Findings, { space, field, value, kept, why }: ValueLoss, target: string): void {
  const shown = [value].flat().map(String).join(', ');
  const reason = {
    'no-field': `${target} has no custom field ${field}`,
    'other-type': `the custom field ${field} of ${target} is of another type`,
    options: `the custom field ${field} of ${target} does not have all of its options`,
  }[why];
  const left = kept.length === 0 ? 'is lost' : `is reduced to ${kept.join(', ')}`;
  const about = { id: `${space.id}/${field}`, title: space.title };
  found.depends('field-value', about, `The value ${shown} of ${field} ${left}: ${reason}.`);
}

/*
 * Who loses and gains access. Grants to teams do not go along, nor do those to people who are not members of the
 * target; a grant of a member of both is kept. No operation shows which of the two a grant is.
 */

/** A space with its levels before and after. */
interface Relevelled {
  space: MovedSpace;
  before: DefaultLevel;
  after: DefaultLevel;
}

/** Whose role is looked at, and what becomes of them. */
interface Subject extends Held {
  /** What the person is called. */
  name: string;
  /** Their role in the target; undefined for who is not a member. */
  there: Role | null | undefined;
  /** Whether a grant may come from a team of theirs. */
  inTeams: boolean;
}

/** Reads the members of both organizations and tells whose roles change. */
async function findPeople(found: Findings, moved: Moved, target: Side): Promise<void> {
  const there = await readTargetMembers(found, target);
  const spaces = moved.spaces.map((space) => ({
    space,
    before: levelBefore(space, moved),
    after: levelAfter(space, moved),
  }));
  for (const { before, after, space } of spaces)
    for (const level of new Set([before, after])) if (!level.known) tellLevel(found, space, level.missing);
  if (there === undefined) return;
  const here = new Set<string>();
  const teams = await openTeams(found.reading);
  await found.attempt({ kind: 'members', id: found.reading.organizationId }, async () => {
    for await (const window of readPeople(found.reading, { teams }))
      for (const access of window) {
        here.add(access.member.id);
        tellPerson(found, spaces, access, there, target);
      }
  });
  found.unknown.push(...teams.unread);
  if (found.wants('dependents')) tellNewReaders(found, spaces, [here, there], target);
}

function tellLevel(found: Findings, { id, title }: MovedSpace, missing: string): void {
  const message = `Its default level is unknown: collection ${missing} could not be read.`;
  found.cannotTell({ kind: 'space', id, title }, 'level_unknown', message);
}

function tellPerson(
  found: Findings,
  spaces: readonly Relevelled[],
  access: PersonAccess,
  there: ReadonlyMap<string, Role | null>,
  target: Side,
): void {
  const { member, teams, unread } = access;
  const subject = {
    ...heldBy(member),
    name: nameOf(personOf(member)),
    there: there.get(member.id),
    inTeams: teams === undefined || !teams.known || teams.teams.length > 0,
  };
  found.unknown.push(...unread);
  const roleIn = roleInOf(access);
  for (const one of spaces) {
    const role = roleIn(one.space.id);
    if (role === 'unknown') found.unknownRole(subject.person, one.space);
    else judge(found, one, { ...subject, role }, target.name);
  }
}

/** Tells what becomes of the role and of the grant of one person in one space. */
function judge(
  found: Findings,
  { space: { id, title }, before, after }: Relevelled,
  held: Subject,
  target: string,
): void {
  const { there, inTeams, name, person } = held;
  const space = { id, title };
  const leaves = there === undefined;
  const change = leaves
    ? roleChangeOf(held, { space, before, after: 'gone' })
    : roleChangeOf(
        held,
        { space, before, after },
        { organizationRole: there, lostGrant: inTeams ? 'admin' : undefined },
      );
  // Who had nothing, and has nothing for sure afterwards, is not affected.
  const isChanged = change !== undefined && change !== 'unknown';
  if (isChanged && (change.from !== change.to || change.most !== undefined) && found.wants('people'))
    found.people.push(change);
  const { least } = grantBounds(held, before);
  if (least === null || !(leaves || inTeams) || !found.wants('dependents')) return;
  const why = leaves
    ? `is lost: they are not a member of ${target}`
    : 'is lost if it comes from a team: teams do not go along';
  found.depends('grant', { id: `${id}/${person.id}`, title }, `The ${least} grant of ${name} ${why}.`);
}

/** Members of the target alone, who get a role by the default level of a space. */
function tellNewReaders(
  found: Findings,
  spaces: readonly Relevelled[],
  [here, there]: readonly [ReadonlySet<string>, ReadonlyMap<string, Role | null>],
  target: Side,
): void {
  const strangers = [...there].filter(([id]) => !here.has(id)).map(([, role]) => role);
  for (const { space, after } of spaces) {
    const gained = strangers.filter((role) => (roleByLevels(role, after) ?? null) !== null).length;
    const what = `${counted(gained, 'member')} of ${target.name} who cannot read it today will be able to.`;
    if (gained > 0) found.depends('access', space, what);
  }
}

/** Change requests that are open or drafts: they go along, their authors may not. */
async function tellChangeRequests(
  found: Findings,
  spaces: readonly MovedSpace[],
  target: Side,
): Promise<void> {
  const lists = await readAll(found.reading, spaces, async ({ id, title, changeRequests: most }) => {
    const requests = await pendingRequests(found, { id, title, open: most, draft: most });
    return requests.map((request): [string, ChangeRequest] => [title, request]);
  });
  for (const [title, { id, number, subject, status, createdBy }] of lists.flat()) {
    const by = createdBy?.displayName === undefined ? '' : ` by ${createdBy.displayName}`;
    const what = `#${number} of ${title} (${status}${by}) goes to ${target.name} with the space.`;
    found.depends('change-request', { id, title: subject }, what);
  }
}

/** An OpenAPI spec that pages of the spaces are made from. */
interface UsedSpec {
  id: string;
  /** Undefined where the platform does not list it. */
  slug?: string;
}

/** Specs that pages are made from stay behind. @returns the specs, once each */
async function tellSpecs(
  found: Findings,
  spaces: readonly MovedSpace[],
  pagesOf: PagesOf,
  { from }: Sides,
): Promise<UsedSpec[]> {
  const uses = await specsUsed(found, spaces, pagesOf);
  if (uses.size === 0) return [];
  const specs = await specsOf(found, from);
  return [...uses].map(([id, count]) => {
    const slug = specs?.find((spec) => spec.id === id || spec.slug === id)?.slug;
    const made = `${counted(count, 'page')} ${count === 1 ? 'is' : 'are'} made from it`;
    const what = `${made}; it stays in ${from.name}, where later versions are added.`;
    found.depends('spec', { id, title: slug ?? id }, what);
    return { id, slug };
  });
}

/** The specs of an organization; undefined where they could not be read, which counts as unknown. */
function specsOf(found: Findings, { id, name }: Side) {
  const own = organization({ ...found.reading, organizationId: id });
  return found.items({ kind: 'openapi-specs', id, title: name }, own.openApiSpecs());
}

/**
 * What has the same title in the target already. Spaces and collections have no slug, so the platform refuses no
 * transfer for it; but titles become ambiguous, and the sites and specs that have to be set up again there find
 * their name taken.
 */
async function tellClashes(
  found: Findings,
  { things }: Moved,
  { sites, specs }: { sites: readonly Site[]; specs: readonly UsedSpec[] },
  { from, to }: Sides,
): Promise<void> {
  const coming: { kind: string; id: string; title: string; called: string | undefined }[] = [
    ...things.map(({ object, id, title }) => ({ kind: object, id, title, called: title })),
    ...sites.map(({ id, title, basename }) => ({ kind: 'site', id, title, called: basename })),
    ...specs.map(({ id, slug }) => ({ kind: 'OpenAPI spec', id, title: slug ?? '', called: slug })),
  ].filter(({ called }) => called !== undefined);
  const there = await namesIn(found, to, new Set(coming.map(({ kind }) => kind)));
  for (const { kind, called = '', ...one } of coming)
    if (there.has(`${kind} ${nameKey(called)}`)) {
      const article = kind === 'OpenAPI spec' ? 'an' : 'a';
      found.depends('clash', one, `${to.name} already has ${article} ${kind} called ${called}.`);
    }
  // Hostnames and proxies are unique on the whole platform.
  for (const site of sites)
    for (const held of [site.hostname, site.proxy?.origin]) {
      const what = `The site stays in ${from.name} and keeps ${held}, which no site of ${to.name} can have meanwhile.`;
      if (held !== undefined) found.depends('clash', site, what);
    }
}

/** Kind and name of what is in an organization, of spaces and collections only those at its top level. */
async function namesIn(found: Findings, side: Side, kinds: ReadonlySet<string>): Promise<Set<string>> {
  const { id, name: title } = side;
  const reading = { ...found.reading, organizationId: id };
  const whole = organization(reading);
  const collections = await found.items({ kind: 'collections', id, title }, whole.collections());
  const names = new Set<string>();
  const add = (kind: string, called = '') => names.add(`${kind} ${nameKey(called)}`);
  if (collections !== undefined) {
    const { spaces, unread } = await allSpaces(reading, (space) => space, whole);
    found.unknown.push(...unread);
    for (const one of [...spaces, ...collections]) if (one.parent === undefined) add(one.object, one.title);
  }
  const sites = kinds.has('site') ? await found.items({ kind: 'sites', id, title }, whole.sites()) : [];
  for (const { basename } of sites ?? []) add('site', basename);
  const specs = kinds.has('OpenAPI spec') ? await specsOf(found, side) : [];
  for (const { slug } of specs ?? []) add('OpenAPI spec', slug);
  return names;
}
