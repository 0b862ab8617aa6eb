import {
  disabledWords,
  type LevelledResource,
  layersOf,
  siteWords,
  type Weighed,
  weigh,
  whyWords,
} from '../../access/layers.js';
import { rankOf } from '../../access/levels.js';
import { readSpacesOf, readTeamsOf } from '../../access/people.js';
import {
  type Audience,
  type Explanation,
  type Publication,
  refOf,
  resourceRef,
  Tally,
} from '../../access/person.js';
import { about, levelled, placeOf, readParents, type Structure } from '../../access/structure.js';
import { getCollection } from '../../api/resources/collections.js';
import { operations } from '../../api/resources/index.js';
import { getMember, type Member } from '../../api/resources/members.js';
import { getSite, type Site } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { idOf, type Role } from '../../api/shapes.js';
import { DocsError, usageError } from '../../base/errors.js';
import { refuseTitles } from '../../cli/resolve/id-places.js';
import { outputFormat } from '../../cli/run/output.js';
import type { Report, Session } from '../../cli/run/run-report.js';
import { hanging } from '../../document/terminal.js';
import { readAll } from '../../jobs/sequence.js';
import { safeLine } from '../../output/text.js';
import { cut, widthOf } from '../../output/text-width.js';
import { organization } from '../../snapshot/organization.js';
import { type Reading, readPartly, type Unread, unreadWords } from '../../snapshot/unread.js';
import { endingOf } from './lists.js';

/** `docs access explain`: one explanation. Partial `not_all_read` (exit 3) where something could not be read. */
export const explainReport: Report<Explained> = {
  async read({ session, input, reading, progress }) {
    const resource = resourceOf(session, String(input.args.resource));
    const source = await reading();
    return progress('Reading', () => explainAccess(source, String(input.args.person), resource));
  },
  formOf(session) {
    const { settings, globals } = session;
    const isPlain = settings.fields === undefined && globals.jq === undefined;
    return isPlain && outputFormat(session) === 'table' ? 'text' : 'value';
  },
  text: ({ explanation }, { session: { io } }) =>
    explanationText(explanation, io.stdout.columns || Number(io.env.COLUMNS) || 80),
  value: ({ explanation }) => explanation,
  end({ explanation, unread }) {
    const tally = new Tally();
    tally.rows = 1;
    tally.unknown = explanation.reason === 'unknown' ? 1 : 0;
    tally.fail(...unread);
    return tally.unknown + tally.failures > 0 ? endingOf(tally, { words: 'Explained in part' }) : undefined;
  },
};

/** Reads `kind:id`, as the name was resolved. @throws DocsError usage `invalid_input` */
function resourceOf(session: Session, text: string): Resource {
  const [, object, id] = /^(space|collection|site):([\w-]+)$/.exec(text) ?? [];
  if (id !== undefined && (object === 'space' || object === 'collection' || object === 'site'))
    return { object, id };
  refuseTitles(session, '<resource>', [text]);
  const message = `<resource>: ${JSON.stringify(text.slice(0, 100))} is not the id of a space, a collection or a site.`;
  throw usageError('invalid_input', message, { hint: 'docs spaces list' });
}

/** An explanation as people read it on a terminal, in lines of at most so many columns; ends with a newline. */
function explanationText(explanation: Explanation, columns: number): string {
  const lines = [
    { first: '', text: headline(explanation) },
    { first: '', text: explanation.why },
    { first: '', text: '' },
    ...layerLines(explanation),
    ...placeLines(explanation),
    ...siteLines(explanation),
  ];
  return `${lines.flatMap((line) => wrapped(line, columns)).join('\n')}\n`;
}

/** A text that is wrapped beside what stands before its first line. */
interface Line {
  first: string;
  text: string;
}

/** Columns that a wrapped text needs at least; with fewer it goes below what stands before it, by so many in. */
const leastText = 24;
const inset = '    ';

function wrapped({ first, text }: Line, columns: number): string[] {
  const width = widthOf(first);
  if (width > inset.length && columns - width < leastText)
    return [first.trimEnd(), ...wrapped({ first: inset, text }, columns)];
  const [line = '', ...more] = hanging(first, safeLine(text), columns, { least: leastText });
  return [line.trimEnd(), ...more];
}

function headline({ person, resource, role, atLeast }: Explanation): string {
  const name = person.email === null ? person.displayName : `${person.displayName} (${person.email})`;
  const least = atLeast ? 'at least ' : '';
  const has = role === null ? 'no role' : role === 'unknown' ? 'an unknown role' : role;
  const at = `${resource.object === 'site' ? 'on' : 'in'} ${resource.object}`;
  return `${name}: ${least}${has} ${at} ${resource.title} (${resource.id})`;
}

const names: Record<Explanation['layers'][number]['layer'], string> = {
  'organization-role': 'organization role',
  grant: 'grants',
  space: 'space',
  collection: 'collection',
  organization: 'top level',
};

