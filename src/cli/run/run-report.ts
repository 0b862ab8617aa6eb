import { type DocsError, sentences } from '../../base/errors.js';
import type { Diagram } from '../../document/diagram.js';
import type {
  Cell,
  Document,
  DocumentPart,
  Fact,
  Labelled,
  TerminalPart,
  TextPart,
} from '../../document/document.js';
import type { Page, View, Work } from '../../output/printer.js';
import { type Progress, showProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import { notAllRead, notReadLines, type Reading, type Unread, unreadFacts } from '../../snapshot/unread.js';
import type { GroupEntry, ManualInput, Option } from '../declare/command.js';
import { atPlace } from '../declare/global-flags.js';
import type { RunLine, Session } from '../declare/session.js';
import {
  asksForValue,
  outputFormat,
  pageColumnsOf,
  printDocument,
  wantsRows,
  wantsText,
  warnReader,
} from './output.js';
import { type Own, plainOwn } from './own.js';
import { type PagedText, printPieces } from './paged-text.js';
import { reportPage } from './report-page.js';
import type { Split } from './shards.js';

/**
 * A report: what it reads, the document that people get of it, its rows, and how it ends. Formats, columns, `--html`, the
 * reader who leaves, and the exit code are the same for all. `report()` declares its command.
 */

export { failsOnChange } from '../declare/flags.js';

/** The types that most reports need. */
export type {
  Cell,
  Document,
  DocumentPart,
  Fact,
  Labelled,
  ManualInput,
  Page,
  Reading,
  RunLine,
  Session,
  Unread,
  View,
  Work,
};

/** What a report has beside JSON and rows: forms of its document, each a value of `-o`; of `html` the flag. */
export type Medium = 'html' | 'markdown' | 'mermaid' | 'dot' | TextFormat;

/** Formats of other programs, which a report prints as its text. */
type TextFormat = 'sarif' | 'junit';

/** How a report is printed: as text for people, as one value, as rows, or as a diagram. */
export type ReportForm = 'text' | 'value' | 'rows' | Exclude<Medium, 'html' | TextFormat>;

/** What is asked of a report, of all or of one part. */
export interface ReportRequest extends Own, Reads {
  groups: readonly GroupEntry[];
  /** Runs another command line. */
  runLine: RunLine;
  /** The columns and fields that its declaration names. */
  view: View;
  form: ReportForm;
  /** Whether a page is written, too. */
  page: boolean;
}

/** How a report reads: its session, flags and part are those of the request. */
interface Reads {
  /**
   * How to read the organization, with answers held against what their operations declare. Connects at first use.
   * @param org default: the one that flags or settings name
   */
  reading(org?: string): Promise<Reading>;
  /** The same, with answers as they come. */
  rawReading(): Promise<Reading>;
  /** Shows on a terminal what is being read. @param total how many there are, if known */
  progress<T>(text: string, work: (progress: Progress) => Promise<T>, total?: number): Promise<T>;
}

function readsOf({ session, input }: Own): Reads {
  return {
    reading: async (org) => (await import('./reading-of.js')).checkedReadingOf(session, input, org),
    rawReading: async () => (await import('./reading-of.js')).readingOf(session, input),
    progress: (text, work, total) => showProgress(session, text, work, total),
  };
}

/** @typeParam V what is read, with what could not be read */
export interface Report<V = unknown> {
  /** How `--shard` and `--merge` split it. */
  split?(input: ManualInput): Split;
  /** Checks what was typed, and reads; of long lists only what comes before their rows. */
  read(asked: ReportRequest): Promise<V>;
  /** What people read, on a terminal and as Markdown. Without it they get rows, or a value. */
  document?(value: V, asked: ReportRequest): Document<TextPart> | Promise<Document<TextPart>>;
  /** What a terminal draws, where that is more than the document; without a document, what text has everywhere. */
  drawn?(value: V, asked: ReportRequest): Document<TerminalPart> | Promise<Document<TerminalPart>>;
  /** The same as a text, where no document says it; piece by piece where it is read so; undefined: the rows. */
  text?(value: V, asked: ReportRequest): Text | Promise<Text>;
  /** Its Markdown, where that is not the document's. */
  markdown?(value: V, asked: ReportRequest): string | Promise<string>;
  /** What `--html` writes, once everything is printed; default: the document. */
  page?(value: V, asked: ReportRequest): Document<DocumentPart> | Promise<Document<DocumentPart>>;
  diagram?(value: V): Diagram | Promise<Diagram>;
  /** Rows; of long lists page by page, as they are read. */
  rows?(value: V, asked: ReportRequest): Rows | Promise<Rows>;
  /** What a row is, for the head of its page; default: `row`. */
  one?: string;
  /** Of rows; default: that of the declaration. */
  rowView?: View | ((asked: ReportRequest) => View);
  /** What JSON, YAML and jq get, where that is not the rows. */
  value?(value: V): unknown;
  /** Of the value: `--fields` names fields in it, where it would else ask for rows. Default without rows: as declared. */
  valueView?: View | ((asked: ReportRequest) => View);
  /** Whether a pipe gets the text, too, unless another format is asked for. */
  isTextInPipes?: true;
  /** Where the form does not follow from the above alone. */
  formOf?(session: Session, input: ManualInput): ReportForm;
  /** What is good to know of what was printed; not with `--quiet`. */
  notes?(value: V, asked: ReportRequest): readonly string[];
  /** What is to be said once all is printed, and the page is written. */
  end?(
    value: V,
    asked: ReportRequest & { listed: Listed },
  ): ReportEnding | undefined | Promise<ReportEnding | undefined>;
}

/** How much of a list was printed. */
interface Listed {
  printed: number;
  /** Whether `--limit` cut it, which was said. */
  cut: boolean;
  /** Whether the reader left the pager before the end; nothing more was read then. */
  left?: boolean;
}

type Text = string | AsyncIterable<string> | PagedText | undefined;

function isPaged(text: Text): text is PagedText {
  return typeof text === 'object' && 'paged' in text;
}

export type Rows = RowList['items'] | RowList;

/** Rows, and how they are listed. */
interface RowList {
  /** All at once, or page by page as they come. */
  items: readonly unknown[] | AsyncIterable<Page>;
  /** That of the rows, where it depends on what was read. */
  view?: View;
  limit?: number;
  work?: Work;
  /** What a table has above it, as one. */
  head?: { value: object; view: View };
}

/** How a report ends: a line each on standard error, then a sentence, or why it failed. */
export interface ReportEnding {
  /** What was not read, and what to know; not with JSON, where the failure has it. */
  warnings?: readonly string[];
  /** Said unless it fails. */
  note?: string;
  /** Findings (exit 17), or what was not read (exit 3). */
  failure?: DocsError;
}

/**
 * What was not read, a line each, and the failure: partial `not_all_read`.
 * @param sum what was found, as a sentence @returns undefined where all was read
 */
export function unreadEnding(unread: readonly Unread[], sum: string, hint: string): ReportEnding | undefined {
  return unread.length === 0
    ? undefined
    : partialEnding(unread, sentences(sum, `Not read: ${unread.length}`), { hint });
}

interface PartialFacts extends Omit<Parameters<typeof notAllRead>[1], 'unread' | 'details'> {
  /** Default: a line for each that was not read. */
  warnings?: readonly string[];
  /** What JSON has of the failure, before what was not read. */
  details?: Record<string, unknown>;
}

/** The same in the report's own words. */
export function partialEnding(
  unread: readonly Unread[],
  message: string,
  { warnings = notReadLines(unread), details, ...facts }: PartialFacts = {},
): Required<Pick<ReportEnding, 'warnings' | 'failure'>> {
  const all = { ...details, unread: unread.map(unreadFacts) };
  return { warnings, failure: notAllRead(message, { unread, details: all, ...facts }) };
}

/** What its declaration says of the media of a report. */
interface Declared {
  /** What the command is for: the title of a page that has none. */
  summary: string;
  media: readonly string[];
  options: readonly Partial<Option>[];
}

/** What was typed, and what the declaration names. */
type Typed = Pick<ReportRequest, 'session' | 'input' | 'groups' | 'view' | 'runLine'>;

/**
 * Reads, prints in the form that is asked for, writes the page, and ends with a note or with what was found.
 * @throws DocsError as the report, as `reportPage`, `withShards` and the printer; its failure once all is printed
 */
export async function runReport<V>(
  report: Report<V>,
  typed: Typed,
  declared: Declared = { summary: '', media: [], options: [] },
): Promise<void> {
  const { session, input, ...around } = typed;
  const runOwn = (own: Own) => run(report, { ...own, ...around }, declared);
  if (report.split === undefined) return runOwn(plainOwn(session, input));
  const { withShards } = await import('./shards.js');
  await withShards(session, input, report.split(input), runOwn);
}

async function run<V>(
  report: Report<V>,
  asking: Omit<ReportRequest, 'form' | 'page' | keyof Reads>,
  declared: Declared,
): Promise<void> {
  const { session, input } = asking;
  const { printer } = session;
  const { media, options } = declared;
  const form = report.formOf?.(session, input) ?? formOf(session, report, media);
  const page = await reportPage(session, input, filesOf(options));
  const asked: ReportRequest = { ...asking, ...readsOf(asking), form, page: page !== undefined };
  await printer.check(checkedView(report, asked));
  const value = await report.read(asked);
  const text = form === 'text' ? await report.text?.(value, asked) : undefined;
  const isList = form === 'rows' || (form === 'text' && report.text !== undefined && text === undefined);
  const kept: unknown[] = [];
  const listing = isList ? await report.rows?.(value, asked) : undefined;
  const keeps = page !== undefined && (report.page ?? report.document) === undefined;
  const rows = keeps && listing !== undefined ? await keeping(listOf(listing), kept) : listing;
  const write = async (ending: ReportEnding = {}) => {
    if (page === undefined) return;
    const document = await pageOf(report, { value, asked, kept, declared, ending });
    await page.write({ ...placed(document, session), title: document.title || declared.summary });
  };
  const print = async (): Promise<Listed> => {
    if (rows !== undefined) return printRows(rows, report, asked);
    if (isPaged(text)) return { printed: 1, cut: false, left: await printPieces(session, text) };
    if (text === undefined) await printWhole(report, value, asked, media);
    else for await (const piece of typeof text === 'string' ? [text] : text) await printer.text(piece);
    return { printed: 1, cut: false };
  };
  const isRead =
    rows === undefined
      ? typeof text !== 'object' || (isPaged(text) && Array.isArray(text.items))
      : Array.isArray(listOf(rows).items);
  const listed = await print().catch(async (cause: unknown) => {
    // What was read in full makes a page, even if the reader of the output has left.
    if (isRead) await write();
    else page?.left(cause);
    throw cause;
  });
  for (const line of report.notes?.(value, asked) ?? []) printer.note(line);
  const ending = (await report.end?.(value, { ...asked, listed })) ?? {};
  await write(ending);
  const { warnings = [], note, failure } = ending;
  warnReader(session, warnings);
  if (failure !== undefined) throw failure;
  if (note !== undefined) printer.note(note);
}

/** With the flags that its commands need to be typed after this one. */
function placed<P extends DocumentPart>(document: Document<P>, { globals, io }: Session): Document<P> {
  const needs = document.needs?.map(({ command, ...need }) => ({
    ...need,
    command: command && atPlace(command, globals, io.platform),
  }));
  return { ...document, needs };
}

/** The rows of a list, kept for its page as they are printed. */
async function keeping(list: RowList, kept: unknown[]): Promise<RowList> {
  const { keptItems } = await import('./rows-page.js');
  return { ...list, items: keptItems(list.items, kept) };
}

/** The looks of pages, for a report that writes its own. */
export async function reportStyle(): Promise<string> {
  return (await (await import('../../reports/client-code.js')).clientCode()).style;
}

/** The form that format, flags and terminal ask for. */
function formOf<V>(session: Session, report: Report<V>, media: readonly string[]): ReportForm {
  const { settings, globals } = session;
  const format = outputFormat(session);
  if (media.includes(format)) return format as ReportForm;
  const isPlain = globals.jq === undefined;
  const hasRows = report.rows !== undefined;
  const asksForFields = settings.fields?.source === 'flag' && report.valueView === undefined;
  if (hasRows && isPlain && asksForFields) return 'rows';
  if (report.value !== undefined && asksForValue(session)) return 'value';
  const isText = report.isTextInPipes === true ? !wantsRows(session) : wantsText(session);
  if ((report.document ?? report.drawn ?? report.text) !== undefined && isText) return 'text';
  return hasRows ? 'rows' : 'value';
}

/** Flags that name a file to write, which the page must not replace. */
function filesOf(options: Declared['options']): string[] {
  return options.flatMap(({ name = '', path }) =>
    path?.use === 'writes' && !['html', 'out'].includes(name) ? [name] : [],
  );
}

function checkedView<V>(report: Report<V>, asked: ReportRequest): View {
  const view = valueViewOf(report, asked);
  if (asked.form === 'value' && view !== undefined) return view;
  const rowView = rowViewOf(report, asked);
  // A value and a text have whatever fields they have.
  return asked.form === 'rows' || view !== undefined || report.value === undefined
    ? rowView
    : { ...rowView, open: [''] };
}

function valueViewOf<V>({ valueView, rows }: Report<V>, asked: ReportRequest): View | undefined {
  if (typeof valueView === 'function') return valueView(asked);
  return valueView ?? (rows === undefined ? asked.view : undefined);
}

function rowViewOf<V>({ rowView }: Report<V>, asked: ReportRequest): View {
  return typeof rowView === 'function' ? rowView(asked) : (rowView ?? asked.view);
}

interface ToPage<V> {
  value: V;
  asked: ReportRequest;
  /** The rows that were printed; none where a value was. */
  kept: readonly unknown[];
  declared: Declared;
  /** How the report ends: what it comes to. */
  ending: ReportEnding;
}

/** The page of a report: its own, its document, or its rows. */
async function pageOf<V>(report: Report<V>, page: ToPage<V>): Promise<Document<DocumentPart>> {
  const { value, asked, declared, ending } = page;
  if (report.page !== undefined) return report.page(value, asked);
  const { answered } = await import('./rows-page.js');
  const head = answered(ending, asked.session);
  if (report.document !== undefined) return { ...head, ...(await report.document(value, asked)) };
  const view =
    report.rows === undefined ? (valueViewOf(report, asked) ?? asked.view) : rowViewOf(report, asked);
  const items = await itemsOf(report, page);
  const headline = counted(items.length, report.one ?? 'row');
  const part = (await import('../../reports/rows-part.js')).rowsPart(declared.summary, items, view);
  return { headline, ...head, title: part.title, parts: [part] };
}

/** The rows, read where something else was printed; without rows the value. */
async function itemsOf<V>(report: Report<V>, { value, asked, kept }: ToPage<V>): Promise<readonly unknown[]> {
  if (kept.length > 0) return kept;
  if (report.rows === undefined) return [report.value === undefined ? value : report.value(value)].flat();
  const { items } = listOf(await report.rows(value, asked));
  if (!(Symbol.asyncIterator in items)) return items;
  const all: unknown[] = [];
  for await (const page of items) all.push(...page.items);
  return all;
}

async function documentOf<V>(report: Report<V>, value: V, asked: ReportRequest) {
  const document = await report.document?.(value, asked);
  if (document === undefined) throw new Error('The report has no document.');
  return document;
}

async function printRows<V>(rows: Rows, report: Report<V>, asked: ReportRequest) {
  const { items, view = rowViewOf(report, asked), limit, work, head } = listOf(rows);
  const { printer } = asked.session;
  if (head !== undefined && outputFormat(asked.session) === 'table') {
    await printer.one(head.value, head.view);
    await printer.text('\n');
  }
  return printer.list(items, view, { limit, work });
}

function listOf(rows: Rows): RowList {
  return 'items' in rows ? rows : { items: rows };
}

/** What `--jq` and the formats of values get where no view says how fields are chosen. */
const whole: View = { columns: [], fields: [] };

async function printWhole<V>(
  report: Report<V>,
  value: V,
  asked: ReportRequest,
  media: readonly string[],
): Promise<void> {
  const { session, form } = asked;
  const { printer } = session;
  switch (form) {
    case 'value': {
      const shown = report.value === undefined ? value : report.value(value);
      const view = valueViewOf(report, asked);
      return view === undefined ? printer.whole().one(shown, whole) : printer.one(shown, view);
    }
    case 'markdown': {
      if (report.markdown !== undefined) return printer.text(await report.markdown(value, asked));
      const { renderMarkdown } = await import('../../document/markdown.js');
      return printer.text(renderMarkdown(await documentOf(report, value, asked)));
    }
    case 'mermaid':
    case 'dot': {
      const { renderDot, renderMermaid } = await import('../../document/diagram.js');
      const diagram = await report.diagram?.(value);
      const draw = form === 'dot' ? renderDot : renderMermaid;
      return printer.text(diagram === undefined ? '' : [...draw(diagram)].join(''));
    }
    default: {
      const columns = report.isTextInPipes ? Math.max(leastColumns, pageColumnsOf(session)) : undefined;
      const isDrawn = session.io.stdout.isTTY === true || report.document === undefined;
      const document =
        (isDrawn && (await report.drawn?.(value, asked))) || (await documentOf(report, value, asked));
      await printDocument(session, placed(document, session), {
        columns,
        nowMs: session.nowMs(),
        seeAll: seeAll(media),
      });
    }
  }
}

/** Columns that a text has at least, however narrow the window. */
const leastColumns = 40;

/** Says what shows the rows that a terminal leaves out. */
function seeAll(media: readonly string[]): string {
  const formats = media.map((medium) => (medium === 'html' ? '--out page.html' : `-o ${medium}`));
  return `To see all, add ${['-o csv', ...formats].join(', ')} or --json.`;
}
