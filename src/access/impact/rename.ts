import type { Organization } from '../../api/resources/orgs.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import type { Site } from '../../api/resources/sites.js';
import { defined } from '../../base/values.js';
import { organization, type SiteContent } from '../../snapshot/organization.js';
import type { Affected, ImpactQuestion } from './change.js';
import { type Fate, tellDead } from './dead-urls.js';
import { partOf, partsWith, type SitePart } from './delete-site-parts.js';
import type { Findings } from './findings.js';
import { tellLinks } from './links-to.js';
import { type Address, addressesOf, bare, pageReader } from './published.js';
import { allSites, partsOf, siteOf } from './site-changes.js';

/** Addresses that become others: the path of a section or site space, a basename, a proxy, a hostname; titles. */

/** @throws DocsError if the thing, or its site, cannot be read */
export async function rename(found: Findings, question: ImpactQuestion): Promise<void> {
  const { things, to = {} } = question;
  const { title, label, ...address } = to;
  for (const thing of Object.keys(address).length === 0 ? [] : things) {
    if (thing.object === 'organization') await renameHostname(found, thing, to.hostname);
    else if (thing.object === 'site') await renameSite(found, thing, question);
    else await renamePath(found, thing, question);
  }
  if (title !== undefined || label !== undefined)
    await (await import('./retitle.js')).retitle(found, question);
}

async function renamePath(
  found: Findings,
  thing: Affected,
  { to: { path } = {}, freed }: ImpactQuestion,
): Promise<void> {
  const all = await partsWith(found, [thing]);
  const part = partOf(all, thing);
  found.thing(thing, part.title);
  if (path === undefined || path === part.path) return;
  const isSection = thing.object === 'site-section';
  const siblings: readonly SitePart[] = isSection
    ? all.flatMap(({ sections }) => sections)
    : all.flatMap(({ siteSpaces }) => siteSpaces).filter(({ section }) => section === part.section);
  const clash = siblings.find(
    (one) => one.id !== part.id && one.path === path && freed?.has(`path ${one.id}`) !== true,
  );
  if (clash !== undefined) {
    const what = `The path ${path} is that of ${clash.title}; the platform refuses it.`;
    found.dependents.push({ kind: 'clash', id: clash.id, title: clash.title, what, refused: true });
  }
  const isOwn = ({ section, siteSpace }: Standing) => (isSection ? section : siteSpace) === thing.id;
  await tellRenamed(found, all, isOwn, (own) => {
    const top = own.find(({ kind }) => kind === (isSection ? 'section' : 'site-space'))?.url;
    if (top === undefined) return 'unknown';
    const next = withLast(top, part.path, path);
    // Where the address does not end in the path, as the default one's may not, nothing of it changes.
    return next === undefined ? undefined : { from: bare(top), to: bare(next) };
  });
}

async function renameSite(
  found: Findings,
  thing: Affected,
  { to = {}, freed }: ImpactQuestion,
): Promise<void> {
  const site = await siteOf(found, thing.id);
  found.thing(thing, site.title);
  await tellClashes(found, site, { to, ...defined({ freed }) });
  const parts = await partsOf(found, [site]);
  await tellRenamed(
    found,
    parts,
    () => true,
    () => nextBase(site, to),
  );
}

/** Another site of the organization may have the basename or the proxy. */
async function tellClashes(
  found: Findings,
  site: Site,
  { to: { basename, proxy } = {}, freed }: Pick<ImpactQuestion, 'to' | 'freed'>,
): Promise<void> {
  for (const other of (await allSites(found)) ?? []) {
    if (other.id === site.id) continue;
    const { id, title } = other;
    const tell = (what: string) => found.dependents.push({ kind: 'clash', id, title, what, refused: true });
    const isFree = (field: string) => freed?.has(`${field} ${id}`) === true;
    if (basename !== undefined && other.basename === basename && !isFree('basename'))
      tell(`It has the basename ${basename}; the platform refuses it.`);
    if (typeof proxy === 'string' && other.proxy?.origin === proxy && !isFree('proxy'))
      tell(`It is served from ${proxy}; the platform refuses it.`);
  }
}

