import { getPublishedSite, type PublishedSite } from '../../api/resources/published-sites.js';
import { handle } from '../handle.js';
import { toSite } from '../records/site.js';
import { defaultSiteSpaceOf, type Structure, toSection, toSiteSpace } from '../records/site-structure.js';
import { refusal } from '../refusal.js';
import { currentStructure } from '../sites/site-changes.js';

export const handlers = [
  /** Without the key of a share link, the site is shown without its published URL. */
  handle(getPublishedSite, (call) => {
    const structure = currentStructure(call);
    const { site, base } = structure;
    if (site.published === 0) throw refusal(404, `Site ${site.id} is not published.`);
    return {
      object: 'published-content-site',
      site: toSite(site, base),
      structure: shownStructure(structure),
      customizations: { site: customization(site.title) },
    };
  }),
];

/** The structure that visitors see, without sections whose spaces are all deleted. */
function shownStructure(structure: Structure): PublishedSite['structure'] {
  const { sections, siteSpaces } = structure;
  if (sections.length === 0) {
    const shown = defaultSiteSpaceOf(structure);
    return { type: 'siteSpaces', structure: siteSpaces.map((row) => toSiteSpace(structure, row, shown)) };
  }
  const filled = sections.filter(({ id }) => siteSpaces.some(({ section_id }) => section_id === id));
  return { type: 'sections', structure: filled.map((row) => toSection(structure, row)) };
}

const same = (color: string) => ({ light: color, dark: color });

/** The default appearance of a site; no operation of the platform changes it. */
function customization(title: string): PublishedSite['customizations']['site'] {
  return {
    title,
    styling: {
      theme: 'clean',
      primaryColor: same('#346DDB'),
      infoColor: same('#787878'),
      successColor: same('#00C950'),
      warningColor: same('#FE9A00'),
      dangerColor: same('#FB2C36'),
      tint: { color: same('#787878') },
      corners: 'rounded',
      links: 'default',
      font: 'Inter',
      icons: 'regular',
      sidebar: { background: 'default', list: 'default' },
      search: 'prominent',
    },
    internationalization: { locale: 'en' },
    favicon: {},
  };
}
