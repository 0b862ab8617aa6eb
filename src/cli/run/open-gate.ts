import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { actorOf } from '../../policy/actor.js';
import { recordDenial } from '../../policy/audit/append.js';
import { closedGate, PolicyGate } from '../../policy/gate-of.js';
import type { Gate, Policy, Send } from '../../policy/policy.js';
import { loadPolicies } from '../../policy/read.js';
import type { PolicyFile } from '../../settings/policy-files.js';
import type { Command, GroupEntry } from '../declare/command.js';
import { outlineTree } from '../declare/outline.js';
import type { RunOptions } from '../declare/run-line.js';
import type { Session } from '../declare/session.js';
import { commandTable } from './command-table.js';
import { gatedCommand } from './gated.js';

/** The gate of a session, loaded where there is a policy. */

export interface Around {
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
  const { io, groups, settings, command, path: words, options } = around;
  const client = options?.client;
  const table = await commandTable(groups);
  let policies: Policy[];
  try {
    policies = await loadPolicies(files, table);
  } catch (cause) {
    if (command.repairs !== true || !(cause instanceof DocsError)) throw cause;
    return closedGate(cause);
  }
  const withPlan = planInstead(around);
  return new PolicyGate({
    ...{ io, policies, table, words, send },
    named: async (other) => {
      const found = (await outlineTree(groups)).find(({ path }) => path === other);
      return found && gatedCommand(other, found.node);
    },
    actor: () => actorOf(io, { settings, policy: policies.map(({ hash }) => hash), ...defined({ client }) }),
    record: async (denial) => (around.trial === true ? undefined : recordDenial(io, denial)),
    ...(withPlan !== undefined && { withPlan }),
  });
}

/** The same command line with `--save-plan`; undefined where it has none, or makes a plan already. */
function planInstead({ argv, command, io }: Around): string | undefined {
  const flag = '--save-plan';
  const can = command.options.some(({ name }) => `--${name}` === flag);
  if (!can || argv.some((word) => word === flag || word.startsWith(`${flag}=`))) return undefined;
  const end = argv.indexOf('--');
  const [before, after] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  const words = ['docs', ...before, flag, 'plan.json', ...after];
  return words.map((word) => shellWord(word, io.platform)).join(' ');
}
