import { resolve } from 'node:path';
import { outlineTree } from '../../cli/declare/outline.js';
import type { Session } from '../../cli/declare/session.js';
import { commandTable, gatedCommand } from '../../cli/run/policy-gate.js';
import type { Report } from '../../cli/run/run-report.js';
import type { View } from '../../output/printer.js';
import { budgetText, remaining } from '../../policy/budget.js';
import { anyValue, verdictOn } from '../../policy/decide.js';
import type { Budget, LocalWord, Policy, Rule } from '../../policy/policy.js';
import { loadPolicies } from '../../policy/read.js';
import { formatDuration } from '../../settings/duration.js';
import { policyFiles } from '../../settings/settings.js';

/** `docs policy explain`: the policies in words, or the verdict on every command. Sends nothing. */
export const explainReport: Report<{ policies: Policy[]; rows: readonly object[] }> = {
  /** @throws DocsError configuration `policy_invalid`, `policy_not_found` */
  async read({ session, input: { args, options }, groups }) {
    const { io, settings } = session;
    const table = await commandTable(groups);
    const named =
      typeof args.file === 'string'
        ? [{ path: resolve(io.cwd, args.file), source: 'the command line' }]
        : policyFiles(io, settings);
    const policies = await loadPolicies(named, table);
    if (options.all !== true)
      return { policies, rows: policies.flatMap((policy) => rowsOf(session, policy)) };
    const tree = await outlineTree(groups);
    const rows = tree.map(({ path, command }) =>
      verdictOn(policies, gatedCommand(path, command), command.operations, table),
    );
    return { policies, rows };
  },
  one: 'line',
  rows: ({ rows }) => rows,
  rowView: ({ input, view }) => (input.options.all === true ? commandView : view),
  end: ({ policies }) =>
    policies.length > 1 ? { note: 'All of these policies must allow a change.' } : undefined,
};

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
    ...(policy.state === undefined
      ? []
      : [row('state', policy.state, `Audit chain and budgets are in ${policy.state}`, lines.state ?? 1)]),
    ...remaining(io, policy).map(({ budget, left }) =>
      row('budget', budgetText(budget), budgetWords(budget, left), budget.line),
    ),
  ];
}

function manyOrgs({ orgs = [] }: Policy): string {
  return orgs.length > 1 ? ' or another one that is listed' : '';
}

/** What a policy says, in words. */

type List = 'allow' | 'deny' | 'ask';

const endings: Record<List, string> = {
  allow: 'may run',
  deny: 'is denied',
  ask: 'requires an approved plan',
};

const localWords: Record<LocalWord, string> = {
  files: 'Replacing files, and writing directories and outside of the working one,',
  programs: 'Running editors, pagers, browsers and scripts',
};

/** `docs members update where role is admin is denied`. */
function ruleWords(list: List, rule: Rule): string {
  if (rule.read) return `Everything that only reads ${endings[list]}`;
  if (rule.local !== undefined) return `${localWords[rule.local]} ${endings[list]}`;
  const conditions = rule.attributes.map(({ name, value }) => conditionWords(list, name, value));
  const where = conditions.length === 0 ? '' : ` ${conditions.join(' and ')}`;
  return `${subjectWords(list, rule.words)}${where} ${endings[list]}`;
}

function subjectWords(list: List, words: readonly string[]): string {
  // Reads are in no plan.
  const every = list === 'ask' ? 'Every change' : 'Every command';
  if (words.length === 1 && words[0] === '*') return every;
  if (words.at(-1) === '*' && words.filter((word) => word === '*').length === 1)
    return `${every} of docs ${words.slice(0, -1).join(' ')}`;
  return words.includes('*') ? `${every} docs ${words.join(' ')}` : `docs ${words.join(' ')}`;
}

function conditionWords(list: List, name: string, value: string): string {
  const reach = list === 'allow' ? 'or less' : 'or more';
  if (name === 'danger') return `with danger ${value} ${reach}`;
  if (name === 'exposes') return exposureWords(value);
  if (name !== 'undo') return value === anyValue ? `that sets ${name}` : `where ${name} is ${value}`;
  if (list === 'allow')
    return value === 'exact' ? 'with an exact undo' : `with an undo that is ${value} or better`;
  return value === 'none' ? 'that cannot be undone' : `with an undo that is ${value} or worse`;
}

const exposed: Readonly<Record<string, string>> = {
  any: 'that gives a role, publishes or opens sign-up',
  none: 'that gives no role, publishes nothing and opens no sign-up',
  role: 'that gives a role',
  public: 'that publishes something',
  'sign-up': 'that lets more people join',
};

function exposureWords(value: string): string {
  return exposed[value] ?? `that exposes ${value}`;
}

/** @param left how many of it are left */
function budgetWords({ what, most, per }: Budget, left: number): string {
  const verb = what === 'writes' ? 'changed or deleted' : 'deleted';
  const used = per === 'run' ? '' : `; ${left} left`;
  return `At most ${most} can be ${verb} per ${per}${used}`;
}

/** Who approves plans, one line each. */
function approveWords({ approve, ask }: Policy): { rule: string; means: string }[] {
  if (approve === undefined)
    return ask.length === 0
      ? []
      : [{ rule: 'approve', means: 'No one can approve a plan: "approve" is missing' }];
  const span = `for ${spanWords(approve.validMs)}`;
  const { by = [], git, rehearse, fourEyes } = approve;
  const rehearsed = rehearse === true ? ' that docs plan approve rehearses on a copy' : '';
  const people = by.map(({ email }) => ({
    rule: `approve ${email}`,
    means: `${email} may approve plans${rehearsed}; an approval is valid ${span}`,
  }));
  const own =
    fourEyes === true
      ? 'People cannot approve plans made with their own account, not even by an agent'
      : 'People cannot approve their own plans, but may approve one that an agent made with their account';
  if (git === undefined) return [...people, { rule: `fourEyes: ${fourEyes === true}`, means: own }];
  const rule = `approve ${git.remote} ${git.branch}`;
  return [
    ...people,
    { rule, means: `A plan on branch ${git.branch} of ${git.remote} is approved ${span} after it was made` },
  ];
}

function spanWords(ms: number): string {
  const dayMs = 86_400_000;
  return ms % dayMs === 0 && ms > dayMs ? `${ms / dayMs}d` : formatDuration(ms);
}
