import type { Command, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextWords } from '../../cli/run/error-subject.js';
import { usageError } from '../../errors.js';
import { fieldPaths } from '../../output/field-paths.js';
import type { View } from '../../output/printer.js';
import { type Progress, startProgress } from '../../output/progress.js';
import { parseDuration } from '../../settings/duration.js';
import { shellWord } from '../../settings/shell-word.js';
import { PublishResult, type SpecResult, sentenceOf } from '../../workflows/openapi-publish/report.js';
import { type Seen, type Watch, watchSpec } from '../../workflows/openapi-publish/watch.js';

/** What `docs openapi publish` and `docs openapi wait` have in common. */

export const resultView: View = {
  columns: ['id', 'status', 'version'].map((path) => ({ path })),
  ...fieldPaths(PublishResult),
};

/** A positional that has to be there. @throws DocsError usage `missing_argument` */
export function requireWord({ args }: ManualInput, name: string, what: string): string {
  const typed = args[name];
  if (typeof typed === 'string' && typed !== '') return typed;
  throw usageError('missing_argument', `missing <${name}>: ${what}`);
}

/** Milliseconds of a duration; without end for `none`. */
export function msOf(typed: string): number {
  const duration = parseDuration(typed);
  return duration === 'none' ? Number.POSITIVE_INFINITY : duration;
}

/** Writes commands of the group: their words, then the parents and the platform that were typed. */
export function commandLine({ io, globals }: Session, command: Command, input: ManualInput): Watch['line'] {
  const word = (text: string) => shellWord(text, io.platform);
  const where = contextWords(command, input, io.platform);
  if (globals.sandbox) where.push('--sandbox');
  if (globals.profile !== undefined) where.push('--profile', word(globals.profile));
  return (...words) => ['docs', 'openapi', ...words.map(word), ...where].join(' ');
}

/** Watches a spec, with a spinner that shows its state. */
export async function watched(
  { io, globals: { quiet = false } }: Session,
  watch: Omit<Watch, 'io' | 'onState'>,
  seen: Seen,
) {
  let [told, progress]: [string | undefined, Progress | undefined] = [undefined, undefined];
  const onState = (state: string): void => {
    if (state === told) return;
    told = state;
    progress?.stop();
    progress = startProgress(io, { text: `Processing ${watch.slug} (${state})`, quiet });
  };
  return watchSpec({ ...watch, io, onState }, seen).finally(() => progress?.stop());
}

/** A sentence on a terminal; slug, status and version in a pipe; the object if it was asked for. */
export async function printSpec(session: Session, result: SpecResult): Promise<void> {
  await session.printer.done(result, sentenceOf(result), resultView);
}
