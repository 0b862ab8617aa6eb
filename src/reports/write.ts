import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { localIoError, systemCode, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import type { Document, DocumentPart } from '../document/document.js';
import { writeAskedFile } from '../files/asked-file.js';
import { byteSize } from '../output/text.js';
import { clientCode } from './client-code.js';
import { mark, pageOf } from './page.js';

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