async function renameHostname(found: Findings, thing: Affected, hostname: string | undefined): Promise<void> {
  const own = organization({ ...found.reading, organizationId: thing.id });
  const org = await own.settings();
  found.thing(thing, org.title);
  if (hostname === undefined || hostname === org.hostname) return;
  const sites = await found.items({ kind: 'sites', id: thing.id }, own.sites());
  for (const site of sites ?? [])
    await tellRenamed(
      found,
      await partsOf(found, [site]),
      () => true,
      () => nextHost(site, org, hostname),
    );
}

/** An address, and what it becomes, both without the last slash; undefined where nothing changes. */
type Prefix = { from: string; to: string } | 'unknown' | undefined;

/** Which part of a site an address belongs to. */
type Standing = Pick<Partial<SiteSpace>, 'section'> & { siteSpace?: string | undefined };

async function tellRenamed(
  found: Findings,
  all: readonly SiteContent[],
  isOwn: (standing: Standing) => boolean,
  prefixOf: (own: readonly Address[]) => Prefix,
): Promise<void> {
  const outer = await addressesOf(found, all, pageReader(found), () => false);
  const prefix = prefixOf(outer.filter(isOwn));
  if (prefix === undefined || outer.length === 0) return;
  const addresses = found.wants('urls')
    ? await addressesOf(found, all, pageReader(found), (_, { id, section }) =>
        isOwn({ siteSpace: id, ...defined({ section }) }),
      )
    : outer;
  const fateOf = (address: Address): Fate => {
    if (!isOwn(address)) return 'stays';
    if (prefix === 'unknown') return 'unknown';
    const { url } = address;
    return url.startsWith(prefix.from) ? { becomes: prefix.to + url.slice(prefix.from.length) } : 'stays';
  };
  if (prefix === 'unknown')
    for (const { site } of all)
      found.cannotTell(
        { kind: 'site', id: site.id, title: site.title },
        'address_unknown',
        'The platform does not tell before which address it would have.',
      );
  if (found.wants('urls')) tellDead(found, addresses, fateOf);
  const stays = (address: Address) => fateOf(address) === 'stays';
  if (found.wants('links'))
    await tellLinks(found, { dead: addresses.filter((one) => !stays(one)), living: addresses.filter(stays) });
}

/** The address with another last segment; undefined where it ends in something else. */
function withLast(url: string, old: string, next: string): string | undefined {
  const [start, end] = [bare(url), `/${encoded(old)}`];
  return start.endsWith(end) ? `${start.slice(0, -end.length)}/${encoded(next)}` : undefined;
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A proxy takes precedence over the hostname of a site, and that over the address below the organization's. */
function nextBase(site: Site, { basename, proxy }: NonNullable<ImpactQuestion['to']>): Prefix {
  const from = site.urls?.published;
  if (from === undefined) return undefined;
  const key = site.visibility === 'share-link' ? `/${bare(from).split('/').at(-1)}` : '';
  if (typeof proxy === 'string') return changed(from, `https://${proxy}${key}`);
  if (proxy === null && site.proxy !== undefined)
    return site.hostname === undefined ? 'unknown' : changed(from, `https://${site.hostname}${key}`);
  if (basename === undefined || site.proxy !== undefined || site.hostname !== undefined) return undefined;
  return changed(from, replaced(from, site.basename ?? site.id, basename, 'last'));
}

function nextHost(site: Site, org: Organization, hostname: string): Prefix {
  const from = site.urls?.published;
  if (from === undefined || site.proxy !== undefined || site.hostname !== undefined) return undefined;
  return changed(from, replaced(from, org.hostname ?? org.id, hostname, 'first'));
}

function changed(from: string, to: string | undefined): Prefix {
  if (to === undefined) return 'unknown';
  return bare(from) === bare(to) ? undefined : { from: bare(from), to: bare(to) };
}

/** The address with a label of its host, or a segment of its path, replaced; undefined where it has none such. */
function replaced(url: string, old: string, next: string, which: 'first' | 'last'): string | undefined {
  const parts = bare(url).split(/([./])/);
  const at = which === 'first' ? parts.indexOf(encoded(old)) : parts.lastIndexOf(encoded(old));
  return at < 0 ? undefined : parts.with(at, encoded(next)).join('');
}
