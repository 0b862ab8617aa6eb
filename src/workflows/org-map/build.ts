import { roles } from '../../api/shapes.js';
import { countsOf } from '../overview/counts.js';
import { siteNode } from './build-sites.js';
import { spaceNodes } from './build-spaces.js';
import type { Found } from './found.js';
import { byTitle, type MapFacts, type MapNode, type MapPart, mapParts, partTitles } from './nodes.js';

/**
 * The tree of what was read. Its order depends on nothing but the organization: collections and what is on a site as
 * the platform has them, the rest by title.
 */
export function mapOf(found: Found, parts: ReadonlySet<MapPart>): MapNode {
  const { organization, organizationId: id } = found;
  const unread = new Set(found.missing.flatMap(({ node }) => node ?? []));
  const lacking = new Set(found.missing.flatMap((one) => one.parts));
  const shown = mapParts.filter((part) => parts.has(part));
  return {
    kind: 'organization',
    id,
    title: organization?.title ?? id,
    ...unreadIf(organization === undefined),
    children: shown.map((part) => partNode(part, found, unread, lacking.has(part))),
  };
}

function partNode(part: MapPart, found: Found, unread: ReadonlySet<string>, isLacking: boolean): MapNode {
  const { nodes, total } = insides[part](found);
  for (const node of all(nodes)) if (unread.has(node.id)) node.unread = true;
  return {
    kind: 'part',
    id: part,
    title: partTitles[part],
    // Of nothing found nothing is known, where not all was read.
    ...(total === 0 && isLacking ? {} : { total }),
    ...unreadIf(isLacking),
    children: nodes,
  };
}

function unreadIf(isUnread: boolean): Pick<MapFacts, 'unread'> {
  return isUnread ? { unread: true } : {};
}

function* all(nodes: readonly MapNode[]): Generator<MapNode> {
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const child of node.children) waiting.push(child);
  }
}

/** What stands in each part, and how many things it has. */
const insides: Readonly<Record<MapPart, (found: Found) => { nodes: MapNode[]; total: number }>> = {
  spaces: (found) => ({ nodes: spaceNodes(found), total: found.spaces.size }),
  sites: ({ sites }) => ({ nodes: [...sites.values()].map(siteNode), total: sites.size }),
  teams({ teams }) {
    const nodes = [...teams.values()].map(({ id, title, members, spaces }) => ({
      ...{ kind: 'team' as const, id, title, members, spaces, children: [] },
    }));
    return { nodes: nodes.sort(byTitle), total: teams.size };
  },
  people({ people }) {
    const counts = countsOf(
      [...people.values()].map(({ role }) => role),
      [...roles, 'guest'],
    );
    const nodes = Object.entries(counts).map(([role, members]) => ({
      ...{ kind: 'role' as const, id: role, title: role, members, children: [] },
    }));
    return { nodes, total: people.size };
  },
  openapi({ specs }) {
    const nodes = [...specs.values()].map((spec): MapNode => {
      const { id, slug: title, updatedAt, processingState, lastProcessErrorCode } = spec;
      return {
        kind: 'openapi',
        id,
        title,
        state: lastProcessErrorCode ?? processingState,
        updatedAt,
        children: [],
      };
    });
    return { nodes: nodes.sort(byTitle), total: specs.size };
  },
  saml({ providers }) {
    const nodes = [...providers.values()].map(
      ({ id, label }): MapNode => ({ kind: 'saml', id, title: label, children: [] }),
    );
    return { nodes: nodes.sort(byTitle), total: providers.size };
  },
};
