import { listChangeRequests } from '../../api/resources/change-requests.js';
import { type CustomField, listCustomFields, listSpaceFields } from '../../api/resources/custom-fields.js';
import type { OpenApiSpec } from '../../api/resources/openapi.js';
import type { Site } from '../../api/resources/sites.js';
import type { Role } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import { nameKey } from '../../base/name.js';
import { defined } from '../../base/values.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/text.js';
import { organization } from '../../snapshot/organization.js';
import { allSpaces } from '../../snapshot/spaces.js';
import { allItems, type Reading } from '../../snapshot/unread.js';
import { type DefaultLevel, roleByLevels } from '../levels.js';
import { pagesOn } from '../links/inbound.js';
import { linkPages } from '../links/read-links.js';
import { AddressBook, targetOf } from '../links/reference.js';
import { openTeams, type PersonAccess, readPeople } from '../people.js';
import { nameOf, personOf } from '../person.js';
import { grantBounds, type Held, roleChangeOf } from '../role-changes.js';
import {
  type Dependent,
  Findings,
  type Impact,
  type ImpactAspect,
  type ImpactLink,
  type ImpactQuestion,
  type RoleChange,
} from './findings.js';
import {
  levelAfter,
  levelBefore,
  type Moved,
  type MovedSpace,
  readMoved,
  readSides,
  readTargetMembers,
  refusalOf,
  type Side,
  type Sides,
  visibilityAfter,
} from './moved.js';
import { type PagesOf, pageReader, tellLinks, withTitles } from './published.js';
import { nothingGone, sitesShowing, tellGone } from './sites.js';

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
async function transferThings(found: Findings, { things, to }: Question): Promise<Moved> {
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

/**
 * Tells the links from the spaces that go to what stays: the platform knows no references between organizations.
 * Addresses in the text still lead there. Links that are broken already are left out.
 */
async function tellOutgoing(found: Findings, spaces: readonly MovedSpace[]): Promise<void> {
  const going = new Set(spaces.map(({ id }) => id));
  const lists = await readAll(found.reading, spaces, (space) => outgoing(found, space, going));
  found.links.push(...(await withTitles(found, lists.flat())));
}

async function outgoing(
  found: Findings,
  { id, title }: MovedSpace,
  going: ReadonlySet<string>,
): Promise<ImpactLink[]> {
  const links: ImpactLink[] = [];
  const book = new AddressBook();
  await found.attempt({ kind: 'links', id, title }, async () => {
    for await (const { items } of linkPages(found.reading, id))
      for (const link of items) {
        const { to, via } = targetOf(link, id, book);
        const stays = to.space !== undefined && !going.has(to.space);
        if (via !== 'reference' || !stays || link.status === 'broken') continue;
        const { status } = link;
        for (const page of pagesOn(link))
          links.push({
            from: defined({ space: { id, title }, page }),
            to,
            via,
            status,
            outgoing: true as const,
          });
      }
  });
  return links;
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

/** The values that are lost; what cannot be read counts as unknown. @param target its id and name */
async function valuesLost(
  found: Findings,
  spaces: readonly MovedSpace[],
  target: { id: string; name: string },
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

/** A loss in words. @param target what the target is called */
function valueDependent({ space, field, value, kept, why }: ValueLoss, target: string): Dependent {
  const shown = [value].flat().map(String).join(', ');
  const reason = {
    'no-field': `${target} has no custom field ${field}`,
    'other-type': `the custom field ${field} of ${target} is of another type`,
    options: `the custom field ${field} of ${target} does not have all of its options`,
  }[why];
  const left = kept.length === 0 ? 'is lost' : `is reduced to ${kept.join(', ')}`;
  const what = `The value ${shown} of ${field} ${left}: ${reason}.`;
  return { kind: 'field-value', id: `${space.id}/${field}`, title: space.title, what };
}

/*
 * Who loses and gains access. Grants to teams do not go along, nor do those to people who are not members of the
 * target; a grant of a member of both is kept. No operation shows which of the two a grant is.
 */

/** A space with its levels before and after. */
interface Place {
  space: MovedSpace;
  before: DefaultLevel;
  after: DefaultLevel;
}

/** Whose role is looked at, and what becomes of them. */
interface Subject extends Pick<Held, 'person' | 'organizationRole'> {
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
  const places = moved.spaces.map((space) => ({
    space,
    before: levelBefore(space, moved),
    after: levelAfter(space, moved),
  }));
  for (const { before, after, space } of places)
    for (const level of new Set([before, after])) if (!level.known) tellLevel(found, space, level.missing);
  if (there === undefined) return;
  const here = new Set<string>();
  const teams = await openTeams(found.reading);
  await found.attempt({ kind: 'members', id: found.reading.organizationId }, async () => {
    for await (const window of readPeople(found.reading, { teams })) {
      for (const access of window) {
        here.add(access.member.id);
        tellPerson(found, places, access, there, target);
      }
    }
  });
  found.unknown.push(...teams.unread);
  if (found.wants('dependents')) found.dependents.push(...newReaders(places, here, there, target));
}

function tellLevel(found: Findings, { id, title }: MovedSpace, missing: string): void {
  const message = `Its default level cannot be told: collection ${missing} could not be read.`;
  found.cannotTell({ kind: 'space', id, title }, 'level_unknown', message);
}

function tellPerson(
  found: Findings,
  places: readonly Place[],
  { member, spaces, partial, teams, unread }: PersonAccess,
  there: ReadonlyMap<string, Role | null>,
  target: Side,
): void {
  const { id, email } = personOf(member);
  const subject: Subject = {
    person: { id, ...(email !== undefined && { email }) },
    name: nameOf(personOf(member)),
    organizationRole: member.role,
    there: there.get(member.id),
    inTeams: teams === undefined || !teams.known || teams.teams.length > 0,
  };
  found.unknown.push(...unread);
  const roles = new Map((spaces ?? partial ?? []).map(({ space, role }) => [space.id, role]));
  for (const place of places) {
    const role = roles.get(place.space.id) ?? (spaces === undefined ? ('unknown' as const) : null);
    if (role === 'unknown') found.unknownRole(subject.person, place.space);
    const { change, grant } = judge(place, { ...subject, role }, target.name);
    if (change !== undefined && found.wants('people')) found.people.push(change);
    if (grant !== undefined && found.wants('dependents')) found.dependents.push(grant);
  }
}

/** What becomes of the role and of the grant of one person in one space. A role that is not known is not judged. */
function judge(
  { space: { id, title }, before, after }: Place,
  held: Subject & Pick<Held, 'role'>,
  target: string,
): { change?: RoleChange; grant?: Dependent } {
  const { role, there, inTeams, name } = held;
  if (role === 'unknown') return {};
  const space = { id, title };
  const leaves = there === undefined;
  const change = leaves
    ? roleChangeOf(held, { space, before, after: 'gone' })
    : roleChangeOf(
        held,
        { space, before, after },
        { organizationRole: there, lostGrant: inTeams ? 'admin' : undefined },
      );
  const { least } = grantBounds(held, before);
  const loses = least !== null && (leaves || inTeams);
  const why = leaves
    ? `is lost: they are not a member of ${target}`
    : 'is lost if it comes from a team: teams do not go along';
  const what = `The ${least} grant of ${name} ${why}.`;
  return {
    ...(change !== undefined && change !== 'unknown' && !isSame(change) && { change }),
    ...(loses && { grant: { kind: 'grant', id: `${id}/${held.person.id}`, title, what } }),
  };
}

/** Who had nothing, and has nothing for sure afterwards, is not affected. */
function isSame({ from, to, most }: RoleChange): boolean {
  return from === to && most === undefined;
}

/** Members of the target alone, who get a role by the default level of a space. */
function newReaders(
  places: readonly Place[],
  here: ReadonlySet<string>,
  there: ReadonlyMap<string, Role | null>,
  target: Side,
): Dependent[] {
  const strangers = [...there].filter(([id]) => !here.has(id)).map(([, role]) => role);
  return places.flatMap(({ space: { id, title }, after }): Dependent[] => {
    const gained = strangers.filter((role) => (roleByLevels(role, after) ?? null) !== null).length;
    if (gained === 0) return [];
    const what = `${counted(gained, 'member')} of ${target.name} who cannot read it today will be able to.`;
    return [{ kind: 'access', id, title, what }];
  });
}

/**
 * What goes along with the content of spaces, what the content is made from and leaves behind, and what has the same
 * title in the target.
 */

/** An OpenAPI spec that pages of the spaces are made from. */
interface UsedSpec {
  id: string;
  /** Undefined where the platform does not list it. */
  slug?: string;
}

const pending = ['open', 'draft'] as const;

/** Change requests that are open or drafts: they go along, their authors may not. */
async function tellChangeRequests(found: Findings, spaces: readonly MovedSpace[], target: Side) {
  const { client } = found.reading;
  const asked = spaces.filter(({ changeRequests }) => changeRequests > 0);
  const lists = await readAll(found.reading, asked, async (space) => {
    const { id, title } = space;
    const requests = pending.map((status) =>
      found.attempt({ kind: `${status}-change-requests`, id, title }, async () => {
        const listing = client.call(listChangeRequests, { path: { spaceId: id }, query: { status } });
        // The platform may ignore the filter.
        return (await allItems(listing)).filter((request) => request.status === status);
      }),
    );
    return { title, requests: (await Promise.all(requests)).flatMap((list) => list ?? []) };
  });
  for (const { title, requests } of lists)
    for (const { id, number, subject, status, createdBy } of requests) {
      const author = createdBy?.displayName;
      const by = author === undefined ? '' : ` by ${author}`;
      const what = `#${number} of ${title} (${status}${by}) goes to ${target.name} with the space.`;
      found.dependents.push({ kind: 'change-request', id, title: subject, what });
    }
}

/** Repositories that spaces are synchronized with: the connection belongs to the organization that is left. */
function tellGitSync(found: Findings, spaces: readonly MovedSpace[], { from }: Sides): void {
  for (const { id, title, gitSync } of spaces) {
    if (gitSync === undefined) continue;
    const what = `It is synchronized with ${gitSync} by an integration of ${from.name}; set it up again.`;
    found.dependents.push({ kind: 'integration', id, title, what });
  }
}

/** Specs that pages are made from stay behind. @returns the specs, once each */
async function tellSpecs(
  found: Findings,
  spaces: readonly MovedSpace[],
  pagesOf: PagesOf,
  { from }: Sides,
): Promise<UsedSpec[]> {
  const uses = new Map<string, number>();
  for (const pages of await readAll(found.reading, spaces, ({ id }) => pagesOf(id)))
    for (const { computed } of pages ?? []) {
      const spec = computed?.dependencies?.spec?.ref.spec;
      if (spec !== undefined) uses.set(spec, (uses.get(spec) ?? 0) + 1);
    }
  if (uses.size === 0) return [];
  const specs = await specsOf(found, from);
  return [...uses].map(([id, count]) => {
    const slug = specs?.find((spec) => spec.id === id || spec.slug === id)?.slug;
    const verb = count === 1 ? 'is' : 'are';
    const what = `${counted(count, 'page')} ${verb} made from it; it stays in ${from.name}, where later versions are added.`;
    found.dependents.push({ kind: 'spec', id, title: slug ?? id, what });
    return { id, ...(slug !== undefined && { slug }) };
  });
}

/** The specs of an organization; undefined where they could not be read, which counts as unknown. */
function specsOf(found: Findings, { id, name }: Side): Promise<OpenApiSpec[] | undefined> {
  const own = organization({ ...found.reading, organizationId: id });
  return found.items({ kind: 'openapi-specs', id, title: name }, own.openApiSpecs());
}

/** Something that has a name which others of its kind in the target may have. */
interface Named {
  kind: string;
  id: string;
  title: string;
  called: string;
}

/**
 * What has the same title in the target already. Spaces and collections have no slug, so the platform refuses no
 * transfer for it; but titles become ambiguous, and the sites and specs that have to be set up again there find
 * their name taken.
 */
async function tellClashes(
  found: Findings,
  { things }: Pick<Moved, 'things'>,
  { sites, specs }: { sites: readonly Site[]; specs: readonly UsedSpec[] },
  { from, to }: Sides,
): Promise<void> {
  const coming: Named[] = [
    ...things.map(({ object, id, title }) => ({ kind: object, id, title, called: title })),
    ...sites.flatMap(({ id, title, basename }) =>
      basename === undefined ? [] : [{ kind: 'site', id, title, called: basename }],
    ),
    ...specs.flatMap(({ id, slug }) =>
      slug === undefined ? [] : [{ kind: 'OpenAPI spec', id, title: slug, called: slug }],
    ),
  ];
  const there = await namesIn(found, to, new Set(coming.map(({ kind }) => kind)));
  for (const { kind, id, title, called } of coming)
    if (there.has(`${kind} ${nameKey(called)}`)) {
      const what = `${to.name} already has a${kind === 'OpenAPI spec' ? 'n' : ''} ${kind} called ${called}.`;
      found.dependents.push({ kind: 'clash', id, title, what });
    }
  // Hostnames and proxies are unique on the whole platform.
  for (const { id, title, hostname, proxy } of sites)
    for (const held of [hostname, proxy?.origin])
      if (held !== undefined) {
        const what = `The site stays in ${from.name} and keeps ${held}, which no site of ${to.name} can have meanwhile.`;
        found.dependents.push({ kind: 'clash', id, title, what });
      }
}

/** Kind and name of what is in an organization, of spaces and collections only those at its top level. */
async function namesIn(found: Findings, side: Side, kinds: ReadonlySet<string>): Promise<Set<string>> {
  const { id, name } = side;
  const reading = { ...found.reading, organizationId: id };
  const whole = organization(reading);
  const collections = await found.items({ kind: 'collections', id, title: name }, whole.collections());
  const names = new Set<string>();
  const add = (kind: string, called = '') => names.add(`${kind} ${nameKey(called)}`);
  if (collections !== undefined) {
    const keep = ({ title, parent }: { title: string; parent?: string | undefined }) => ({ title, parent });
    const { spaces, unread } = await allSpaces(reading, keep, whole);
    found.unknown.push(...unread);
    for (const { title, parent } of spaces) if (parent === undefined) add('space', title);
    for (const { title, parent } of collections) if (parent === undefined) add('collection', title);
  }
  const sites = kinds.has('site') && (await found.items({ kind: 'sites', id, title: name }, whole.sites()));
  const specs = kinds.has('OpenAPI spec') && (await specsOf(found, side));
  for (const { basename } of sites || []) add('site', basename);
  for (const { slug } of specs || []) add('OpenAPI spec', slug);
  return names;
}
