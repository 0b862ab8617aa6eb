import { seedId } from '../client.js';
import * as ops from '../operations.js';
import { anyOf, type Lists, type Walked, type World } from './world.js';

interface Site {
  organizationId: string;
  siteId: string;
}

async function newSpace({ admin }: World): Promise<string> {
  return (await admin.ok(ops.duplicateSpace, { path: { spaceId: seedId('space welcome') } })).id;
}

async function newSite({ admin, organizationId }: World): Promise<Site> {
  const { id } = await admin.ok(ops.createSite, { path: { organizationId }, body: { title: 'Walked' } });
  return { organizationId, siteId: id };
}

async function addSection(world: World, path: Site): Promise<string> {
  const body = { spaceId: await newSpace(world) };
  return (await world.admin.ok(ops.createSection, { path, body })).id;
}

/** Three groups of sections, and sections between them; two spaces each. */
async function sectioned(world: World): Promise<Site> {
  const { admin } = world;
  const path = await newSite(world);
  for (let group = 0; group < 3; group += 1) {
    const sections = [await addSection(world, path), await addSection(world, path)];
    await admin.ok(ops.createSectionGroup, { path, body: { title: `Group ${group}`, sections } });
    const sectionId = await addSection(world, path);
    await admin.ok(ops.createSiteSpace, { path, body: { spaceId: await newSpace(world), sectionId } });
  }
  return path;
}

/** Adds or removes a section, a group or a space of a site. A deleted group keeps its sections. */
async function changeSite(world: World, path: Site): Promise<void> {
  const { admin, random } = world;
  const adds = random.below(2) === 0;
  const kind = random.below(3);
  if (kind === 0) {
    const section = anyOf(world, await admin.all(ops.listSections, { path }));
    if (adds || section === undefined) await addSection(world, path);
    else await admin.ok(ops.deleteSection, { path: { ...path, siteSectionId: section.id } });
  } else if (kind === 1) {
    const group = anyOf(world, await admin.all(ops.listSectionGroups, { path }));
    if (adds || group === undefined) await admin.ok(ops.createSectionGroup, { path, body: { title: 'New' } });
    else await admin.ok(ops.deleteSectionGroup, { path: { ...path, siteSectionGroupId: group.id } });
  } else await changeSpaces(world, path, adds);
}

async function changeSpaces(world: World, path: Site, adds: boolean): Promise<void> {
  const { admin } = world;
  const siteSpace = anyOf(world, await admin.all(ops.listSiteSpaces, { path }));
  if (!adds && siteSpace !== undefined) {
    await admin.ok(ops.deleteSiteSpace, { path: { ...path, siteSpaceId: siteSpace.id } });
    return;
  }
  const sectionId = anyOf(world, await admin.all(ops.listSections, { path }))?.id;
  const body = { spaceId: await newSpace(world), ...(sectionId !== undefined && { sectionId }) };
  await admin.ok(ops.createSiteSpace, { path, body });
}

const ofSite = async (world: World): Promise<Walked> => {
  const path = await sectioned(world);
  return { path: { ...path }, change: () => changeSite(world, path) };
};

/** Spaces at the root, which a first section takes over. */
async function rootSpaces(world: World): Promise<Walked> {
  const path = await newSite(world);
  for (let count = 0; count < 6; count += 1) await changeSpaces(world, path, true);
  let changes = 0;
  const change = async () => {
    changes += 1;
    if (changes === 3) await addSection(world, path);
    else await changeSpaces(world, path, world.random.below(2) === 0);
  };
  return { path: { ...path }, change };
}

async function sites(world: World): Promise<Walked> {
  const { admin, organizationId, outside, random } = world;
  const path = { organizationId };
  for (let count = 0; count < 5; count += 1) await newSite(world);
  const change = async () => {
    outside.ms += random.below(2);
    const site = random.below(2) === 0 ? undefined : anyOf(world, await admin.all(ops.listSites, { path }));
    if (site === undefined) await newSite(world);
    else await admin.ok(ops.deleteSite, { path: { organizationId, siteId: site.id } });
  };
  return { path, change };
}

export const siteLists: Lists = {
  'sites.list': sites,
  'sections.list': ofSite,
  'section-groups.list': ofSite,
  'site-spaces.list': async (world) =>
    world.random.below(2) === 0 ? await rootSpaces(world) : await ofSite(world),
};
