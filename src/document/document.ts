import { defined } from '../base/values.js';

/**
 * What a command says, before it is drawn: every text is data, neither HTML nor Markdown, and not sanitised. Each medium
 * is one renderer: `renderTerminal`, `renderMarkdown`, and `writeReport` for a page that runs from disk.
 */
export interface Document<P extends DocumentPart = PagePart> {
  /** `Access matrix of Acme Docs`; empty where what follows speaks for itself. */
  title: string;
  /** The answer, with its numbers: `23 changes to Acme Docs, 4 to look at`. Default: the title. */
  headline?: string | undefined;
  /** What asks for its reader, in any order; undefined where a document asks nothing of anyone. */
  needs?: readonly Need[] | undefined;
  /** Sentences below the title: what was read. */
  about?: readonly string[];
  /** Sentences on what could not be read: the page warns of them above all else. */
  missing?: readonly string[];
  /** Label and value, such as the organization, the address of the platform, and when it was read. */
  facts?: readonly Labelled[];
  /** In the order in which they are read. */
  parts: readonly P[];
  /** What a terminal ends with, since the headline has scrolled away. */
  sum?: string | undefined;
}

/** How much something asks for its reader: what cannot be undone first, then access that widens. */
export const severities = ['irreversible', 'widening', 'attention'] as const;
export type Severity = (typeof severities)[number];

/** What a severity is called: colour alone says nothing. */
export const severityWords: Readonly<Record<Severity, string>> = {
  irreversible: 'Cannot be undone',
  widening: 'Widens access',
  attention: 'Look at this',
};

/** A line that asks for its reader. */
export interface Need {
  severity: Severity;
  text: string;
  /** What mends it, or shows more. */
  command?: string | undefined;
  /** Title of the part that it is about. */
  part?: string | undefined;
}

/** So many needs are shown; more of them would hide each other. */
export const mostNeeds = 7;

/** The gravest first; equally grave ones stay in their order. */
export function inOrder(needs: readonly Need[]): Need[] {
  const rank = ({ severity }: Need) => severities.indexOf(severity);
  return [...needs].sort((one, other) => rank(one) - rank(other));
}

/** A label and its value. */
export type Labelled = readonly [label: string, value: string];

export type DocumentPart = PagePart | FactsPart;
/** Those that terminals and Markdown draw. */
export type TextPart = TablePart | TreePart | FactsPart;
/** Those that terminals draw: all but the graph, which has no form in lines. */
export type TerminalPart = Exclude<DocumentPart, GraphPart>;
/** Those that pages draw; facts stand at their head. */
export type PagePart =
  | TablePart
  | TreePart
  | HeatPart
  | GraphPart
  | ChangesPart
  | BarPart
  | TilesPart
  | LadderPart;

interface Titled {
  title: string;
  /** A sentence below the title. */
  note?: string;
}

/** How a value is written, sorted and aligned. Times are ISO texts. */
export type ColumnKind = 'text' | 'count' | 'bytes' | 'time' | 'role' | 'state' | 'flags' | 'yesno' | 'id';

export interface ReportColumn {
  label: string;
  as: ColumnKind;
}

/** Lists are shown as lines of one cell; null is an empty cell. */
export type Cell = string | number | boolean | null | readonly string[];

/** A cell on one line. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return typeof cell === 'object' ? cell.join(', ') : String(cell);
}

/** A table that can be sorted and filtered. */
export interface TablePart extends Titled {
  kind: 'table';
  columns: readonly ReportColumn[];
  rows: readonly (readonly Cell[])[];
  /** Said where there are no rows. */
  empty: string;
  /** What is decided of each row, in the page; the file with the decisions is saved by the browser. */
  decisions?: Decisions | undefined;
  /** What a row is beside its cells; by index. */
  marks?: readonly (RowMark | undefined)[] | undefined;
  /** Whether the first column leads to the second: a terminal shows it by an arrow. */
  leads?: true;
}

/** What a reader decides of rows, and the CSV that it becomes. */
export interface Decisions {
  /** Such as `keep`; each has a key: its first letter. */
  choices: readonly string[];
  /** Name of the file that is saved. */
  file: string;
  /** Columns of the file by label, with their names in it; `decision` comes behind them. */
  columns: readonly (readonly [label: string, name: string])[];
  /** What is done with the file. */
  command: string;
}

export interface RowMark {
  severity?: Severity | undefined;
  /** What mends it. */
  command?: string | undefined;
  /** What it is based on, a sentence each: shown when the row is opened. */
  evidence?: readonly string[] | undefined;
}

