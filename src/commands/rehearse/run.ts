import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openReader } from '../../backup/reader.js';
import { CommandEnded, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { ownProgram } from '../../base/own-program.js';
import { shellWord } from '../../base/shell-word.js';
import { asText, defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { commandAt } from '../../cli/declare/outline.js';
import type { Session } from '../../cli/declare/session.js';
import { notACommand, walkLine } from '../../cli/parse/mistakes.js';
import { parseCommand } from '../../cli/parse/parser.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { originOf } from '../../cli/run/origin.js';
import { refuseLocal } from '../../cli/run/rehearsal.js';
import { type ReportPage, reportPage } from '../../cli/run/report-page.js';
import { checkNewFile } from '../../cli/run/written-files.js';
import type { CopySource } from '../../copy/copy.js';
import { openCopy } from '../../copy/open.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { showProgress } from '../../output/progress.js';
import { writeStandardError } from '../../output/terminal.js';
import { safeLine, safeText } from '../../output/text.js';
import { changing } from '../../rehearsal/changes.js';
import { type Rehearsed, reportOf, reportText } from '../../rehearsal/report.js';
import {
  openStage,
  type Performed,
  type RehearsedJob,
  type Stage,
  type StageFacts,
} from '../../rehearsal/stage.js';
import { findCredential } from '../../settings/credentials.js';
import { atOf, requireBackup } from '../shared/backup-flags.js';

/**
 * `docs rehearse`: runs a command or a script on a copy, and reports what it changed there.
 * @throws CommandEnded where the command failed; DocsError usage, before anything is read; as `openStage`
 */
export async function rehearseCommand(
  session: Session,
  typed: readonly string[],
  options: ManualInput['options'],
  groups: readonly GroupEntry[],
): Promise<void> {
  const { io, globals, settings, printer } = session;
  if (settings.rehearsal !== undefined) throw nested();
  requireBackup(options, '--from', options.from);
  const what = await rehearsable(session, typed, options, groups);
  const file = asText(options.jsonReport);
  if (file !== undefined) await checkNewFile(overwriting(session), file, '--json-report');
  const page = await reportPage(session, { options }, ['json-report']);
  if (globals.dryRun) {
    const words = what.words.map((word) => shellWord(word, io.platform)).join(' ');
    return printer.note(`Dry run: ${words} would be rehearsed; nothing was read, nothing was run.`);
  }
  const source = await sourceOf(session, what, options);
  const stage = await showProgress(session, 'Making a copy', () =>
    openStage(io, source.facts, (database) => openCopy({ source: source.copy, file: database, io })),
  );
  // Whoever is asked by the command sees first that it is a rehearsal.
  if (io.stderr.isTTY === true)
    printer.note(
      `Rehearsal on a copy of ${safeLine(stage.copy.organization.title)}: the platform is not changed.`,
    );
  const exitCode = await onStage(session, stage, { what, source, options, page }).finally(() =>
    stage.close(),
  );
  if (exitCode !== 0) throw new CommandEnded(exitCode);
}

interface Rehearsing {
  what: Rehearsable;
  source: Awaited<ReturnType<typeof sourceOf>>;
  options: ManualInput['options'];
  page: ReportPage | undefined;
}

/** Runs it, and tells what came of it. @returns the exit code of the command */
async function onStage(
  session: Session,
  stage: Stage,
  { what, source: { copy, facts }, options, page }: Rehearsing,
): Promise<number> {
  const performed = await perform(session, stage, what);
  const { exitCode } = performed;
  const report = await reportOf(stage, {
    ...{ command: [...what.words], ...performed, origin: facts.origin, nowMs: session.io.now() },
    source: 'backup' in copy ? 'backup' : 'platform',
    watched: what.performed.isScript === true ? 'copy' : 'all',
    backup: asText(options.from),
    plan: session.savePlan,
    next: exitCode === 0 ? nextOf(session, stage, what) : undefined,
    limit: 'platform' in copy ? copy.platform.rateLimit : undefined,
  });
  await tell(session, report, asText(options.jsonReport));
  await page?.write((await import('./page.js')).rehearsalPage(report));
  if (what.performed.isScript !== true && what.words[0] === 'docs' && report.requests.length > 0)
    session.previewed?.push({
      shown: 'docs rehearse',
      words: what.words.slice(1).filter((word) => word !== '--yes' && word !== '-y'),
      changes: stage.jobs().flatMap(changesOfJob),
    });
  return exitCode;
}

/** What a job of the rehearsal changed. */
function changesOfJob({ job, before }: RehearsedJob) {
  return job.items.map(({ change }) => change).filter(({ item }) => !before.has(item));
}

/** A report is written anew each time, as other reports are. */
function overwriting(session: Session): Session {
  return { ...session, globals: { ...session.globals, yes: true } };
}

interface Performance {
  exitCode: number;
  /** Requests that made the plan, which applying it does not send. */
  asked: number;
}

/** With `--save-plan` the command makes the plan on the copy, and the plan is what is then applied there. */
async function perform(session: Session, stage: Stage, { performed }: Rehearsable): Promise<Performance> {
  const { savePlan, io } = session;
  if (savePlan === undefined) return { exitCode: await stage.run(performed), asked: 0 };
  // That it may be overwritten was asked before.
  const again = existsSync(resolve(io.cwd, savePlan)) ? ['--yes'] : [];
  const { program, args } = performed;
  const made = await stage.run({ program, args: withFlags(args, ['--save-plan', savePlan, ...again]) });
  const asked = stage.copy.requests().length;
  if (made !== 0) return { exitCode: made, asked };
  const own = ownProgram();
  const apply = [...own.args, 'apply', savePlan, '--yes', '--quiet'];
  return { exitCode: await stage.run({ program: own.program, args: apply, silent: true }), asked };
}

/** Flags before a `--`, behind which they would be words. */
function withFlags(args: readonly string[], flags: readonly string[]): string[] {
  const end = args.indexOf('--');
  return end < 0 ? [...args, ...flags] : [...args.slice(0, end), ...flags, ...args.slice(end)];
}

/** The source of the copy, and what the command learns about it. */
async function sourceOf(
  session: Session,
  { org }: Rehearsable,
  options: ManualInput['options'],
): Promise<{ copy: CopySource; facts: StageFacts }> {
  const { io, settings } = session;
  const profile = settings.profile.value;
  const from = asText(options.from);
  if (from !== undefined) {
    const backup = await openReader(resolve(io.cwd, from), atOf(options, io));
    const origin = originOf(session) || backup.manifest.platform;
    return { copy: { backup }, facts: { origin, profile } };
  }
  const organizationId = org ?? (await contextId(session, 'org'));
  const platform = await session.client({ readOnly: true, timeoutPerRequest: true });
  const member = (await findCredential(io, settings))?.member;
  const { space, site } = settings.sandbox ? settings : {};
  const own = { member, space: space?.value, site: site?.value };
  return {
    copy: { platform, organizationId, owner: member?.id },
    facts: { origin: originOf(session), profile, ...defined(own) },
  };
}

/** The command that makes the changes that were rehearsed, where there are any. */
function nextOf(
  { globals, io, savePlan }: Session,
  { copy }: Stage,
  { words }: Rehearsable,
): string | undefined {
  if (changing(copy.requests()).length === 0) return undefined;
  const typed = savePlan === undefined ? words : ['docs', 'apply', savePlan];
  return atPlace(typed.map((word) => shellWord(word, io.platform)).join(' '), globals, io.platform);
}

/** The report is written whatever became of the command; on stderr it follows what the command printed. */
async function tell({ io, globals }: Session, report: Rehearsed, file: string | undefined): Promise<void> {
  // After ^C, as the terminal shows it.
  const start = io.signal.aborted && io.stderr.isTTY === true ? '\n' : '';
  if (globals.quiet !== true) writeStandardError(io, `${start}${safeText(reportText(report))}`);
  if (file !== undefined)
    await writeAskedFile(io, resolve(io.cwd, file), `${JSON.stringify(report, null, 2)}\n`);
}

/** What is rehearsed: a command line of docs, or a script. */
interface Rehearsable {
  performed: Performed;
  /** As it would be typed. */
  words: readonly string[];
  /** The organization that the command line names. */
  org?: string;
}

/**
 * @param typed the words after `--`
 * @throws DocsError usage, as running it would; `no_command`, `not_plannable`, `not_in_rehearsal`: nothing was sent
 */
async function rehearsable(
  { io }: Session,
  typed: readonly string[],
  options: ManualInput['options'],
  groups: readonly GroupEntry[],
): Promise<Rehearsable> {
  const { script } = options;
  if (typeof script === 'string') return scriptAt(io, script, typed);
  const argv = typed[0] === 'docs' ? typed.slice(1) : [...typed];
  if (argv.length === 0)
    throw usageError('no_command', 'missing the command to rehearse, after --; or --script', {
      hint: 'docs rehearse --help',
    });
  const walked = await walkLine(argv, groups, io.platform);
  const { path, pathAt, command: outline, flags } = walked;
  const helps = walked.help || flags.has('help') || flags.has('version');
  if (outline === undefined && !helps) throw notACommand(path);
  if (outline !== undefined && !helps) {
    const name = path.join(' ');
    if (name === 'rehearse') throw nested();
    const { command } = await commandAt(groups, name);
    refuseLocal(name, command, parseCommand(argv, { path, pathAt, command: outline }));
    const plans = outline.options.some((option) => option.name === 'save-plan');
    if (options.savePlan !== undefined && !plans) throw notPlannable(name);
  }
  const org = flags.get('org')?.at(-1);
  const { program, args } = ownProgram();
  const performed = { program, args: [...args, ...argv] };
  return { performed, words: ['docs', ...argv], ...(org !== undefined && { org }) };
}

function nested() {
  const message = 'docs rehearse cannot run in a rehearsal; nothing was sent';
  return usageError('nested_rehearsal', message, { hint: 'docs rehearse --help' });
}

function notPlannable(name: string) {
  const message = `docs ${name} makes no plan, so --save-plan has nothing to write; nothing was sent`;
  return usageError('not_plannable', message, { hint: `docs rehearse -- ${name}` });
}

/** An executable file is run as it is, any other by sh. */
function scriptAt({ cwd }: Io, file: string, args: readonly string[]): Rehearsable {
  const path = resolve(cwd, file);
  const words = [file, ...args];
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw usageError('no_script', `--script: ${file} is not a file; nothing was sent`, {
      hint: 'docs rehearse --help',
    });
  try {
    accessSync(path, constants.X_OK);
    return { words, performed: { program: path, args, isScript: true } };
  } catch {
    return { words: ['sh', ...words], performed: { program: 'sh', args: [path, ...args], isScript: true } };
  }
}
