import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { type DiffTally, MatrixDiff, readMatrix } from '../../access/diff/diff.js';
import type { Saved } from '../../access/diff/read.js';
import { DocsError, notSent, systemCode, usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { limitOf, pagesOf } from './limit.js';

/**
 * `docs access diff`: lists what changed between two saved matrices.
 * @throws DocsError findings (exit 17) with `--exit-code` where something changed; usage `not_a_matrix`,
 *   `nothing_in_common`; local-io
 */
export async function diffMatrices(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer } = session;
  const limit = limitOf(input);
  const [a, b] = [String(input.args.a), String(input.args.b)];
  if (a === '-' && b === '-')
    throw usageError('contradiction', 'Only one of <a> and <b> can be standard input.');
  await printer.check(view);
  const diff = new MatrixDiff(await readMatrix(savedAt(session, a)), await readMatrix(savedAt(session, b)));
  const parts = async function* () {
    for (const some of diff.differences()) if (some.length > 0) yield some;
  };
  const { cut } = await printer.list(pagesOf(parts(), limit), view, limit);
  const isSame = diff.changes + diff.tally.unknown === 0;
  const words = isSame ? 'No differences.' : `${wordsOf(diff.tally)}.`;
  if (diff.changes > 0 && input.options.exitCode === true)
    throw new DocsError('findings', 'matrices_differ', words, { details: { ...diff.tally } });
  if (!cut) printer.note(words);
}

function savedAt(session: Session, name: string): Saved {
  const { io } = session;
  if (name !== '-') return { name, bytes: bytesOf(resolve(io.cwd, name), name) };
  if (!io.stdin.isTTY) return { name, bytes: inputOf(session) };
  const message = '- reads standard input, which is the terminal; use a pipe or name a file.';
  throw usageError('stdin_is_terminal', message);
}

async function* inputOf({ io }: Session): AsyncGenerator<Uint8Array> {
  for await (const chunk of io.stdin) yield Buffer.from(chunk);
}

async function* bytesOf(path: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined) throw cause;
    const reasons: Record<string, string> = { ENOENT: 'no such file', EISDIR: 'it is a directory' };
    const message = `Cannot read ${name}: ${reasons[code] ?? code}.`;
    throw notSent('local-io', 'unreadable_file', message, { cause });
  }
}

function wordsOf({ gained, lost, changed, unknown, people, spaces }: DiffTally): string {
  const roles = `${counted(gained, 'role')} gained, ${lost} lost, ${changed} changed`;
  const others = (
    [
      ['person', 'people', people],
      ['space', 'spaces', spaces],
    ] as const
  ).flatMap(([one, many, { appeared, disappeared }]) => [
    ...(appeared > 0 ? [`${counted(appeared, one, many)} appeared`] : []),
    ...(disappeared > 0 ? [`${counted(disappeared, one, many)} disappeared`] : []),
  ]);
  const open = unknown > 0 ? [`${unknown} unknown`] : [];
  return [roles, ...others, ...open].join(', ');
}
