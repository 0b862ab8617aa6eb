import type { AnyOperation } from '../api/operation.js';
import { operationOf } from './change.js';
import type { Rule, Rules } from './rule.js';
import type { RuleTable } from './rules/builders.js';
import { definitions } from './rules/definitions.js';
import { discussions } from './rules/discussions.js';
import { people } from './rules/people.js';
import { sites } from './rules/sites.js';
import { spaces } from './rules/spaces.js';

const table: RuleTable = { ...people, ...definitions, ...spaces, ...discussions, ...sites };

/** The rules that were asked for: a command sends one operation of all of them, or a few. */
const made = new Map<string, Rule>();

function madeRule(id: string): Rule | undefined {
  const known = made.get(id);
  const declared = table[id];
  if (known !== undefined || declared === undefined) return known;
  const rule = typeof declared === 'function' ? declared(operationOf(id)) : declared;
  made.set(id, rule);
  return rule;
}

/** The rules of all operations, by their ids. */
export function allRules(): Rules {
  return Object.fromEntries(Object.keys(table).flatMap((id) => [[id, madeRule(id) as Rule]]));
}

/** For an operation without a rule; a test holds that every operation has one. */
const unknown: Rule = {
  forecast: () => ({ undo: 'none', why: 'docs has no undo for this operation' }),
};

/** A read changes nothing, so it stands in the way of no undo, and may be sent again. */
const reading: Rule = { forecast: () => ({ undo: 'exact' }), harmless: true };

export function ruleOf(op: AnyOperation): Rule {
  return madeRule(op.id) ?? (op.method === 'GET' ? reading : unknown);
}
