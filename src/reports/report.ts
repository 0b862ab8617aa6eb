/**
 * What a report says, before it is drawn: every text is data, never HTML. `writeReport` makes one page of it, which
 * loads nothing and runs from disk.
 */
export interface Report {
  /** `Access matrix of Acme Docs`. */
  title: string;
  /** Sentences below the title: what was read. */
  about: readonly string[];
  /** Sentences on what could not be read: the page warns of them above all else. */
  missing?: readonly string[];
  /** Label and value, such as the organization, the address of the platform, and when it was read. */
  facts: readonly (readonly [label: string, value: string])[];
  /** In the order in which they are read. */
  parts: readonly Part[];
}

export type Part = TablePart | TreePart | HeatPart | GraphPart | ChangesPart;

interface Titled {
  title: string;
  /** A sentence below the title. */
  note?: string;
}

/** How a value is written, sorted and aligned. Times are ISO texts. */
export type ColumnKind = 'text' | 'count' | 'bytes' | 'time' | 'role' | 'state' | 'yesno' | 'id';

export interface ReportColumn {
  label: string;
  as: ColumnKind;
}

/** Lists are shown as lines of one cell; null is an empty cell. */
export type Cell = string | number | boolean | null | readonly string[];

/** A table that can be sorted and filtered. */
export interface TablePart extends Titled {
  kind: 'table';
  columns: readonly ReportColumn[];
  rows: readonly (readonly Cell[])[];
  /** Said where there are no rows. */
  empty: string;
}

export interface TreeNode {
  label: string;
  /** `space`, `collection`, `site`, `section`, … */
  as: string;
  /** Short facts behind the label, such as `12 pages` or `private`. */
  facts?: readonly string[];
  /** When it was last changed, as an ISO text: its age is shown. */
  at?: string;
  children?: readonly TreeNode[];
}

export interface TreePart extends Titled {
  kind: 'tree';
  root: TreeNode;
}

/** People by spaces: a colour for each pair, the reason on hover and focus. */
export interface HeatPart extends Titled {
  kind: 'heat';
  /** What rows and columns are: `Person`, `Space`. */
  axes: readonly [row: string, column: string];
  rows: readonly { label: string; detail?: string }[];
  columns: readonly { label: string; detail?: string }[];
  /** Names of the values, the weakest first; the first is `none`. */
  levels: readonly string[];
  /** How many levels behind the first are no values, such as `unknown`; they stand apart from the shades. Default: 0. */
  aside?: number;
  /** Sentences that say why, each once; the first is empty. */
  reasons: readonly string[];
  /** A row after the other: the index of a level in each byte. */
  cells: Uint8Array;
  /** As `cells`: the index of a reason. */
  why: Uint16Array;
}

/** What points at what. Edges are by index of the nodes; nodes that are `missing` are drawn in red. */
export interface GraphPart extends Titled {
  kind: 'graph';
  nodes: readonly { label: string; as: string; detail?: string }[];
  edges: readonly { from: number; to: number; count: number; broken: number; detail?: string }[];
}

/** Before and after, field by field. */
export interface ChangesPart extends Titled {
  kind: 'changes';
  items: readonly ChangedItem[];
  empty: string;
}

export interface ChangedItem {
  /** `create`, `change`, `delete`, `move`, … */
  action: string;
  /** What kind of thing: `space`, `team`. */
  as: string;
  title: string;
  id?: string;
  /** Why, or what to know: a sentence each. */
  notes?: readonly string[];
  fields: readonly { name: string; before: Cell; after: Cell }[];
}
