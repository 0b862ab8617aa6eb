import { getOrg } from '../../api/resources/orgs.js';
import { listSites } from '../../api/resources/sites.js';
import { slug } from '../../base/name.js';
import { isObject } from '../../is-object.js';
import type { Affected } from './change.js';
import { partsWith } from './delete-site-parts.js';
import { allOf, type Findings } from './findings.js';
import { addressesOf, pageReader, type SiteParts } from './published.js';
import { partsOf, siteOf, sitesShowing } from './site-changes.js';

/** Where titles are shown, and whether published addresses are made of them. */

/** A thing, with the title that it has now. */
export interface Titled {
  thing: Affected;
  title: string;
  /** As the platform answers it. */
  record: Readonly<Record<string, unknown>>;
}

/** Kinds that sites publish, or publish under; the others have no address that readers see. */
const published: ReadonlySet<string> = new Set([
  ...['organization', 'space', 'site', 'site-section', 'site-section-group'],
]);

/** @throws DocsError if a site that holds one of them cannot be read */
export async function tellShown(found: Findings, changing: readonly Titled[], next: string): Promise<void> {
  const object = changing[0]?.thing.object ?? '';
  const isShown = object === 'space' && found.wants('dependents');
  if (!published.has(object) || !(isShown || found.wants('urls', 'links'))) return;
  const all = await sitesOf(found, changing);
  if (isShown) tellSiteSpaces(found, all, changing, next);
  if (found.wants('urls', 'links')) await checkAddresses(found, all, changing);
}

/** The sites that publish them. Of an organization only the addresses of the sites themselves count. */
async function sitesOf(found: Findings, changing: readonly Titled[]): Promise<SiteParts[]> {
  const { client } = found.reading;
  const things = changing.map(({ thing }) => thing);
  const ids = things.map(({ id }) => id);
  const object = things[0]?.object;
  if (object === 'space') return sitesShowing(found, ids);
  if (object === 'site') return partsOf(found, await Promise.all(ids.map((id) => siteOf(found, id))));
  if (object !== 'organization') return partsWith(found, things);
  const lists = await Promise.all(
    ids.map((id) =>
      found.attempt({ kind: 'sites', id }, () =>
        allOf(client.call(listSites, { path: { organizationId: id } })),
      ),
    ),
  );
  return lists.flatMap((list) => list ?? []).map((site) => ({ site, sections: [], siteSpaces: [] }));
}

/** A site space has no title of its own that could be set: the site shows that of the space. */
function tellSiteSpaces(
  found: Findings,
  all: readonly SiteParts[],
  changing: readonly Titled[],
  next: string,
): void {
  const titles = new Map(changing.map(({ thing, title }) => [thing.id, title]));
  for (const { site, siteSpaces } of all)
    for (const { id, title, space } of siteSpaces) {
      const old = titles.get(space?.id ?? '');
      if (old === undefined) continue;
      const what =
        title === old
          ? `Site ${site.title} shows the space under its title, so ${old} becomes ${next} there.`
          : `Site ${site.title} shows the space as ${title}.`;
      found.dependents.push({ kind: 'site-space', id, title, what });
    }
}

/** Paths are set apart from titles; a segment that is the title and no path known would change with it. */
async function checkAddresses(
  found: Findings,
  all: readonly SiteParts[],
  changing: readonly Titled[],
): Promise<void> {
  const addresses = await addressesOf(found, all, pageReader(found), () => false);
  const known = new Set([...all.flatMap(pathsOf), ...changing.flatMap(namesOf)].map(plain));
  for (const { thing, title, record } of changing) {
    const urls = [...addresses.map(({ url }) => url), ...publicOf(record)];
    const url = urls.find((one) => holds(one, title, known));
    if (url === undefined || (await isHostname(found, title))) continue;
    const message = `Its address ${url} holds the title; the platform does not tell the new one.`;
    found.cannotTell({ kind: thing.object, id: thing.id, title }, 'address_unknown', message);
  }
}

function pathsOf({ site, sections, siteSpaces }: SiteParts): string[] {
  const paths = [
    ...[site.id, site.basename, site.proxy?.origin],
    ...[...sections, ...siteSpaces].map(({ path }) => path),
  ];
  return paths.flatMap((path) => path?.split('/') ?? []);
}

/** What of a thing itself can be part of an address, beside its title. */
function namesOf({ thing, record }: Titled): string[] {
  const { hostname } = record;
  return typeof hostname === 'string' ? [thing.id, hostname] : [thing.id];
}

/** The public address of a space without a site. */
function publicOf({ urls }: Titled['record']): string[] {
  const url = isObject(urls) ? urls.public : undefined;
  return typeof url === 'string' ? [url] : [];
}

function holds(url: string, title: string, known: ReadonlySet<string>): boolean {
  const wanted = plain(title);
  if (wanted === '' || known.has(wanted)) return false;
  return segmentsOf(url).includes(wanted);
}

function segmentsOf(url: string): string[] {
  if (!URL.canParse(url)) return [];
  return new URL(url).pathname.split('/').map((segment) => {
    try {
      return plain(decodeURIComponent(segment));
    } catch {
      return plain(segment);
    }
  });
}

/** A title as an address would write it: letters and digits, with hyphens between. */
function plain(text: string): string {
  return slug(text, { others: /[^\p{L}\p{N}]+/gu });
}

/** The hostname of the organization may be part of a path, too; of an organization itself it is known. */
async function isHostname(found: Findings, title: string): Promise<boolean> {
  const { client, organizationId } = found.reading;
  if (organizationId === '') return false;
  const org = await found.attempt({ kind: 'organization', id: organizationId }, () =>
    client.call(getOrg, { path: { organizationId } }),
  );
  return org !== undefined && plain(org.hostname ?? org.id) === plain(title);
}
