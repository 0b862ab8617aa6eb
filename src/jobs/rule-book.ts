import type { AnyOperation } from '../api/operation.js';
import { unknownOperation } from './change.js';
import type { JobItem } from './journal.js';
import type { Rule, Rules } from './rule.js';
import type { Family } from './rules/builders.js';

/** The families of operations, by the first word of their ids: declarations and rules are loaded by these. */
const families: readonly [load: () => Promise<Family>, ...words: string[]][] = [
  [
    async () => (await import('./rules/people.js')).people,
    ...['orgs', 'invites', 'members', 'teams', 'team-members'],
  ],
  [
    async () => (await import('./rules/definitions.js')).definitions,
    ...['saml', 'translations', 'custom-fields', 'openapi'],
  ],
  [async () => (await import('./rules/spaces.js')).spaces, 'spaces', 'space-fields', 'collections'],
  [
    async () => (await import('./rules/discussions.js')).discussions,
    ...['change-requests', 'content', 'change-request-content', 'comments', 'comment-replies'],
    ...['change-request-comments', 'change-request-comment-replies'],
  ],
  [
    async () => (await import('./rules/sites.js')).sites,
    ...['sites', 'adaptive-schemas', 'site-spaces', 'sections', 'section-groups'],
  ],
];

/** For an operation without a rule; a test holds that every operation has one. */
const unknown: Rule = {
  forecast: () => ({ undo: 'none', why: 'docs has no undo for this operation' }),
};

/** A read changes nothing, so it stands in the way of no undo, and may be sent again. */
const reading: Rule = { forecast: () => ({ undo: 'exact' }), harmless: true };

/** The rules of some families of operations, and the operations that these name. */
export class RuleBook {
  readonly #operations: ReadonlyMap<string, AnyOperation>;
  readonly #table: Family['rules'];
  /** The rules that were asked for: a command sends one operation of all of them, or a few. */
  readonly #made = new Map<string, Rule>();

  constructor(parts: readonly Family[]) {
    this.#operations = new Map(parts.flatMap(({ operations }) => operations).map((op) => [op.id, op]));
    this.#table = Object.assign({}, ...parts.map(({ rules }) => rules));
  }

  /** @throws Error where the family of a change was not loaded */
  ruleOf(op: AnyOperation): Rule {
    const rule = this.#rule(op.id);
    if (rule !== undefined) return rule;
    if (op.method === 'GET') return reading;
    this.#checkLoaded(op.id);
    return unknown;
  }

  /** The rule of an operation by its id. @throws DocsError configuration `unknown_operation`; as `ruleOf` */
  ruleNamed(id: string): Rule {
    const op = this.#operations.get(id);
    if (op !== undefined) return this.ruleOf(op);
    this.#checkLoaded(id);
    throw unknownOperation(id);
  }

  /** Operations by their ids. @throws Error where one is in a family that was not loaded */
  operationsOf(ids: readonly string[]): AnyOperation[] {
    return ids.flatMap((id) => {
      const op = this.#operations.get(id);
      if (op === undefined) this.#checkLoaded(id);
      return op ?? [];
    });
  }

  /** The rules of all operations, by their ids. */
  all(): Rules {
    return Object.fromEntries(Object.keys(this.#table).map((id) => [id, this.#rule(id) as Rule]));
  }

  #rule(id: string): Rule | undefined {
    const known = this.#made.get(id);
    const declared = this.#table[id];
    if (known !== undefined || declared === undefined) return known;
    const [op] = this.operationsOf([id]);
    if (op === undefined) throw unknownOperation(id);
    const rule = typeof declared === 'function' ? declared(op, (ids) => this.operationsOf(ids)) : declared;
    this.#made.set(id, rule);
    return rule;
  }

  #checkLoaded(id: string): void {
    const isDeclared = families.some(([, ...words]) => words.includes(wordOf(id)));
    const isLoaded = [...this.#operations.keys()].some((own) => wordOf(own) === wordOf(id));
    if (isDeclared && !isLoaded) throw new Error(`The rules of ${id} were not loaded for this run.`);
  }
}

/** The rules of the families of these operations: what a run loads before it begins. */
export async function loadRules(ids: readonly string[]): Promise<RuleBook> {
  const named = new Set(ids.map(wordOf));
  const needed = families.filter(([, ...words]) => words.some((word) => named.has(word)));
  return new RuleBook(await Promise.all(needed.map(([load]) => load())));
}

/** The same for the steps of a job; an undo also reads what it restores. */
export function rulesOfSteps(steps: readonly JobItem[]): Promise<RuleBook> {
  return loadRules([
    ...new Set(steps.flatMap(({ change: { op, restores } }) => [op.id, restores?.op ?? op.id])),
  ]);
}

function wordOf(id: string): string {
  return id.split('.')[0] ?? '';
}
