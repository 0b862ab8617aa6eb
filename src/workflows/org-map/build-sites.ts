import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { defined } from '../../base/values.js';
import { topLevel } from '../../jobs/rules/section-places.js';
import type { GroupedSite } from '../../snapshot/organization.js';
import { latest, type MapNode } from './nodes.js';

/** A site with its section groups, sections and spaces, in the order of the platform. */
export function siteNode({ site, groups, sections, siteSpaces }: GroupedSite): MapNode {
  const { id, title, visibility, published } = site;
  const bySection = new Map(sections.map((section) => [section.id, section]));
  const sectionNode = (section: SiteSection) =>
    summedUp({
      ...{ kind: 'section', id: section.id, title: section.title, path: section.path },
      default: section.default === true,
      children: siteSpaces.filter((own) => own.section === section.id).map(siteSpaceNode),
    });
  const groupNode = (group: string) =>
    summedUp({
      ...{ kind: 'section-group', id: group, title: groups.find((one) => one.id === group)?.title ?? group },
      children: sections.filter(({ sectionGroup }) => sectionGroup === group).map(sectionNode),
    });
  const ordered = [...new Map(topLevel(sections).map((one) => [one.id, one])).values()];
  const inOrder = ordered.map(({ type, id: own }) => {
    const section = type === 'site-section' ? bySection.get(own) : undefined;
    return section === undefined ? groupNode(own) : sectionNode(section);
  });
  // The platform does not show where a group without sections stands.
  const ids = groups.map((group) => group.id);
  const empty = ids.filter((group) => !ordered.some((one) => one.id === group)).map(groupNode);
  const others = siteSpaces.filter(({ section }) => section === undefined || !bySection.has(section));
  const children = [...inOrder, ...empty, ...others.map(siteSpaceNode)];
  return summedUp({ kind: 'site', id, title, visibility, published, children });
}

function siteSpaceNode({ id, title, path, default: isDefault, space }: SiteSpace): MapNode {
  return {
    ...{ kind: 'site-space', id, title, path, default: isDefault === true },
    ...defined({ space: space?.id, updatedAt: space?.updatedAt }),
    children: [],
  };
}

/** With the number of its spaces, and when the last of them was updated. */
function summedUp(node: MapNode): MapNode {
  const counts = node.children.map(({ kind, spaces = 0 }) => (kind === 'site-space' ? 1 : spaces));
  const { children, ...own } = node;
  const sum = { spaces: counts.reduce((all, count) => all + count, 0), updatedAt: latest(children) };
  return { ...own, ...defined(sum), children };
}
