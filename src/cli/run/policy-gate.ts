import { DocsError } from '../../base/errors.js';
import { derivedIo, type Io } from '../../base/io.js';
import { commandLine, withFlags } from '../../base/shell-word.js';
import { operationOf } from '../../jobs/operations.js';
import { actorOf } from '../../policy/actor.js';
import { recordDenial } from '../../policy/audit/append.js';
import { decideLocal } from '../../policy/decide.js';
import { effectOf } from '../../policy/effects.js';
import { closedGate } from '../../policy/gate-of.js';
import { namedPlaces } from '../../policy/place.js';
import type {
  CommandTable,
  Gate,
  GatedCommand,
  OperationCommand,
  Policy,
  Send,
} from '../../policy/policy.js';
import { type PolicyFile, policyFiles, readSettings } from '../../settings/settings.js';
import { type Command, camel, type GroupEntry, type ManualInput } from '../declare/command.js';
import { localWordsOf } from '../declare/local-effects.js';
import { type CommandOutline, isOfOperations, outlineTree } from '../declare/outline.js';
import type { Globals, RunOptions, Session } from '../declare/session.js';
import { presentPath, presentWords } from '../declare/ways.js';
import { keepsJournal } from './session-job.js';

/** The gate of a session, loaded where there is a policy. */

interface Around {
  io: Io;
  argv: readonly string[];
  groups: readonly GroupEntry[];
  /** The words of the command. */
  path: string;
  command: Pick<Command, 'options' | 'repairs'>;
  settings: Session['settings'];
  options?: RunOptions;
  /** Whether denials are not recorded: they are only tested. */
  trial?: boolean;
}

/**
 * Reads the policies.
 * @throws DocsError configuration `policy_invalid` and the like, unless the command is needed to repair them
 */
export async function openGate(around: Around, files: readonly PolicyFile[], send: Send): Promise<Gate> {
  const { io: outer, groups, settings, command, path: words, options } = around;
  const client = options?.client;
  const [{ loadPolicies }, { PolicyGate }] = await Promise.all([
    import('../../policy/read.js'),
    import('../../policy/gate-of.js'),
  ]);
  const table = await commandTable(groups);
  let policies: Policy[];
  try {
    policies = await loadPolicies(files, table);
  } catch (cause) {
    if (command.repairs !== true || !(cause instanceof DocsError)) throw cause;
    return closedGate(cause);
  }
  const withPlan = planInstead(around);
  const places = namedPlaces(policies);
  // The chains of these policies, also before the session has its gate.
  const io = derivedIo(outer, { guardPlaces: () => places });
  return new PolicyGate({
    ...{ io, policies, table, words, send, spent: options?.spent },
    named: async (other) => {
      const words = presentPath(other, groups);
      const found = (await outlineTree(groups)).find(({ path }) => path === words);
      return found && gatedCommand(words, found.command);
    },
    actor: () => actorOf(io, { settings, policy: policies.map(({ hash }) => hash), client }),
    record: async (denial) => {
      if (around.trial !== true) return recordDenial(io, denial);
      options?.onDenied?.(denial);
      return undefined;
    },
    withPlan,
  });
}

/** The same command line with `--save-plan`; undefined where it has none, or makes a plan already. */
function planInstead({ argv, command, io }: Around): string | undefined {
  const flag = '--save-plan';
  const can = command.options.some(({ name }) => `--${name}` === flag);
  if (!can || argv.some((word) => word === flag || word.startsWith(`${flag}=`))) return undefined;
  return commandLine(withFlags(argv, flag, 'plan.json'), io.platform);
}

/**
 * Holds a command against the policies, before anything is read from the platform.
 * @param words those after `docs`
 * @throws DocsError forbidden `policy_denied`; configuration `journal_required`
 */
export async function passGate(
  session: Session,
  words: string,
  command: Command,
  input: ManualInput,
): Promise<void> {
  const gated = gatedCommand(words, command, { ...session, input });
  // What tells why something is denied is never denied itself; its requests are.
  if (command.repairs === true && (gated.effect === 'read' || session.gate?.policies.length === 0)) return;
  await session.gate?.command(gated);
  const sends = gated.effect === 'write' || gated.effect === 'delete';
  if (sends && gated.changes && !gated.carrier) keepsJournal(session);
}

/** Whether the policies in force allow programs, for help, which has no session. Where that cannot be told they do not. */
export async function mayRunPrograms(
  io: Io,
  groups: readonly GroupEntry[],
  policy: string | undefined,
): Promise<boolean> {
  try {
    const files = policyFiles(io, readSettings(io, { policy }));
    if (files.length === 0) return true;
    const { loadPolicies } = await import('../../policy/read.js');
    return decideLocal(await loadPolicies(files, await commandTable(groups)), '', 'programs').is === 'allow';
  } catch {
    return false;
  }
}

/** Of a command, what its declaration does not tell. */
interface Typed {
  globals: Pick<Globals, 'dryRun'>;
  savePlan?: string;
  /** Absent where the job of a command is meant, and not what is typed. */
  input?: ManualInput;
}

/** A command as a policy sees it. @param words those after `docs` */
export function gatedCommand(
  words: string,
  command: CommandOutline | Command,
  { globals, savePlan, input }: Typed = { globals: {} },
): GatedCommand {
  const carrier = command.carrier === true;
  const isTyped = (flag: string) => input === undefined || input.options[camel(flag)] !== undefined;
  const onlyReads = command.changesWith !== undefined && !command.changesWith.some(isTyped);
  const effect = onlyReads ? 'read' : carrier ? 'write' : effectIn(command);
  return {
    words,
    changes: globals.dryRun !== true && savePlan === undefined,
    effect,
    ...(effect === 'local' && { local: localWordsOf(command) }),
    danger: onlyReads ? 'read' : command.danger,
    carrier,
  };
}

function effectIn({
  operations,
  effect,
}: Pick<CommandOutline, 'operations' | 'effect'>): GatedCommand['effect'] {
  const effects = operations.map(({ id }) => effectOf({ op: operationOf(id) }));
  if (effects.includes('delete')) return 'delete';
  if (effects.includes('write')) return 'write';
  return effect ?? 'read';
}

/** What the rules of a policy can name, of the command tree in outline. */
export async function commandTable(groups: readonly GroupEntry[]): Promise<CommandTable> {
  const tree = await outlineTree(groups);
  const operations = new Map<string, OperationCommand>();
  for (const { path, command } of tree.filter((one) => isOfOperations(one.command)))
    for (const { id } of command.operations) operations.set(id, { words: path, danger: command.danger });
  const present = (words: readonly string[]) => presentWords(words, groups);
  return { commands: tree.map(({ path }) => path), operations, present };
}