/** Kinds by label, in order. */
export type Columns = Readonly<Record<string, ColumnKind>>;

export function tablePart(
  title: string,
  columns: Columns,
  {
    rows,
    empty,
    note,
    ...more
  }: Pick<TablePart, 'rows' | 'empty' | 'marks' | 'decisions'> & { note?: string | undefined },
): TablePart {
  const named = Object.entries(columns).map(([label, as]) => ({ label, as }));
  return defined({ kind: 'table' as const, title, columns: named, rows, empty, note, ...more });
}

/** Facts of different kinds, one below the other. */
export interface FactsPart {
  kind: 'facts';
  items: readonly Fact[];
}

export interface Fact {
  label: string;
  value: string;
  /** What stands beside it, such as a command that shows more. */
  beside?: string;
  tone?: 'good' | 'bad' | 'warn' | 'quiet';
}

/** Shares of a whole. */
export interface BarPart extends Titled {
  kind: 'bar';
  /** `tone` is a class of the style sheet. */
  segments: readonly { label: string; count: number; tone: string }[];
}

/** Numbers to see at once. */
export interface TilesPart extends Titled {
  kind: 'tiles';
  /** Whether one leads to the next: a thing, and what its change reaches. */
  leads?: true;
  tiles: readonly Pick<Fact, 'label' | 'value' | 'tone'>[];
}

/** How a value comes about: who says what, in the order of precedence, and what comes of it. */
export interface LadderPart extends Titled {
  kind: 'ladder';
  steps: readonly LadderStep[];
  verdict: string;
}

export interface LadderStep {
  name: string;
  /** What it says. */
  value: string;
  why: string;
  /** Whether it is the one that counts. */
  decides: boolean;
}

export interface TreeNode {
  label: string;
  /** `space`, `collection`, `site`, `section`, … */
  as: string;
  /** Short facts behind the label, such as `12 pages` or `private`. */
  facts?: readonly string[];
  /** When it was last changed, as an ISO text: its age is shown. */
  at?: string;
  /** What stands before the facts on a terminal, which does not show `as`. */
  lead?: string;
  /** Whether it is a heading of what is in it. */
  isHeading?: boolean;
  /** A remark behind the facts, such as that it was not read in full. */
  remark?: string;
  children?: readonly TreeNode[];
}

export interface TreePart extends Titled {
  kind: 'tree';
  root: TreeNode;
}

/** People by spaces: a level for each pair. */
export interface HeatPart extends Titled {
  kind: 'heat';
  /** What rows and columns are: `Person`, `Space`. */
  axes: readonly [row: string, column: string];
  rows: readonly HeatLine[];
  columns: readonly HeatLine[];
  /** Names of the values, the weakest first; the first is `none`. */
  levels: readonly string[];
  /** How many levels behind the first stand for a missing value, such as `unknown`; they have no shade. Default: 0. */
  aside?: number;
  /** Sentences that say why, each once; the first is empty. */
  reasons: readonly string[];
  /** A row after the other: the index of a level in each byte. */
  cells: Uint8Array;
  /** As `cells`: the index of a reason. */
  why: Uint16Array;
  /** Indexes of the reasons that no group explains, such as a grant. */
  apart?: readonly number[];
}

/** A row or a column. */
export interface HeatLine {
  label: string;
  detail?: string;
  /** What it is one of, such as the organization role or the collection: lines of a group are shown as one where they can be. */
  group?: string;
}

/** What points at what. Edges are by index of the nodes; nodes that are `missing` are drawn in red. */
export interface GraphPart extends Titled {
  kind: 'graph';
  nodes: readonly { label: string; as: string; detail?: string; group?: string }[];
  edges: readonly { from: number; to: number; count: number; broken: number; detail?: string }[];
}

/** Before and after, field by field. */
export interface ChangesPart extends Titled {
  kind: 'changes';
  items: readonly ChangedItem[];
  empty: string;
  /** Whether a page lists the things in a tree beside their changes. */
  isTree?: true;
}

export interface ChangedItem {
  /** `create`, `change`, `delete`, `move`, … */
  action: string;
  /** What kind of thing: `space`, `team`. */
  as: string;
  title: string;
  /** What it is in, such as its space. */
  place?: string | undefined;
  id?: string;
  severity?: Severity | undefined;
  /** Why, or what to know: a sentence each. */
  notes?: readonly string[];
  fields: readonly { name: string; before: Cell; after: Cell }[];
}