/** A line for each layer: which decides, its role, and what it does. */
function layerLines({ layers }: Explanation): Line[] {
  const rows = layers.map(({ layer, title, id, role, decides, why }) => {
    const name = title ?? id;
    return {
      mark: decides ? '→' : ' ',
      name: cut(safeLine(name === undefined ? names[layer] : `${names[layer]} ${name}`), 32),
      role: role ?? 'none',
      text: why,
    };
  });
  const nameWidth = Math.max(...rows.map(({ name }) => widthOf(name)));
  return rows.map(({ mark, name, role, text }) => ({
    first: `${mark} ${name}${' '.repeat(nameWidth - widthOf(name))}  ${role.padEnd(7)}  `,
    text,
  }));
}

function placeLines({ publications, notRead }: Explanation): Line[] {
  if (publications === undefined) return [];
  if (publications.length === 0)
    return plain(['', notRead.length === 0 ? 'On no site.' : 'On no site that could be read.']);
  return publications.flatMap((one) => [
    ...plain(['', `On site ${one.site.title} (${one.site.id}):`]),
    ...audienceLines(one),
  ]);
}

function siteLines({ audience, permits }: Explanation): Line[] {
  const permitted =
    permits && `The organization role permits ${permits.length} of ${siteOperations} operations on a site.`;
  return [
    ...plain(permitted === undefined ? [] : ['', permitted]),
    ...(audience === undefined ? [] : [...plain(['', 'Visitors:']), ...audienceLines(audience)]),
  ];
}

function audienceLines({ url, visibility, readers, conditions }: Audience): Line[] {
  const lines = [
    ...(url === null ? [] : [url]),
    `${visibility}: read by ${readers}`,
    ...conditions.map((condition) => `only where ${condition}`),
  ];
  return lines.map((text) => ({ first: '  ', text }));
}

function plain(texts: readonly string[]): Line[] {
  return texts.map((text) => ({ first: '', text }));
}

/** The operations on a site and on what is in it, by id. */
const onSites = operations.filter(({ path }) => path === getSite.path || path.startsWith(`${getSite.path}/`));

/** Ids of the operations on a site that an organization role permits, as they are declared. */
function permitsOf(role: Role): string[] {
  return onSites.filter(({ needs }) => rankOf(needs) <= rankOf(role)).map(({ id }) => id);
}

/** How many there are. */
const siteOperations = onSites.length;

interface Resource {
  object: 'space' | 'collection' | 'site';
  id: string;
}

interface Explained {
  explanation: Explanation;
  unread: Unread[];
}

/**
 * The role of a person in a space, in a collection or on a site, and why.
 * @param person the id of a member
 * @returns with what could not be read in `unread`
 * @throws DocsError where the person or the resource cannot be read; as `readFailure`
 */
export async function explainAccess(
  reading: Reading,
  person: string,
  resource: Resource,
): Promise<Explained> {
  const { client, organizationId } = reading;
  const member = await client.call(
    getMember,
    { path: { organizationId, userId: person } },
    about('member', person),
  );
  if (resource.object === 'site') return explainSite(reading, member, resource.id);
  if (resource.object === 'collection') return explainCollection(reading, member, resource.id);
  return explainSpace(reading, member, resource.id);
}

async function explainSpace(reading: Reading, member: Member, id: string): Promise<Explained> {
  const { spaces, unread: failed } = await readSpacesOf(reading, member, placeOf);
  const own = spaces.find(({ space }) => space.id === id);
  const place =
    own?.space ?? placeOf(await reading.client.call(getSpace, { path: { spaceId: id } }, about('space', id)));
  const unread: Unread[] = own === undefined && failed !== undefined ? [failed] : [];
  const role = own?.role ?? (failed === undefined ? null : 'unknown');
  const weighed = await weighPlace(reading, member, { ...place, object: 'space' }, { role, unread });
  const published = await publicationsOf(reading, id);
  unread.push(...published.unread);
  return explained(member, weighed, unread, { publications: published.publications });
}

async function explainCollection(reading: Reading, member: Member, id: string): Promise<Explained> {
  const collection = await reading.client.call(
    getCollection,
    { path: { collectionId: id } },
    about('collection', id),
  );
  const unread: Unread[] = [];
  const place = { ...levelled(collection), object: 'collection' as const };
  const weighed = await weighPlace(reading, member, place, { role: undefined, unread });
  return explained(member, weighed, unread, {});
}

/** Reads the collections around a place and, where a grant gives the role, the teams. */
async function weighPlace(
  reading: Reading,
  member: Member,
  place: LevelledResource,
  { role, unread }: { role: Weighed['role'] | undefined; unread: Unread[] },
): Promise<Weighed> {
  const around: Structure = { collections: new Map(), spaces: new Map(), unread };
  await readParents(reading, around, [place]);
  const weighed = weigh({ organizationRole: member.role, place, collections: around.collections, role });
  if (weighed.reason !== 'granted') return weighed;
  const { teams, unread: failed } = await readTeamsOf(reading, member);
  unread.push(...failed);
  return failed.length > 0 ? weighed : { ...weighed, teams: teams.map(resourceRef) };
}

