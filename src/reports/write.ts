import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { localIoError, systemCode, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { mapStrings, redactText } from '../base/redaction.js';
import { defined } from '../base/values.js';
import { version } from '../base/version.js';
import type { Document, DocumentPart, HeatPart, Labelled, PagePart, TreeNode } from '../document/document.js';
import { escapeHtml, htmlLine } from '../document/html.js';
import { writeAskedFile } from '../files/asked-file.js';
import { byteSize, safeText, toTheMinute } from '../output/text.js';
import { type ClientCode, clientCode } from './client-code.js';
import type { Packed, PackedPart } from './packed.js';

/** Where a report goes. */
export interface ReportFile {
  /** As typed. */
  name: string;
  /** Absolute. */
  path: string;
}

/**
 * Checks the value of `--html`, before anything is read or changed: a report may be written there if there is no
 * file, an empty one, or another report.
 * @param typed the value of the flag
 * @param cwd the folder that it is relative to
 * @throws DocsError usage `bad_value`, `file_exists`; local-io if there is no such folder, or it cannot be read
 */
export async function reportFile(typed: string, cwd: string, flag = '--html'): Promise<ReportFile> {
  if (typed === '' || typed === '-')
    throw usageError('bad_value', `${flag} must be the path of a file, not ${JSON.stringify(typed)}`);
  const file = { name: typed, path: resolve(cwd, typed) };
  const folder = await found(dirname(file.path));
  if (!folder?.isDirectory()) throw localIoError(systemError('ENOENT'), `cannot write ${typed}`);
  await refuseOther(file);
  return file;
}

/**
 * Writes a report as one page that loads nothing (`pageOf`), readable by its owner only; all of it or nothing.
 * @param file from `reportFile`; it is checked again, since reading takes its time
 * @returns what to tell on standard error: `Wrote access.html (1.2 MB).`
 * @throws DocsError usage `file_exists`; local-io `disk_full`, `permission_denied`, …
 */
export async function writeReport(
  io: Pick<Io, 'now' | 'own'>,
  file: ReportFile,
  report: Document<DocumentPart>,
): Promise<string> {
  const page = Buffer.from(await pageOf(report, await clientCode(), io.now()));
  await refuseOther(file);
  await writeAskedFile(io, file.path, page);
  return `Wrote ${file.name} (${byteSize(page.length)}).`;
}

/** Refuses to replace what is not a report. */
async function refuseOther({ name, path }: ReportFile): Promise<void> {
  const there = await found(path);
  if (there === undefined) return;
  if (there.isDirectory()) throw localIoError(systemError('EISDIR'), `cannot write ${name}`);
  if (there.isFile() && (there.size === 0 || (await beginsAsReport(path)))) return;
  const message = `${name} already exists and is not a report of docs; nothing was written. Choose another name.`;
  throw usageError('file_exists', message);
}

async function beginsAsReport(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(mark.length), 0);
      return buffer.toString('latin1', 0, bytesRead) === mark;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw localIoError(error, `cannot read ${path}`);
  }
}

async function found(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw localIoError(error, `cannot read ${path}`);
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** What every report begins with, by which a later one knows that it may replace the file. */
export const mark = '<!doctype html><!-- docs report ';

/**
 * A report as one page, which loads nothing: title and facts as HTML, the parts as data that the script shows.
 * @param madeAt in milliseconds since the epoch
 */
export async function pageOf(
  report: Document<DocumentPart>,
  { script, style }: ClientCode,
  madeAt: number,
): Promise<string> {
  const { title, about = [], missing = [], facts: head = [], parts } = cleaned(report);
  const data = await packed(parts.filter(isDrawn), madeAt);
  const facts = [...head, ...parts.flatMap(factsOf)];
  return [
    `${mark}1 -->`,
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyFor(script, style)}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${htmlLine(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<header>',
    `<h1 dir="auto">${htmlLine(title)}</h1>`,
    ...missingLines(missing),
    ...about.map((sentence) => `<p dir="auto">${htmlLine(sentence)}</p>`),
    ...factLines(facts),
    '</header>',
    '<main id="report">',
    '<noscript><p class="warning">The tables and maps of this report need JavaScript, which is off here.</p></noscript>',
    '</main>',
    `<footer><p>Made ${toTheMinute(madeAt)} by docs ${escapeHtml(version)}.</p></footer>`,
    `<script type="text/plain" id="data">${data}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function isDrawn(part: DocumentPart): part is PagePart {
  return part.kind !== 'facts';
}

function factsOf(part: DocumentPart): readonly Labelled[] {
  return part.kind === 'facts' ? part.items.map(({ label, value }) => [label, value] as const) : [];
}

/** Nothing is loaded, sent or run but this script and this style. */
function policyFor(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function missingLines(missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const items = missing.map((sentence) => `<li dir="auto">${htmlLine(sentence)}</li>`);
  return [
    '<div class="warning" role="note">',
    '<p>This report is not complete.</p>',
    '<ul>',
    ...items,
    '</ul>',
    '</div>',
  ];
}

function factLines(facts: readonly Labelled[]): string[] {
  if (facts.length === 0) return [];
  const lines = facts.map(
    ([label, value]) => `<div><dt>${htmlLine(label)}</dt><dd dir="auto">${htmlLine(value)}</dd></div>`,
  );
  return ['<dl>', ...lines, '</dl>'];
}

const deflate = promisify(deflateRaw);

/** The report with every text made safe, and without what looks secret. Bytes of heat maps stay. */
function cleaned<P extends DocumentPart>(report: Document<P>): Document<P> {
  return mapStrings(report, (text) => safeText(redactText(text))) as Document<P>;
}

/**
 * The parts of a report as base64 of deflated bytes: see `Packed`.
 * @param parts cleaned
 * @param madeAt in milliseconds since the epoch
 */
async function packed(parts: readonly PagePart[], madeAt: number): Promise<string> {
  const content: Packed = { parts: parts.map(packedPart), madeAt };
  const json = Buffer.from(JSON.stringify(content));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const heats = parts.filter((part): part is HeatPart => part.kind === 'heat');
  const whole = Buffer.concat([length, json, ...heats.flatMap(bytesOf)]);
  return (await deflate(whole)).toString('base64');
}

/** Bytes have a place of their own, and what only other media draw is left out. */
function packedPart(part: PagePart): PackedPart {
  if (part.kind === 'tree') return { ...part, root: packedNode(part.root) };
  if (part.kind !== 'heat') return part;
  const { cells: _cells, why: _why, ...rest } = part;
  return rest;
}

function packedNode({ label, as, facts, at, remark, children }: TreeNode): TreeNode {
  const about = remark === undefined ? facts : [...(facts ?? []), remark];
  return defined({ label, as, facts: about, at, children: children?.map(packedNode) });
}

function bytesOf({ title, rows, columns, cells, why }: HeatPart): Uint8Array[] {
  const count = rows.length * columns.length;
  if (cells.length !== count || why.length !== count)
    throw new Error(`The heat map "${title}" needs ${count} cells.`);
  return [cells, Uint8Array.from(why, (index) => index & 0xff), Uint8Array.from(why, (index) => index >> 8)];
}
