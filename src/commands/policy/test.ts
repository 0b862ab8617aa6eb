import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathParameters } from '../../api/operation-facts.js';
import { DocsError } from '../../base/errors.js';
import { derivedIo, type Io } from '../../base/io.js';
import { commandLine } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { type Command, camel, type GroupEntry, type ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { commandAt } from '../../cli/declare/outline.js';
import type { Globals, Session } from '../../cli/declare/session.js';
import { notACommand, walkLine } from '../../cli/parse/mistakes.js';
import { parseCommand } from '../../cli/parse/parser.js';
import { resolveIds } from '../../cli/resolve/resolve-ids.js';
import { factsOf } from '../../cli/run/apply-plan.js';
import { assemble, refuseWrongFlags } from '../../cli/run/assemble.js';
import { findJob } from '../../cli/run/find-job.js';
import { lookAt } from '../../cli/run/guard.js';
import { runCommand } from '../../cli/run/pipeline.js';
import { approvalOf, approvalOfJob, savedFile } from '../../cli/run/plan-approval.js';
import { commandTable, gatedCommand, openGate } from '../../cli/run/policy-gate.js';
import { refuseOtherJournal } from '../../cli/run/resume-job.js';
import { openSession } from '../../cli/run/session.js';
import { requestOf } from '../../cli/run/typed-request.js';
import { writtenFiles } from '../../cli/run/written-files.js';
import type { Change } from '../../jobs/change.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { changesIn, jobItem } from '../../jobs/journal.js';
import { operationOf } from '../../jobs/operations.js';
import { restOf } from '../../jobs/outlook.js';
import { readsOf } from '../../jobs/reads.js';
import { loadRules } from '../../jobs/rule-book.js';
import type { View } from '../../output/printer.js';
import { checkPlan, refuseGuarded } from '../../plans/check.js';
import { loadPlan } from '../../plans/file.js';
import { itemsOf } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import type { ApprovalStanding } from '../../policy/approval/standing.js';
import { decide, decideCommand, worstOf } from '../../policy/decide.js';
import { mapRequest, type Unmapped, unmappedVerdict } from '../../policy/mapping.js';
import type { Asked, CommandTable, Gate, GatedCommand, JobUse, Send, Verdict } from '../../policy/policy.js';
import { type PolicyFile, policyFiles } from '../../settings/settings.js';

/** What was asked, and what the policies say to it. */
interface Row {
  what: string;
  verdict: Verdict;
}

/**
 * `docs policy test`: prints the verdicts on a command line and its requests.
 * @throws DocsError forbidden `policy_would_deny` where something is denied; findings `policy_would_ask` where something
 *   requires an approved plan; as the command itself, where it could not begin
 */
export async function testCommand(
  session: Session,
  words: readonly string[],
  groups: readonly GroupEntry[],
  view: View,
): Promise<void> {
  await session.printer.check(view);
  const line = await testedLine(session, words, groups);
  const rows = await rowsOf(session, line, groups);
  await session.printer.list(rows.map(printed), view);
  const worst = worstOf(rows);
  if (worst !== undefined) throw failure(session, line, worst);
}

function printed({ what, verdict }: Row): Record<string, unknown> {
  const why = verdict.is === 'deny' ? verdict.why : undefined;
  return defined({ what, verdict: verdict.is, ...verdict.by, why });
}

async function rowsOf(session: Session, line: TestedLine, groups: readonly GroupEntry[]): Promise<Row[]> {
  const { io, globals, argv, path, command, input } = line;
  const open = (settings: Session['settings'], files: readonly PolicyFile[], send: Send) =>
    openGate({ io, argv, groups, path, command, settings, trial: true }, files, send);
  const inner = await openSession({ io, globals, argv }, input, command, open);
  try {
    const files = policyFiles(io, inner.settings);
    const written = (gateOf: () => Promise<Gate>) => localRows(inner.io, line, gateOf);
    const send: Send = async (request) => (await inner.client()).send(request);
    // What changes a copy of the platform alone runs under no policy.
    if (files.length > 0 && inner.gate === undefined) {
      session.printer.note('Policies do not apply to the sandbox, so the command would run.');
      return [
        { what: `docs ${path}`, verdict: { is: 'allow' } },
        ...(await written(() => open(inner.settings, files, send))),
      ];
    }
    const gate = inner.gate ?? (await open(inner.settings, files, send));
    if (files.length === 0) session.printer.note('No policy is in force, so everything is allowed.');
    const gated = gatedCommand(path, command, { ...inner, input });
    const own: Row = { what: `docs ${path}`, verdict: ownVerdict(gate, gated, command.repairs === true) };
    if (own.verdict.is === 'deny') return [own];
    const elsewhere = await readsElsewhere(inner, gate, line);
    if (elsewhere !== undefined) return [own, elsewhere];
    const local = await written(async () => gate);
    const holdsReads = deniesReads(gate, await commandTable(groups));
    if (line.globals.dryRun === true) {
      const denied = holdsReads ? await dryRunRow(line, groups) : undefined;
      return [own, ...local, ...(denied === undefined ? [] : [denied])];
    }
    const job = await testedJob(inner, gate, { ...line, holdsReads }, groups).catch(deniedRead);
    if (job !== undefined && 'what' in job) return [own, ...local, job];
    // A plan sends reads alone.
    if (!gated.changes) return [own, ...local];
    if (job !== undefined) {
      const rows = await jobRows(gate, job);
      // A job that is held as a whole reads nothing.
      const denied = holdsReads && worstOf(rows) === undefined ? await stateRow(inner, job) : undefined;
      return [own, ...local, ...rows, ...(denied === undefined ? [] : [denied])];
    }
    if (gated.effect !== 'local')
      session.printer.note('Its requests are not known beforehand; each is checked before it is sent.');
    return [own, ...local];
  } finally {
    await inner.close();
  }
}

/** Flags that start a program, and what. */
const programFlags: Readonly<Record<string, string>> = { editor: 'an editor', web: 'a browser' };

function programsOf({ command, input }: Pick<TestedLine, 'command' | 'input'>): string[] {
  const isTyped = (flag: string) =>
    command.options.some(({ name }) => name === flag) && input.options[camel(flag)] === true;
  return Object.entries(programFlags).flatMap(([flag, what]) => (isTyped(flag) ? [what] : []));
}

/** What the command would do on this machine: a verdict on each file that it names, and on each program. */
async function localRows(
  io: Io,
  { command, input }: TestedLine,
  gateOf: () => Promise<Gate>,
): Promise<Row[]> {
  const named = writtenFiles(command, input, io.cwd);
  const programs = programsOf({ command, input });
  if (named.length + programs.length === 0) return [];
  const gate = await gateOf();
  const { fileVerdicts } = await import('../../cli/run/local-guard.js');
  return [
    ...fileVerdicts(io, gate, named),
    ...programs.map((what) => ({ what: `running ${what}`, verdict: gate.local('programs') })),
  ];
}

/** Whether the organization that a command works on is one that it may not even read. */
async function readsElsewhere(
  { settings }: Session,
  gate: Gate,
  { command, input }: TestedLine,
): Promise<Row | undefined> {
  const { org } = input.options;
  const organizationId = typeof org === 'string' ? org : settings.org?.value;
  const op = command.operations.find(({ path }) => path.includes('{organizationId}'));
  if (op === undefined || organizationId === undefined || command.carrier === true) return undefined;
  const path = Object.fromEntries(pathParameters(op.path).map((name) => [name, '-']));
  const verdict = await gate.verdict({ id: 'read', op, input: { path: { ...path, organizationId } } });
  return verdict.is === 'deny' && verdict.by.rule === 'orgs' ? { what: 'its reads', verdict } : undefined;
}

/** What it reads before it changes anything is held against the policies, too. */
function deniedRead(cause: unknown): Row {
  if (!(cause instanceof DocsError) || cause.code !== 'policy_denied') throw cause;
  const { file, line, rule } = cause.failure.details ?? {};
  const by = { file: String(file), line: Number(line), rule: String(rule) };
  return { what: 'its reads', verdict: { is: 'deny', by, why: cause.message } };
}

/** Whether a policy denies any read: where none does, nothing is read to find out. */
function deniesReads({ policies }: Gate, { operations }: CommandTable): boolean {
  if (policies.some(({ orgs }) => orgs !== undefined)) return true;
  return [...operations].some(
    ([id, { words }]) =>
      operationOf(id).method === 'GET' && decide(policies, { command: words, effect: 'read' }).is === 'deny',
  );
}

/** What a job reads right before each change, of each operation once: a row where that is denied. */
async function stateRow(session: Session, { requests, reads }: TestedJob): Promise<Row | undefined> {
  if ('unmapped' in requests || reads === 'nothing') return undefined;
  const single = reads === 'one' && requests.length === 1;
  const states = readsOf(await session.client({ timeoutPerRequest: true }));
  const rules = await loadRules(requests.map(({ op }) => op.id));
  for (const op of new Set(requests.map((request) => request.op))) {
    const request = requests.find((one) => one.op === op && !isOpen(one));
    const { before, read } = rules.ruleOf(op);
    const rests = request?.expect !== undefined || before === 'always' || (before === 'many' && !single);
    const denied = rests && request && (await denial(async () => read?.(states, request.input)));
    if (denied) return denied;
  }
  return undefined;
}

/** Whether an earlier change makes what it is about. */
function isOpen({ input: { path = {} } }: Change): boolean {
  return Object.values(path).some((id) => typeof id !== 'string' || id.startsWith('{'));
}

/** What else goes wrong would be no matter of a policy. */
async function denial(read: () => Promise<unknown>): Promise<Row | undefined> {
  try {
    await read();
    return undefined;
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return cause.code === 'policy_denied' ? deniedRead(cause) : undefined;
  }
}

/** What the guards of a command read before it asks. @returns a row where that is denied */
function guardRow(
  session: Session,
  command: Command | undefined,
  calls: readonly Change[],
): Promise<Row | undefined> {
  const steps = calls.map((call, at) => jobItem(call, at));
  const connect = () => session.client({ timeoutPerRequest: true });
  return denial(() => lookAt(session, connect, { steps, by: command }, 'question'));
}

function ownVerdict({ policies }: Gate, gated: GatedCommand, repairs: boolean): Verdict {
  // What tells why something is denied is never denied itself.
  return repairs && gated.effect === 'read' ? { is: 'allow' } : decideCommand(policies, gated);
}

async function jobRows(gate: Gate, { requests, unapproved = [], ...use }: TestedJob): Promise<Row[]> {
  if ('unmapped' in requests)
    return [{ what: requests.text, verdict: unmappedVerdict(gate.policies, requests) }];
  const asked = new Map(unapproved.map(({ what, by }) => [what, by]));
  return (await gate.verdicts(requests, use)).map(({ what, verdict }) => {
    const by = verdict.is === 'allow' ? asked.get(what) : undefined;
    return { what, verdict: by === undefined ? verdict : { is: 'ask', by } };
  });
}

function failure(session: Session, line: TestedLine, { what, verdict }: Row): DocsError {
  const { io, globals } = session;
  const { file, line: at, rule } = verdict.by ?? { file: '', line: 1, rule: '' };
  const where = `(${JSON.stringify(rule)}, ${file}:${at})`;
  const failure = { outcome: 'not-sent', details: { file, line: at, rule, verdict: verdict.is } } as const;
  if (verdict.is === 'ask') {
    const words = commandLine(line.argv, io.platform);
    const canPlan = line.command.options.some(({ name }) => name === 'save-plan');
    const hint = canPlan
      ? atPlace(`${words} --save-plan plan.json`, globals, io.platform)
      : 'docs policy explain';
    return new DocsError('findings', 'policy_would_ask', `${what} requires an approved plan ${where}`, {
      ...failure,
      hint,
    });
  }
  const why = verdict.is === 'deny' ? verdict.why : 'it is denied';
  return new DocsError(
    'forbidden',
    'policy_would_deny',
    `policy denies ${what}: ${why} ${where}; nothing was sent`,
    {
      ...failure,
      hint: atPlace('docs policy explain', globals, io.platform),
    },
  );
}

/** The job that a command line would begin. */
interface TestedJob extends JobUse {
  /** Of `docs api` one that may be unknown. */
  requests: readonly Change[] | (Unmapped & { text: string });
  /** Whether states are read before the changes: of one change fewer; default: those of many. */
  reads?: 'one' | 'nothing';
  /** Of a plan that is applied: for what an approval is wanted that it does not have. */
  unapproved?: readonly Asked[];
}

/**
 * Finds them without sending any but GET: of a command over operations as it assembles them, of others by their plan.
 * @param session of the command that is tested
 * @returns undefined where nothing tells: of commands that work on this machine, and of reports
 * @throws DocsError as the command itself, where it could not begin
 */
async function testedJob(
  session: Session,
  gate: Gate,
  line: TestedLine & { holdsReads: boolean },
  groups: readonly GroupEntry[],
): Promise<TestedJob | Row | undefined> {
  const { command, input, path } = line;
  // A text that a person would write in an editor is not known, and no program is run to know it.
  if (programsOf(line).length > 0) return undefined;
  if (command.anyRequest === true) {
    const request = await requestOf(session, input);
    const found = mapRequest(request);
    const text = `${request.method} ${request.path}`;
    if ('unmapped' in found) return { requests: { ...found, text } };
    const denied = line.holdsReads ? await guardRow(session, undefined, [found]) : undefined;
    return denied ?? { requests: [found], reads: 'nothing' };
  }
  if (command.spec !== undefined) {
    const named = await resolveIds(session, command, input, refuseWrongFlags);
    const { calls, many } = await assemble(named.session, command, named.input);
    const denied = line.holdsReads ? await guardRow(named.session, command, calls) : undefined;
    return denied ?? { requests: calls, ...(!many && { reads: 'one' }) };
  }
  if (path === 'apply' && typeof input.args.plan === 'string')
    return appliedJob(session, input, input.args.plan);
  if (path === 'apply') {
    const plan = await madePlan({ ...line, path: 'plan' }, groups);
    const asking = plan === undefined ? [] : await gate.asking(plan);
    return plan && { requests: changesIn(itemsOf(plan)), unapproved: asking.flatMap((one) => one.asked()) };
  }
  if (path === 'jobs resume') return resumedJob(session, gate, String(input.args.job));
  // One that runs a program is not run to find out what it would send.
  const plans = command.passThrough !== true && command.options.some(({ name }) => name === 'save-plan');
  const plan = plans && !excludesPlan(line) ? await madePlan(line, groups) : undefined;
  // A report sends nothing of the plan that it can save.
  const isReport = gatedCommand(path, command, { ...session, input }).effect === 'read';
  return plan && { requests: isReport ? [] : changesIn(itemsOf(plan)) };
}

/** Whether what was typed makes no plan: a list. The flags of output only say how it is printed. */
function excludesPlan({ command: { options, changesWith }, input }: TestedLine): boolean {
  const isTyped = (name: string) => input.options[camel(name)] !== undefined;
  const excludes = options.some(
    ({ name, conflicts = [], standing }) =>
      standing !== true && conflicts.includes('save-plan') && isTyped(name),
  );
  return excludes || changesWith?.some(isTyped) === false;
}

/** @throws DocsError as applying it, unless it is for lack of an approval */
async function appliedJob(session: Session, input: ManualInput, path: string): Promise<TestedJob> {
  const { plan, bytes, reasons } = await loadPlan(session.io, path);
  const facts = factsOf(session, plan, input, { reasons, path });
  checkPlan(session.io, plan, facts);
  refuseGuarded(plan);
  const standing = await approvalOf(session, plan, await savedFile(session, path, bytes), facts);
  return { requests: changesIn(itemsOf(plan)), command: plan.command, ...consentOf(standing) };
}

/** What is left of a job. */
async function resumedJob(session: Session, gate: Gate, name: string): Promise<TestedJob> {
  const job = findJob(session, new JobFolder(session.io), name);
  if (session.gate !== undefined) await refuseOtherJournal(session, job);
  const { planFile, command } = job.header;
  const standing = planFile && session.gate && (await approvalOfJob(session, { job, gate }));
  return { requests: restOf(job), command, ...consentOf(standing) };
}

/** @param standing of the plan that is applied; undefined where no policy asks */
function consentOf(standing: ApprovalStanding | undefined): Pick<TestedJob, 'approved' | 'unapproved'> {
  if (standing === undefined) return {};
  if (standing.reasons.length === 0) return { approved: true };
  const open = standing.policies.filter(({ reasons }) => reasons.length > 0);
  return { unapproved: (open.length > 0 ? open : standing.policies).flatMap((one) => one.asked()) };
}

/**
 * What was typed, without the files that it would write; one that is written without a flag goes into the folder. What is
 * written later is read before.
 */
function onlyReading({ command, input }: TestedLine, folder: string): ManualInput['options'] {
  const files = command.options.filter(({ path }) => path?.use === 'writes' && path.later !== true);
  const kept = files.map(({ name, path }) => [camel(name), path?.usual === undefined ? undefined : folder]);
  return { ...input.options, ...Object.fromEntries(kept) };
}

/** Makes the plan of a command; no other file is written. */
function madePlan(line: TestedLine, groups: readonly GroupEntry[]): Promise<Plan | undefined> {
  return inFolder(async (folder) => {
    const savePlan = join(folder, 'plan.json');
    const planned = { ...onlyReading(line, folder), savePlan };
    await tried({ ...line, globals: { ...line.globals, dryRun: false, yes: true } }, planned, groups);
    return existsSync(savePlan) ? (await loadPlan(line.io, savePlan)).plan : undefined;
  });
}

/** Makes a dry run, which reads what it shows. @returns a row where a read is denied */
async function dryRunRow(line: TestedLine, groups: readonly GroupEntry[]): Promise<Row | undefined> {
  const { danger, effect, passThrough } = line.command;
  if (danger === 'read' || effect === 'local' || passThrough === true || programsOf(line).length > 0)
    return undefined;
  return denial(() => inFolder((folder) => tried(line, onlyReading(line, folder), groups)));
}

async function tried(
  { io, globals, argv, path, input }: TestedLine,
  options: ManualInput['options'],
  groups: readonly GroupEntry[],
): Promise<void> {
  const runLine = () => Promise.reject(new Error('Only one command is tried.'));
  await runCommand({ io, globals, argv, groups, runLine }, path, { ...input, options }, true);
}

/** Works with a folder of its own, which is removed. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-policy-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A command line that is tested and not run. */
interface TestedLine {
  /** Its words after `docs`. */
  argv: readonly string[];
  /** The words of its command. */
  path: string;
  command: Command;
  input: ManualInput;
  globals: Globals;
  /** Prints nowhere, and asks nothing. */
  io: Io;
}

/** @param words what was typed after `--`, with or without `docs` @throws DocsError usage, as running it would */
async function testedLine(
  { io, globals: around }: Session,
  words: readonly string[],
  groups: readonly GroupEntry[],
): Promise<TestedLine> {
  const argv = words[0] === 'docs' ? words.slice(1) : [...words];
  const { path: steps, pathAt, command: outline } = await walkLine(argv, groups, io.platform);
  if (outline === undefined) throw notACommand(steps);
  const { globals, ...typed } = parseCommand(argv, { path: steps, pathAt, command: outline });
  const path = steps.join(' ');
  const { command, ...place } = await commandAt(groups, path);
  return {
    ...{ argv, path, command },
    input: { ...typed, ...place },
    globals: { ...placeOf(around), ...globals, input: false },
    io: silent(io),
  };
}

/** Where to test, as the flags of `docs policy test` say. */
function placeOf({ profile, baseUrl, sandbox, policy, timeout, caFile, debug }: Globals): Globals {
  const place = { profile, baseUrl, sandbox, policy, timeout, caFile, debug };
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}

/** The same world with a reader who takes all and shows nothing: a terminal where the real one is, for titles. */
function silent(io: Io): Io {
  const sink = (stream: { isTTY?: boolean }) => {
    const drain = new PassThrough().resume();
    return stream.isTTY === true ? Object.assign(drain, { isTTY: true }) : drain;
  };
  return derivedIo(io, { stdout: sink(io.stdout), stderr: sink(io.stderr) });
}
