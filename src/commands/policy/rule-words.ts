import type { Budget, Policy, Rule } from '../../policy/policy.js';
import { formatDuration } from '../../settings/duration.js';

/** What a policy says, in words. */

type List = 'allow' | 'deny' | 'ask';

const endings: Record<List, string> = {
  allow: 'may run',
  deny: 'is denied',
  ask: 'requires an approved plan',
};

/** `docs members update where role is admin is denied`. */
export function ruleWords(list: List, rule: Rule): string {
  if (rule.read) return `Everything that only reads ${endings[list]}`;
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
  if (name !== 'undo') return `where ${name} is ${value}`;
  if (list === 'allow')
    return value === 'exact' ? 'with an exact undo' : `with an undo that is ${value} or better`;
  return value === 'none' ? 'that cannot be undone' : `with an undo that is ${value} or worse`;
}

/** @param left how many of it are left */
export function budgetWords({ what, most, per }: Budget, left: number): string {
  const verb = what === 'writes' ? 'changed or deleted' : 'deleted';
  const used = per === 'run' ? '' : `; ${left} left`;
  return `At most ${most} can be ${verb} per ${per}${used}`;
}

/** Who approves plans, one line each. */
export function approveWords({ approve, ask }: Policy): { rule: string; means: string }[] {
  if (approve === undefined)
    return ask.length === 0
      ? []
      : [{ rule: 'approve', means: 'Nobody can approve a plan: "approve" is missing' }];
  const span = `for ${spanWords(approve.validMs)}`;
  const { by = [], git, rehearse } = approve;
  const rehearsed = rehearse === true ? ' that docs approve rehearses on a copy' : '';
  const people = by.map(({ email }) => ({
    rule: `approve ${email}`,
    means: `${email} may approve plans${rehearsed}; an approval holds ${span}`,
  }));
  if (git === undefined) return people;
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
