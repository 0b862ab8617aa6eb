import type { Command, ManualInput } from '../../cli/declare/command.js';
import { contextId } from '../../cli/run/context.js';
import { printDone } from '../../cli/run/print-done.js';
import type { Session } from '../../cli/run/session.js';
import { contextWords } from '../../cli/run/subject.js';
import { usageError } from '../../errors.js';
import type { View } from '../../output/printer.js';
import { type Progress, startProgress } from '../../output/progress.js';
import { parseDuration } from '../../settings/duration.js';
import { shellWord } from '../../settings/shell-word.js';
import { resultOf, type SpecResult, sentenceOf } from '../../workflows/openapi-publish/report.js';
import { readSpec } from '../../workflows/openapi-publish/spec.js';
import { type Seen, usualWaitMs, type Watch, watchSpec } from '../../workflows/openapi-publish/watch.js';

/** `docs openapi wait`, and what it has in common with `docs openapi publish`. */

export const resultView: View = {
  columns: ['id', 'status', 'version'].map((path) => ({ path })),
  fields: [
    ...['id', 'status', 'version', 'previousVersion'],
    ...['processingState', 'lastProcessedAt', 'sourceURL'],
  ],
};

export async function wait(session: Session, command: Command, input: ManualInput): Promise<void> {
  const slug = requireWord(input, 'slug', 'slug of the spec');
  await session.printer.check(resultView);
  const { timeout } = session.globals;
  const waitMs = timeout === undefined ? usualWaitMs : msOf(timeout);
  const client = await session.client({ timeoutPerRequest: true });
  const org = await contextId(session, 'org');
  const at = { client, org, slug, line: commandLine(session, command, input) };
  const spec = await watched(session, { ...at, waitMs }, { first: await readSpec(at) });
  await printSpec(session, await resultOf(at, spec, 'complete'));
}

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
  await printDone(session, resultView, result, sentenceOf(result));
}
