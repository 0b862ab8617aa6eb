import { resolve } from 'node:path';
import type { GroupEntry } from '../../cli/declare/command.js';
import { outlineTree } from '../../cli/declare/outline.js';
import type { Session } from '../../cli/declare/session.js';
import { commandTable } from '../../cli/run/command-table.js';
import { gatedCommand } from '../../cli/run/gated.js';
import type { View } from '../../output/printer.js';
import { budgetText, remaining } from '../../policy/budget.js';
import { verdictOn } from '../../policy/command-verdicts.js';
import type { Policy } from '../../policy/policy.js';
import { loadPolicies } from '../../policy/read.js';
import { policyFiles } from '../../settings/policy-files.js';
import { approveWords, budgetWords, ruleWords } from './rule-words.js';

/**
 * `docs policy explain`: the policies in words, or the verdict on every command. Sends nothing.
 * @param wanted.file of a policy; default: all that are in force
 * @throws DocsError configuration `policy_invalid`, `policy_not_found`
 */
export async function explainPolicies(
  session: Session,
  { file, all }: { file: string | undefined; all: boolean },
  groups: readonly GroupEntry[],
  view: View,
): Promise<void> {
  const { io, settings, printer } = session;
  const shown = all ? commandView : view;
  await printer.check(shown);
  const table = await commandTable(groups);
  const named =
    file === undefined
      ? policyFiles(io, settings)
      : [{ path: resolve(io.cwd, file), source: 'the command line' }];
  const policies = await loadPolicies(named, table);
  if (all) {
    const tree = await outlineTree(groups);
    const rows = tree.map(({ path, node }) =>
      verdictOn(policies, gatedCommand(path, node), node.operations, table),
    );
    await printer.list(rows, shown);
  } else {
    const rows = policies.flatMap((policy) => rowsOf(session, policy));
    await printer.list(rows, shown);
  }
  if (policies.length > 1) printer.note('All of these policies must allow what is done.');
}

const commandView: View = {
  columns: [
    { path: 'verdict', keep: true },
    { path: 'command', keep: true },
    { path: 'rule' },
    { path: 'unless' },
  ],
  fields: ['command', 'verdict', 'rule', 'file', 'line', 'unless'],
  id: 'command',
};

interface Row {
  about: string;
  rule: string;
  means: string;
  file: string;
  line: number;
}

/** In the order in which they decide. */
function rowsOf({ io }: Session, policy: Policy): Row[] {
  const { file, lines = { default: 1, orgs: 1 } } = policy;
  const row = (about: string, rule: string, means: string, line: number): Row => ({
    about,
    rule,
    means,
    file,
    line,
  });
  const listed = (['deny', 'ask', 'allow'] as const).map((list) =>
    policy[list].map((rule) => row(list, rule.text, ruleWords(list, rule), rule.line)),
  );
  const [denied = [], asked = [], allowed = []] = listed;
  const rest = policy.default === 'deny' ? 'Everything else is denied' : 'Everything else may run';
  return [
    ...denied,
    ...(policy.orgs ?? []).map((id) =>
      row('orgs', id, `Only organization ${id}${manyOrgs(policy)}`, lines.orgs),
    ),
    ...policy.protect.map(({ kind, name, line }) =>
      row('protect', `${kind}:${name}`, `The ${kind} ${name} is never changed or deleted`, line),
    ),
    ...asked,
    ...approveWords(policy).map(({ rule, means }) => row('approve', rule, means, policy.approve?.line ?? 1)),
    ...allowed,
    row('default', `default: ${policy.default}`, rest, lines.default),
    ...remaining(io, policy).map(({ budget, left }) =>
      row('budget', budgetText(budget), budgetWords(budget, left), budget.line),
    ),
  ];
}

function manyOrgs({ orgs = [] }: Policy): string {
  return orgs.length > 1 ? ' or another one that is listed' : '';
}
