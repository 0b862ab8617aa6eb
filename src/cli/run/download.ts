import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { measured } from '../../api/client.js';
import { Type } from '../../api/type.js';
import { localIoError, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { writeAskedFile, writeNewAskedFile } from '../../files/asked-file.js';
import { checked } from '../../output/messages.js';
import { done, oneOf, text } from '../../output/printed-shapes.js';
import { startProgress } from '../../output/progress.js';
import { ReaderGone } from '../../output/sink.js';
import type { Command, ManualInput } from '../declare/command.js';
import { blankOption } from '../declare/option.js';
import type { Session } from '../declare/session.js';
import { readResource, runOperation } from './whole-run.js';

/** `--download <path>`: a command that reads a resource with an address can save what is there. */

type Answer = Readonly<Record<string, unknown>>;

/** Where a resource tells what is needed to save it. */
export interface DownloadSource {
  /** The address of the bytes. */
  url(answer: Answer): unknown;
  /** The name of the file where a folder is given; made safe before use. */
  name(answer: Answer, input: ManualInput): unknown;
  id(answer: Answer, input: ManualInput): unknown;
  /** The size in bytes, where the platform tells. */
  size?(answer: Answer): unknown;
}

/** Where the bytes go. */
type Target = { kind: 'stdout' } | { kind: 'folder' | 'file'; path: string };

const option = {
  ...blankOption,
  name: 'download',
  value: '<path>',
  description: 'Save it as this file, or in this folder under its own name; - is standard output',
  path: { use: 'writes' as const },
};

const Saved = done(oneOf('saved', 'not saved'), { path: text, bytes: Type.Optional(Type.Number()) });

/** The command with `--download`; without the flag it does what it did. */
export function downloadable(command: Command, source: DownloadSource): Command {
  return {
    ...command,
    options: [...command.options, option],
    returns: Saved,
    async run(session, input) {
      const typed = input.options.download;
      if (typeof typed !== 'string') return runOperation(session, command, input);
      await save(session, this, input, source, typed);
    },
  };
}

async function save(
  session: Session,
  command: Command,
  input: ManualInput,
  source: DownloadSource,
  typed: string,
): Promise<void> {
  const { io, printer, globals } = session;
  const target = await chooseTarget(session, typed);
  const answer = (await readResource(session, command, input)) as Answer;
  const id = String(source.id(answer, input));
  const size = source.size?.(answer);
  const total = typeof size === 'number' ? size : undefined;
  if (globals.dryRun) {
    const path = target.kind === 'stdout' ? '-' : target.path;
    const result = { id, status: 'not saved', path, ...defined({ bytes: total }) };
    await printer.done(result, `Would save ${path}.`);
    return printer.note('Dry run: nothing was written.');
  }
  const meter = { bytes: 0 };
  const quiet = globals.quiet ?? false;
  const progress = startProgress(io, { text: 'Downloading', quiet, total });
  try {
    const onProgress = (done: number): void => progress.count(done);
    const client = await session.client();
    const bytes = await client.download(String(source.url(answer)), { signal: io.signal, onProgress });
    const content = measured(bytes, total, meter);
    if (target.kind === 'stdout') return await toStdout(io, content);
    const path = await toDisk(io, target, String(source.name(answer, input)), content);
    progress.stop();
    await printer.done({ id, status: 'saved', path, bytes: meter.bytes }, checked(io, `Saved ${path}.`));
  } finally {
    progress.stop();
  }
}

/** Decides where to, before anything is sent; asks before an existing file is replaced. */
async function chooseTarget(session: Session, typed: string): Promise<Target> {
  const { io, globals } = session;
  if (typed === '-') {
    refuseStdout(session);
    return { kind: 'stdout' };
  }
  if (typed === '') throw usageError('bad_value', '--download needs a path, or - for standard output');
  const path = resolve(io.cwd, typed);
  const found = await stat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw localIoError(error, `cannot write ${typed}`);
  });
  if (found?.isDirectory() || /[/\\]$/.test(typed)) return { kind: 'folder', path };
  if (found !== undefined && !found.isFile()) {
    const message = `--download: ${typed} is neither a file nor a folder; - is standard output`;
    throw usageError('not_a_file', message);
  }
  if (found !== undefined && !globals.yes && !globals.dryRun) await agreeToReplace(session, typed);
  return { kind: 'file', path };
}

/** Bytes go neither to a terminal, nor with flags of output. */
function refuseStdout({ io, globals, settings: { output, fields } }: Session): void {
  if (output?.source === 'flag' || fields?.source === 'flag' || globals.jq !== undefined) {
    const message = '--download - prints only the bytes; remove -o, --json, --fields and --jq';
    throw usageError('contradiction', message);
  }
  if (!io.stdout.isTTY) return;
  const message = '--download -: standard output is the terminal; redirect it, or name a file';
  throw usageError('stdout_is_terminal', message);
}

async function agreeToReplace(session: Session, typed: string): Promise<void> {
  if (!session.interactive)
    throw usageError('file_exists', `${typed} already exists. Add --yes to replace it.`);
  const { askToGoOn } = await import('../resolve/prompts.js');
  await askToGoOn(session, `Replace ${typed}?`, 'written');
}

async function toDisk(
  io: Io,
  target: { kind: 'folder' | 'file'; path: string },
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<string> {
  if (target.kind === 'folder') return writeNewAskedFile(io, target.path, name, content);
  await writeAskedFile(io, target.path, content);
  return target.path;
}

/** One chunk after another, each taken by the reader before the next is asked for. */
async function toStdout(io: Io, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content) {
    await new Promise<void>((taken, failed) => {
      const stop = (): void => failed(io.signal.reason);
      io.signal.addEventListener('abort', stop, { once: true });
      io.stdout.write(chunk, (error) => {
        io.signal.removeEventListener('abort', stop);
        if (error) failed(outputError(error));
        else taken();
      });
    });
  }
}

function outputError(error: Error): Error {
  const gone = ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'];
  return gone.includes(systemCode(error) ?? '')
    ? new ReaderGone()
    : localIoError(error, 'cannot write the output');
}