function explained(
  member: Member,
  weighed: Weighed,
  unread: Unread[],
  more: Pick<Explanation, 'publications'>,
): Explained {
  const { place, role, atLeast, reason, teams } = weighed;
  const explanation: Explanation = {
    person: personOf(member),
    resource: { object: place.object, ...resourceRef(place) },
    role,
    atLeast,
    reason,
    why: [whyWords(weighed), disabledWords(member)].filter(Boolean).join(' '),
    layers: layersOf(weighed),
    ...(teams !== undefined && { teams: [...teams] }),
    ...more,
    notRead: unread.map(unreadWords),
  };
  return { explanation, unread };
}

async function explainSite(reading: Reading, member: Member, id: string): Promise<Explained> {
  const { client, organizationId } = reading;
  const site = await client.call(getSite, { path: { organizationId, siteId: id } }, about('site', id));
  const { role } = member;
  const why = [siteWords(role), disabledWords(member)].filter(Boolean).join(' ');
  const explanation: Explanation = {
    person: personOf(member),
    resource: { object: 'site', ...resourceRef(site) },
    role,
    atLeast: false,
    reason: role === 'admin' ? 'admin' : role === null ? 'none' : 'default',
    why,
    layers: [{ layer: 'organization-role', role, decides: true, shadowed: false, why: 'decides on sites' }],
    audience: audienceOf(site),
    ...(role !== null && { permits: permitsOf(role) }),
    notRead: [],
  };
  return { explanation, unread: [] };
}

function personOf(member: Member): Explanation['person'] {
  return { ...refOf(member), role: member.role, disabled: member.disabled };
}

/** Who can read what a site shows: by the visibility of the site, and by conditions on spaces and sections. */

const readersBy: Readonly<Record<Site['visibility'], string>> = {
  public: 'anyone, and search engines may index it',
  unlisted: 'anyone with the address; search engines do not index it',
  'share-link': 'anyone with a share link',
  'visitor-auth': 'visitors whom its visitor authentication lets in',
};

/** @param place where on the site, with the conditions of the space and of its section; default: the whole site */
function audienceOf(
  site: Site,
  place: { url: string | undefined; conditions: string[] } = { url: site.urls?.published, conditions: [] },
): Audience {
  const { published, visibility } = site;
  const named: string | undefined = readersBy[visibility];
  const readers = named ?? `those whom the visibility ${visibility} lets in`;
  return {
    published,
    visibility,
    url: place.url ?? null,
    conditions: place.conditions,
    readers: published ? readers : 'nobody, as the site is not published',
  };
}

/** The places of a space on sites. What could not be read is in `unread`. @throws DocsError as `readFailure` */
async function publicationsOf(
  reading: Reading,
  spaceId: string,
): Promise<{ publications: Publication[]; unread: Unread[] }> {
  const what = { kind: 'sites', id: reading.organizationId };
  const sites = organization(reading).sites({ space: spaceId });
  const { items, unread } = await readPartly(sites, reading, what);
  const found = await readAll(reading, items, (site) => onSite(reading, site, spaceId));
  for (const one of found) unread.push(...one.unread);
  return { publications: found.flatMap((one) => one.publications), unread };
}

async function onSite(
  reading: Reading,
  site: Site,
  spaceId: string,
): Promise<{ publications: Publication[]; unread: Unread[] }> {
  const { id, title } = site;
  const lists = organization(reading).site(id);
  const what = { kind: 'site-spaces', id, title };
  const { items, unread } = await readPartly(lists.siteSpaces(), reading, what);
  const places = items.filter(({ space }) => idOf(space) === spaceId);
  if (unread.length === 0 && places.length === 0 && items.some(({ space }) => space === undefined))
    unread.push({ ...what, error: hidden() });
  const sections = new Map<string, string | undefined>();
  if (places.some(({ section }) => section !== undefined)) {
    const listed = await readPartly(lists.sections(), reading, { ...what, kind: 'sections' });
    for (const one of listed.items) sections.set(one.id, one.condition);
    unread.push(...listed.unread);
  }
  const publications = places.map(({ id: siteSpace, section = '', condition, urls }) => {
    const conditions = [sections.get(section), condition].filter((one) => one !== undefined);
    return { site: resourceRef(site), siteSpace, ...audienceOf(site, { url: urls?.published, conditions }) };
  });
  return { publications, unread };
}

function hidden(): DocsError {
  return new DocsError('forbidden', 'hidden_space', 'The site shows spaces that this token cannot see.');
}
