import type { AnyOperation } from '../api/operation.js';
import { unknownOperation } from './change.js';
import type { JobItem } from './journal.js';
import type { Rule, Rules } from './rule.js';
import type { Family, FindOperations, ResourceOf, RuledResource } from './rules/makers.js';
import { plainRules } from './rules/plain.js';

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

  /** What an operation is about. */
  readonly resourceOf: ResourceOf;
  readonly #find: FindOperations;

  constructor(parts: readonly Family[], resourceOf: ResourceOf) {
    this.resourceOf = resourceOf;
    this.#find = Object.assign((ids: readonly string[]) => this.operationsOf(ids), { resourceOf });
    this.#operations = new Map(parts.flatMap(({ operations }) => operations).map((op) => [op.id, op]));
    const plain = Object.entries(plainRules).filter(([id]) => this.#operations.has(id));
    this.#table = Object.assign(Object.fromEntries(plain), ...parts.map(({ rules }) => rules));
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
    const rule = typeof declared === 'function' ? declared(op, this.#find) : declared;
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
  const [{ aboutOperation }, ...parts] = await Promise.all([
    import('../model/resources.js'),
    ...needed.map(([load]) => load()),
  ]);
  return new RuleBook(parts, (id) => aboutOperation(id)?.resource);
}

/** An operation of a record (cli/run/change-record.ts), whose rule is a plain one. */
export interface RecordedOperation extends AnyOperation {
  /** Operations that its rule finds by their ids, or its resource names. */
  found: readonly AnyOperation[];
  resource: RuledResource;
}

/** The rules of operations, and of others by their ids; those of records load no family. */
export async function rulesOf(
  operations: readonly AnyOperation[],
  others: readonly string[] = [],
): Promise<RuleBook> {
  if (others.length > 0 || !operations.every(isRecorded))
    return loadRules([...new Set([...operations.map(({ id }) => id), ...others])]);
  const parts = [{ operations: operations.flatMap((op) => [op, ...op.found]), rules: {} }];
  return new RuleBook(parts, (id) => operations.find((op) => op.id === id)?.resource);
}

function isRecorded(op: AnyOperation): op is RecordedOperation {
  return 'found' in op;
}

/** The same for the steps of a job; an undo also reads what it restores. */
export function rulesOfSteps(steps: readonly JobItem[]): Promise<RuleBook> {
  const changes = steps.map(({ change }) => change);
  return rulesOf(
    changes.map(({ op }) => op),
    changes.flatMap(({ restores }) => restores?.op ?? []),
  );
}

function wordOf(id: string): string {
  return id.split('.')[0] ?? '';
}
