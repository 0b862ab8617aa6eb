import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { colorLevel } from '../../output/terminal.js';
import type { CommandOutline } from '../declare/outline.js';
import type { Globals } from '../declare/session.js';
import type { Line } from './next-command.js';

/** How a line ends that failed: as a failure with a code, printed with what can be done next. */

/** What a failure needs of its line. */
export interface FailedLine extends Pick<Line, 'argv' | 'groups'> {
  globals: Globals;
  outline?: CommandOutline;
  /** Requests that may have changed something, sent or about to be. */
  changes?: number;
}

/** Prints a failure. @returns the exit code */
export async function tellFailure(cause: unknown, io: Io, run: FailedLine): Promise<number> {
  const { argv, globals, groups } = run;
  const { loadChalk } = await import('../../output/colors.js');
  const { printError } = await import('../../output/messages.js');
  const { withNextCommand } = await import('./next-command.js');
  const failure = toDocsError(cause, io);
  const line = { argv, groups, platform: io.platform };
  const hinting = await withNextCommand(failure, line).catch(() => failure);
  const json = globals.json === true || globals.output === 'json' || globals.output === 'ndjson';
  const error = await completed(hinting, { ...line, io }, json);
  const chalk = await loadChalk(json ? 0 : colorLevel(io, globals, 'stderr'));
  printError(error, { io, json, chalk, effect: noEffect(error, run) });
  return error.exitCode;
}

/** For programs, the same failure with all that can be run next; for a person, with one command in any case. */
async function completed(error: DocsError, line: Line & { io: Io }, json: boolean): Promise<DocsError> {
  if (!json && error.failure.hint !== undefined) return error;
  const { withNextCommands, withTry } = await import('./next-commands.js');
  return (json ? withNextCommands : withTry)(error, line).catch(() => error);
}

/** What a command that changes the platform had not done when it failed; undefined where that is not known. */
function noEffect({ failure }: DocsError, line: FailedLine): 'sent' | 'changed' | undefined {
  const { outline, changes = 0, globals, argv } = line;
  if (outline === undefined || outline.danger === 'read' || outline.effect !== undefined) return undefined;
  // These send no change, and their reader knows it.
  if (globals.dryRun === true || argv.some((word) => /^--(?:dry-run|save-plan)\b/.test(word)))
    return undefined;
  const { outcome, method } = failure;
  if (changes > 1 || (changes === 1 && outcome !== 'not-sent')) return undefined;
  return method === 'GET' ? 'changed' : 'sent';
}

/** The reason of the run's signal is thrown by whatever waits when the run is aborted. */
export function toDocsError(cause: unknown, io: Io): DocsError {
  if (cause instanceof DocsError) return cause;
  const { aborted, reason } = io.signal;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (aborted && cause === reason) {
    const kind = message === 'SIGTERM' ? 'terminated' : 'interrupted';
    return new DocsError(kind, kind, 'interrupted', { hint: 'docs doctor' });
  }
  return new DocsError('bug', 'bug', `this is a bug in docs: ${message}`, { cause, hint: 'docs doctor' });
}

/** Which request was under way matters only where it may have changed something. */
export function cancelledRead(cause: unknown, io: Io): unknown {
  if ((cause instanceof DocsError && cause.code !== 'aborted') || !io.signal.aborted) return cause;
  const failure = toDocsError(cause, io);
  const { kind, code } = failure;
  if (kind !== 'interrupted' && kind !== 'terminated') return cause;
  return new DocsError(kind, code, 'cancelled; nothing was changed', {
    outcome: 'not-sent',
    retryable: true,
  });
}
