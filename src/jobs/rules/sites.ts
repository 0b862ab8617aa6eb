import type { LooseInput } from '../../api/client.js';
import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { updateSection } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Change, NoWayBack, Rule, Rules, WayBack } from '../rule.js';
import type { State } from '../state.js';
import { bodyOf, creates, deletes, likeness, readOne, reverts, sets, stateUnknown } from './builders.js';
import { allSections } from './section-places.js';
import { defaultSiteSpace } from './sections.js';

/** The proxy as an update sets it: domain and subdirectory, without scheme (platform-facts, "Shapes"). */
export const proxy = (site: Resource) =>
  (site.proxy as { origin?: string } | undefined)?.origin?.replace(/^https?:\/\//, '').replace(/\/$/, '');

const siteFields = ['title', 'siteSpaces', 'visibility'];

const settings = sets(updateSite, { get: getSite, from: { proxy } });

/** The site itself does not show its defaults; its sections and spaces do. */
const siteChange: Rule = {
  ...settings,
  async read(reads, input) {
    const state = await settings.read?.(reads, input);
    return state ? { ...state, ...(await readDefaults(reads, input)) } : null;
  },
  back: siteBack,
};

export const sites: Rules = {
  [createSite.id]: creates({
    remove: deleteSite,
    left: siteFields,
    why: (input) =>
      typeof bodyOf(input).spaces === 'string' ? 'the space that was created with the site stays' : undefined,
    lookup: likeness(listSites, 'title'),
  }),
  [updateSite.id]: siteChange,
  [deleteSite.id]: deletes({
    read: readOne(getSite, siteFields),
    why: 'its address, sections and settings cannot be restored; its spaces stay',
    // How many spaces it has.
    passing: ['siteSpaces'],
  }),
  [setAdaptiveSchema.id]: reverts({
    ...sets(setAdaptiveSchema, { get: getAdaptiveSchema }),
    back({ jsonSchema }, { input }) {
      const why = 'there was no schema before, and the platform cannot delete one';
      if (!jsonSchema) return { undo: 'none', why };
      const request = requestFor(setAdaptiveSchema, input.path, { jsonSchema });
      return { request, expect: { jsonSchema: bodyOf(input).jsonSchema } };
    },
  }),
};

/** The defaults that a request changes: the default section, and the default space of the section that it makes the default. */
async function readDefaults(reads: Reads, input: LooseInput): Promise<State> {
  const { defaultSiteSection, defaultSiteSpace: space } = bodyOf(input);
  if (defaultSiteSection === undefined && space === undefined) return {};
  const sections = (await allSections(reads, input)) ?? [];
  const own = sections.find((section) => section.default === true);
  const meant = defaultSiteSection === undefined ? own : sections.find(({ id }) => id === defaultSiteSection);
  const shown =
    space !== undefined && (meant ? defaultSiteSpace(meant) : await readRootDefault(reads, input));
  return {
    ...(defaultSiteSection !== undefined && { defaultSiteSection: own?.id ?? null }),
    ...(space !== undefined && { defaultSiteSpace: shown ?? null }),
  };
}

async function readRootDefault(reads: Reads, { path }: LooseInput): Promise<unknown> {
  const spaces = await reads.all(listSiteSpaces, requestFor(listSiteSpaces, path).input);
  return spaces?.find((one) => one.default === true)?.id;
}

/** Where a request changes both defaults, the space belongs to the section that was not the default before. */
function siteBack(change: Change): WayBack | NoWayBack {
  const { input, before } = change;
  const back = settings.back?.(change) ?? stateUnknown;
  const { defaultSiteSection, defaultSiteSpace: space } = bodyOf(input);
  if (back.undo === 'none' || defaultSiteSection === undefined || space === undefined) return back;
  const { defaultSiteSpace: _, ...body } = bodyOf(back.request.input);
  const { defaultSiteSpace: __, ...expect } = back.expect ?? {};
  const path = { ...input.path, siteSectionId: String(defaultSiteSection) };
  const former = { defaultSiteSpace: before?.defaultSiteSpace };
  const own = { request: requestFor(updateSection, path, former), expect: { defaultSiteSpace: space } };
  const request = requestFor(updateSite, input.path, body);
  return { ...back, request, expect, ...(former.defaultSiteSpace ? { further: [own] } : {}) };
}
