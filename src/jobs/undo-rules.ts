import type { AnyOperation } from '../api/operation.js';
import { aboutOperation } from '../model/resources.js';
import { type Forecast, type Rule, surenesses } from './rule.js';
import { RuleBook } from './rule-book.js';
import { definitions } from './rules/definitions.js';
import { discussions } from './rules/discussions.js';
import { people } from './rules/people.js';
import { sites } from './rules/sites.js';
import { spaces } from './rules/spaces.js';

/** The rules of all operations, for plans, undo and previews. A run loads only its own: `loadRules`. */
export const allRules = new RuleBook(
  [people, definitions, spaces, discussions, sites],
  (id) => aboutOperation(id)?.resource,
);

export function ruleOf(op: AnyOperation): Rule {
  return allRules.ruleOf(op);
}

/** What undo can do at least about what an operation sends: by a body without fields, and by one with all of them. */
export function leastForecast(op: AnyOperation): Forecast {
  const whole = Object.fromEntries(Object.keys(op.body?.properties ?? {}).map((field) => [field, 'x']));
  const found = [{}, whole].map((body) => ruleOf(op).forecast({ path: {}, query: {}, body }));
  return found.reduce((a, b) => (surenesses.indexOf(b.undo) > surenesses.indexOf(a.undo) ? b : a));
}
