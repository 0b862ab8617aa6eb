import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { localIoError, onDisk, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { isAlive } from '../../base/lock.js';
import { makeFolders } from '../../base/own-files.js';
import { decodeText } from '../../base/text-encoding.js';
import { writeFileAtomically } from '../../base/write-file.js';
import { settingsPaths } from '../../settings/paths.js';
import type { KeptText } from '../declare/session.js';

/**
 * Texts that somebody writes in an editor. Each is a file that only its owner reads, in the state folder, and is
 * removed once what it says has been done. Whatever ends the command before, even a kill, leaves the file, and the
 * next editor for the same thing opens with it.
 */

/** What a text is for. */
export interface DraftOf {
  /** The words of the command: `comments create`. */
  command: string;
  /** What tells it from others of that command: platform, ids. */
  about: unknown;
  suffix: '.md' | '.txt';
}

/** The folder of all of them; made where it is missing. @throws DocsError local-io */
export async function draftsFolder(io: Io): Promise<string> {
  const folder = join(settingsPaths(io).stateDir, 'drafts');
  await onDisk(`Cannot write ${folder}; nothing was changed`, async () => makeFolders(folder, 0o700));
  return folder;
}

/** Below this line everything is ignored; a comment in Markdown, so that editors show it as one. */
const marker = '<!-- ------------------------ >8 ------------------------';
const ignored = 'Everything from the line above on is ignored.';

/** A text, and below it what somebody who writes it should know. */
export function withNotes(text: string, notes: readonly string[]): string {
  const lines = [ignored, ...notes].map((line) => line.replaceAll('-->', '-- >'));
  return [text, '', marker, ...lines, '-->', ''].join('\n');
}

/** What was written above the notes: lines that end as on every system, and neither begin nor end with empty ones. */
export function withoutNotes(written: string): string {
  const text = written.replaceAll(/\r\n?/g, '\n');
  const ends = [`\n${marker}`, `\n${ignored}`].map((line) => `\n${text}`.lastIndexOf(line));
  const end = ends.find((at) => at >= 0) ?? text.length;
  return text
    .slice(0, Math.max(0, end))
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

export class Draft implements KeptText {
  readonly path: string;
  /** What an earlier command left of the same text. */
  readonly leftover: string | undefined;
  /** What it was opened with: nothing is lost with it. */
  #opened = '';

  private constructor(path: string, leftover: string | undefined) {
    this.path = path;
    this.leftover = leftover;
  }

  /** Takes what was left of the same text, or makes a new file. @throws DocsError local-io */
  static async begin(io: Io, of: DraftOf): Promise<Draft> {
    const folder = await draftsFolder(io);
    const hash = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 12);
    const stem = join(folder, `${of.command.replaceAll(' ', '-')}-${hash}`);
    const path = `${stem}-${process.pid}${of.suffix}`;
    const left = await claim(stem, of.suffix, path);
    const text = left === undefined ? undefined : withoutNotes(left);
    return new Draft(path, text === '' ? undefined : text);
  }

  /** @param opened what somebody has elsewhere as well, which is not worth keeping */
  async write(text: string, opened?: string): Promise<void> {
    if (opened !== undefined) this.#opened = withoutNotes(opened);
    await writeFileAtomically(this.path, text);
  }

  /** What was written, as UTF-8 unless a byte order mark says otherwise. @throws DocsError local-io; usage `bad_encoding` */
  async read(): Promise<string> {
    const doing = `Cannot read the edited text ${this.path}; nothing was changed`;
    const bytes = await onDisk(doing, () => fs.readFile(this.path));
    return withoutNotes(decodeText(bytes, this.path));
  }

  async keep(): Promise<boolean> {
    const bytes = await fs.readFile(this.path).catch(() => undefined);
    const text = bytes === undefined ? '' : withoutNotes(bytes.toString('utf8'));
    if (text !== '' && text !== this.#opened) return true;
    await this.remove();
    return false;
  }

  remove(): Promise<void> {
    return fs.rm(this.path, { force: true });
  }
}

/** Renames the newest file that no running process writes, so that of two commands only one takes it. */
async function claim(stem: string, suffix: string, path: string): Promise<string | undefined> {
  const folder = join(stem, '..');
  const names = (await fs.readdir(folder)).map((name) => join(folder, name));
  const own = names.filter((name) => name.startsWith(`${stem}-`) && name.endsWith(suffix));
  const left = own.filter((name) => {
    const pid = Number(name.slice(stem.length + 1, -suffix.length));
    return pid === process.pid || !isAlive(pid);
  });
  const dated = await Promise.all(
    left.map(async (name) => ({ name, at: (await fs.stat(name).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  for (const { name } of dated.sort((a, b) => b.at - a.at)) {
    try {
      if (name !== path) await fs.rename(name, path);
      return await fs.readFile(path, 'utf8');
    } catch (cause) {
      if (systemCode(cause) !== 'ENOENT') throw localIoError(cause, `Cannot read the kept text ${name}`);
    }
  }
  return undefined;
}

/** @throws DocsError usage `empty_text` */
export function emptyText(): Error {
  return usageError('empty_text', 'The text is empty; nothing was sent.');
}
