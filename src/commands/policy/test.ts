import { resolve } from 'node:path';
import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { commandLine } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { commandTable, gatedCommand, openGate } from '../../cli/run/policy-gate.js';
import { openSession } from '../../cli/run/session.js';
import { type WrittenFile, writtenFiles } from '../../cli/run/written-files.js';
import type { View } from '../../output/printer.js';
import { decideCommand, worstOf } from '../../policy/decide.js';
import type { Gate, GatedCommand, Send, Verdict } from '../../policy/policy.js';
import { type PolicyFile, policyFiles } from '../../settings/settings.js';
import { jobRows, stateRow, testedJob } from './tested-job.js';
import {
  deniedRead,
  isTried,
  isTyped,
  mayDenyReads,
  type NotedLine,
  noteUnknown,
  planRows,
  programsOf,
  type Row,
  type TestedLine,
  testedLine,
  triedReads,
} from './trial.js';

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
    const own: Row = { what: `docs ${path}`, verdict: ownVerdict(gate, inner, line) };
    if (own.verdict.is === 'deny') return [own];
    const before = [own, ...(await written(async () => gate))];
    const isHeld = worstOf(before) !== undefined;
    // What stops it before it begins is its verdict, whatever fails later.
    const later = await laterRows(inner, gate, { ...line, notes: session.printer }, groups).catch(
      (cause: unknown) => {
        if (isHeld && cause instanceof DocsError) return [];
        throw cause;
      },
    );
    return [...before, ...later];
  } finally {
    await inner.close();
  }
}

/** What a command sends once it may begin: its requests, where they are known, and what it reads for them. */
async function laterRows(
  session: Session,
  gate: Gate,
  line: NotedLine,
  groups: readonly GroupEntry[],
): Promise<Row[]> {
  const { command, globals, notes } = line;
  const { effect, changes } = gatedLine(session, line);
  const holdsReads = mayDenyReads(gate, await commandTable(groups));
  const reads = async () => (holdsReads && isTried(line) ? triedReads(line, groups) : []);
  const plan = async () => (holdsReads ? planRows(line, groups) : []);
  const isReport = effect === 'read' && !isPlainRead(line);
  if (effect === 'local' || isReport || globals.dryRun === true) {
    if (effect !== 'local' && !isTried(line) && command.local !== true) noteUnknown(notes);
    // A report sends nothing of the plan that it can save.
    return isReport && session.savePlan !== undefined ? plan() : reads();
  }
  const job = await testedJob(session, gate, { ...line, holdsReads }, groups).catch((cause: unknown) =>
    deniedRead(cause),
  );
  if (job !== undefined && 'what' in job) return [job];
  // The plan of any other was made to know its requests.
  const isOperation = command.spec !== undefined || command.anyRequest === true;
  if (!changes) return isOperation ? plan() : [];
  if (job === undefined) {
    noteUnknown(notes);
    return reads();
  }
  const rows = await jobRows(gate, job);
  // A job that is held as a whole reads nothing.
  const denied = holdsReads && worstOf(rows) === undefined ? await stateRow(session, job) : undefined;
  return [...rows, ...(denied === undefined ? [] : [denied])];
}

/** Whether its request is the one that its line shows. */
function isPlainRead({ command: { spec }, input }: TestedLine): boolean {
  const by = spec?.pages?.by;
  return spec !== undefined && (by === undefined || input.options[by] === undefined);
}

/** What the command would do on this machine: a verdict on each file that it names, and on each program. */
async function localRows(io: Io, line: TestedLine, gateOf: () => Promise<Gate>): Promise<Row[]> {
  const { command, input } = line;
  const named = [...writtenFiles(command, input, io.cwd), ...unnamedFiles(line, io.cwd)];
  const programs = programsOf(line);
  if (named.length + programs.length === 0) return [];
  const gate = await gateOf();
  const { fileVerdicts } = await import('../../cli/run/local-guard.js');
  return [
    ...fileVerdicts(io, gate, named),
    ...programs.map((what) => ({ what: `running ${what}`, verdict: gate.local('programs') })),
  ];
}

/** What is written where no flag says so, into the usual place of a flag: new files, of names that are made then. */
function unnamedFiles(line: TestedLine, cwd: string): WrittenFile[] {
  const { command, globals } = line;
  // The name of a command that works on this machine allows them.
  if (command.effect === 'local' || globals.dryRun === true) return [];
  return command.options.flatMap(({ name, path }) => {
    if (path?.use !== 'writes' || path.usual === undefined || path.later === true) return [];
    const isLeftOut = command.options.some(
      (other) => isTyped(line, other.name) && (other.name === name || other.conflicts?.includes(name)),
    );
    const file = { path: resolve(cwd, path.usual, '*'), name: `files into ${path.usual}` };
    return isLeftOut ? [] : [{ ...file, isFolder: false, isNow: true }];
  });
}

/** The command of a line as a policy sees it. */
function gatedLine(session: Session, { path, command, input }: TestedLine): GatedCommand {
  return gatedCommand(path, command, { ...session, input });
}

function ownVerdict({ policies }: Gate, session: Session, line: TestedLine): Verdict {
  const gated = gatedLine(session, line);
  // What tells why something is denied is never denied itself.
  const isExempt = line.command.repairs === true && gated.effect === 'read';
  return isExempt ? { is: 'allow' } : decideCommand(policies, gated);
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
