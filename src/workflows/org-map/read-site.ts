import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { unlessNotFound } from '../../reading/reading.js';
import { hidden } from '../../reading/spaces.js';
import type { FoundSite } from './found.js';
import type { MapReading } from './map-reading.js';

/** Adds the reads of a site: its spaces, and where it is to be drawn, its section groups and sections. */
export function readSite(map: MapReading, { site, groups, sections, siteSpaces }: FoundSite): void {
  const { id, title } = site;
  const path = { organizationId: map.reading.organizationId, siteId: id };
  const source = { kind: 'site' as const, id, title };
  map.add(['sites', 'spaces'], source, async ({ client }) => {
    for await (const own of client.call(listSiteSpaces, { path })) {
      siteSpaces.set(own.id, own);
      if (own.space !== undefined) map.visit(own.space, 'site');
      else map.missed(['sites', 'spaces'], hidden(own, source));
    }
  });
  if (!map.question.parts.has('sites')) return;
  map.add(['sites'], { ...source, kind: 'section-groups-of-site' }, async ({ client }) => {
    const list = client.call(listSectionGroups, { path });
    await collect(list, groups).catch(unlessNotFound);
  });
  map.add(['sites'], { ...source, kind: 'sections-of-site' }, async ({ client }) => {
    await collect(client.call(listSections, { path }), sections).catch(unlessNotFound);
  });
}

async function collect<T extends { id: string }>(
  list: AsyncIterable<T>,
  into: Map<string, T>,
): Promise<void> {
  for await (const item of list) into.set(item.id, item);
}
