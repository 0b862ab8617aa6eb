import type { Site } from '../api/resources/sites.js';

/** The tree of a site: section groups, sections and site spaces, each in the order of the platform. */

export const nodeKinds = ['group', 'section', 'space'] as const;
export type NodeKind = (typeof nodeKinds)[number];

export interface TreeNode {
  kind: NodeKind;
  /** Of a space its id on the site: that of the site space. */
  id: string;
  /** The id of the space; absent where the token cannot see it. */
  space?: string;
  title: string;
  /** Groups have none. */
  path?: string;
  /** Whether the site, or its section, opens with it. */
  isDefault: boolean;
  /** Where readers find it; absent while the site is not published. */
  url?: string;
  children: readonly TreeNode[];
}

export interface SiteTree {
  site: Site;
  /** A group without sections comes last: the platform does not show where it stands. */
  nodes: readonly TreeNode[];
}

/** A node in a text. */
export interface TreeLine {
  /** From 1. */
  line: number;
  kind: NodeKind;
  /** Absent where it is new; of a space that of the space, or with `isSiteSpace` of the site space. */
  id?: string;
  isSiteSpace?: true;
  title?: string;
  path?: string;
  isDefault: boolean;
  parent?: TreeLine;
  children: TreeLine[];
}

/** What is wrong with a text, at a line of it. */
export interface Fault {
  line: number;
  message: string;
}

/** A node, and everything below it. */
export function* flattened<T extends { children: readonly T[] }>(nodes: readonly T[]): Generator<T> {
  for (const node of nodes) {
    yield node;
    yield* flattened(node.children);
  }
}
