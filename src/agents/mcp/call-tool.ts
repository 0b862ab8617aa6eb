import fs from 'node:fs';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { DocsError, notSent, usageError } from '../../base/errors.js';
import { defined, isObject } from '../../base/values.js';
import { commandTree, type TreeEntry } from '../../cli/declare/outline.js';
import {
  type DescribedCommand,
  type DescribedOption,
  describe as describeFully,
} from '../../cli/help/describe.js';
import { argumentUsage } from '../../cli/help/help.js';
import type { JsonSchema } from '../../cli/help/plain-schema.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { operationOf } from '../../jobs/request.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { loadPlan, readPlan } from '../../plans/file.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { changeText, fieldChanges } from '../../plans/show/summary.js';
import { findCommands, isAboutContent } from '../find/find-commands.js';
import { type Answer, failed, failure, Results, resultOf } from './answer.js';
import { type Caller, Calls, errorOf, type McpWorld } from './calls.js';
import { isPlannable, refuseUnsafe } from './guard.js';
import { Plans, plansLastMs } from './plans.js';
import { type Reading, read, resultIn, usualLimit } from './read.js';
import { type ToolName, tools } from './tools.js';

/** `docs_plan`: what a change would send, kept under a handle. Sends nothing but GET. */

/** Findings that an answer shows. */
const shownLeft = 20;

/** A plan that was made, or the answer that tells why not. */
type Made = { handle: string; file: string; plan: Plan } | { answer: Answer };

/** @throws DocsError usage: nothing was sent */
async function plan(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  argv: readonly string[],
  caller: Caller,
): Promise<Answer> {
  const made = await makePlan(world, calls, plans, argv, caller);
  return 'answer' in made ? made.answer : { value: planValue(made), long: 'requests', foreign: foreignKeys };
}

/** Makes the plan of a change. @throws DocsError usage: nothing was sent */
async function makePlan(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  argv: readonly string[],
  caller: Caller,
): Promise<Made> {
  const line = await world.parse(argv);
  refuseUnsafe(world, line, 'plan');
  if (!isPlannable(line.command)) throw notPlannable(line.path, line.command.danger === 'read');
  const { handle, file } = plans.create();
  const flags = [`--save-plan=${file}`];
  const ran = await calls.run(argv, line, flags, caller, { readOnly: true, stops: false });
  if (!fs.existsSync(file)) {
    if (ran.code !== 0) return { answer: failed(errorOf(ran), {}, ['error']) };
    const notes = ran.notes.slice(0, 20);
    return { answer: { value: { counts: {}, notes }, foreign: ['notes'] } };
  }
  if (ran.code !== 0) plans.remove(handle);
  if (ran.code !== 0) return { answer: failed(errorOf(ran), {}, ['error']) };
  return { handle, file, plan: await readPlan(world.io, file) };
}

function notPlannable(path: string, isRead: boolean) {
  const way = isRead
    ? 'use docs_read'
    : 'it changes nothing on the platform, or applies what is planned already';
  return usageError('not_plannable', `docs ${path} cannot be planned: ${way}. Nothing was sent.`);
}

/** Keys whose texts quote the platform: bodies, titles, sentences that name them. */
const foreignKeys = ['title', 'risks', 'requests', 'left'];

/** A plan as an answer tells it. */
function planValue({ handle, file, plan: made }: { handle: string; file: string; plan: Plan }) {
  const sent = made.operations.filter(({ request }) => request !== undefined);
  const left = made.operations.filter(({ request }) => request === undefined);
  const undo = { exact: 0, 'best-effort': 0, none: 0 };
  for (const operation of sent) undo[operation.undo] += 1;
  return {
    plan: handle,
    expires: new Date(Date.parse(made.madeAt) + plansLastMs).toISOString(),
    file,
    counts: made.counts,
    undo,
    ...defined({ organization: made.organization, title: made.title }),
    ...(made.risks.length > 0 && { risks: made.risks }),
    requests: sent.map(requestOf),
    total: sent.length,
    ...(left.length > 0 && {
      left: left.slice(0, shownLeft).map(({ finding }) => finding?.message ?? ''),
    }),
  };
}

/** What is sent, with what the plan says of it. */
function requestOf(operation: PlanOperation): Record<string, unknown> {
  const { request, kind, key, action, undo, why, risk } = operation;
  const { method, path, query, body } = request ?? {};
  const change = fieldChanges(operation).map(changeText).join(', ') || undefined;
  return defined({ method, path, query, body, kind, key, action, change, undo, why, risk });
}

/** `docs_describe`: one command, in few words. */

/** Most characters of a description. */
const mostDescribed = 2400;

/** A command in short: as long as it may be, with less and less where it is too long. */
export function describeCommand(entry: TreeEntry): Record<string, unknown> {
  const full = describeFully(entry);
  const steps: readonly Detail[] = [
    { text: 200, fields: 40, examples: 2, names: false },
    { text: 90, fields: 30, examples: 1, names: false },
    { text: 60, fields: 20, examples: 1, names: false },
    { text: 40, fields: 12, examples: 1, names: false },
    { text: 40, fields: 12, examples: 1, names: true },
    { text: 20, fields: 6, examples: 0, names: true },
  ];
  const found = steps
    .map((detail) => told(entry, full, detail))
    .find((one) => JSON.stringify(one).length <= mostDescribed);
  return found ?? { command: entry.path, usage: full.usage, more: pageOf(entry.path) };
}

/** Limits of a description: characters of a text, fields of the result, examples. */
interface Detail {
  text: number;
  fields: number;
  examples: number;
  names: boolean;
}

function told(entry: TreeEntry, full: DescribedCommand, detail: Detail): Record<string, unknown> {
  const { command, path } = entry;
  const { text, names, examples } = detail;
  const fields = fieldsOf(full.result);
  const shown = fields.slice(0, detail.fields);
  return defined({
    command: path,
    summary: full.summary,
    why: full.why && short(full.why, text * 2),
    usage: full.usage,
    tool: toolOf(entry),
    danger: full.danger,
    arguments: full.args.map(
      (argument) => `${argumentUsage({ ...argument, variadic: false })} ${short(argument.description, text)}`,
    ),
    flags: full.options
      .filter(({ name }) => !['save-plan', 'show', 'encoding'].includes(name))
      .map((option) => (names ? option.flags : flagText(option, text))),
    result: [...shown, ...(fields.length > shown.length ? ['…'] : [])].join(', '),
    undo: undoOf(command.operations.filter(({ method }) => method !== 'GET').map(({ id }) => id)),
    examples: full.examples.slice(0, examples).map(({ run }) => run),
    more: pageOf(path),
  });
}

/** The reference page that has all of it. */
function pageOf(path: string): string {
  return `docs://reference/${path.split(' ')[0]}`;
}

/** The tool that runs it; undefined for commands of this machine. */
function toolOf({ command }: Pick<TreeEntry, 'command'>): string | undefined {
  const { danger, actsHere, effect } = command;
  if (danger === 'read' && actsHere !== true && effect !== 'local') return 'docs_read';
  return isPlannable(command) ? 'docs_plan' : undefined;
}

function flagText(
  { flags, description, limits = {}, choices = [], required }: DescribedOption,
  text: number,
) {
  const bounds = Object.entries(limits)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${String(value)}`);
  const about = [short(description, text), ...bounds, ...(required ? ['required'] : [])];
  const values = choices.length === 0 ? '' : ` [${choices.slice(0, 8).join('|')}]`;
  return `${flags}: ${about.join('; ')}${values}`;
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** Names at the top of what is printed; of a list, those of an item. */
function fieldsOf(schema: JsonSchema): string[] {
  const names = new Set<string>();
  const visit = (at: unknown, depth: number): void => {
    if (!isObject(at) || depth > 6) return;
    const { $ref, properties, items, anyOf } = at;
    if (typeof $ref === 'string' && isObject(schema.$defs))
      visit(schema.$defs[$ref.replace('#/$defs/', '')], depth + 1);
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    visit(items, depth + 1);
    if (Array.isArray(anyOf)) for (const branch of anyOf) visit(branch, depth + 1);
  };
  visit(schema, 0);
  return [...names];
}

/** What undo can do as far as the kind of change shows; a plan tells it for each request. */
function undoOf(operations: readonly string[]): string | undefined {
  if (operations.length === 0) return undefined;
  if (operations.length > 4) return 'depends on the change; docs_plan tells';
  return [...new Set(operations.map(forecastOf))].join(' or ');
}

function forecastOf(id: string): string {
  try {
    const { undo, why } = ruleOf(operationOf(id)).forecast({ path: {}, query: {}, body: {} });
    return why === undefined ? undo : `${undo}: ${short(why, 120)}`;
  } catch {
    return 'depends on the change; docs_plan tells';
  }
}

/** What all connections of one server share. */
export class Desk {
  readonly world: McpWorld;
  readonly calls: Calls;
  readonly results = new Results();
  readonly #plans: Plans;
  #tree: Promise<TreeEntry[]> | undefined;

  constructor(world: McpWorld) {
    this.world = world;
    this.calls = new Calls(world);
    this.#plans = new Plans(world.io);
  }

  /** All commands, loaded once. */
  tree(): Promise<TreeEntry[]> {
    this.#tree ??= commandTree(this.world.groups);
    return this.#tree;
  }

  /**
   * Runs a tool. What goes wrong in it is an answer, not an error of the protocol.
   * @throws ProtocolError for an unknown tool, and for arguments that do not fit its schema
   */
  async call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<CallToolResult> {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `unknown tool ${JSON.stringify(name.slice(0, 60))}`,
      );
    const wrong = misfit(tool.inputSchema, given);
    if (wrong !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${name}: ${wrong}`);
    const answer = await this.#answer(tool.name, given, caller).catch(failure);
    return resultOf(answer, this.results);
  }

  #answer(name: ToolName, given: Readonly<Record<string, unknown>>, caller: Caller): Promise<Answer> {
    const { world, calls } = this;
    // Checked against the schema of the tool.
    const argv = given.argv as readonly string[];
    const handlers: Record<ToolName, () => Promise<Answer>> = {
      docs_find: () => this.#find(String(given.words)),
      docs_describe: () => this.#describe(String(given.command)),
      docs_read: () => read(world, calls, given as unknown as Reading, caller),
      docs_plan: () => plan(world, calls, this.#plans, argv, caller),
      docs_apply: () => apply(world, calls, this.#plans, String(given.plan), caller),
      docs_change: () => change(world, calls, this.#plans, argv, caller),
      docs_job: () => job(world, calls, given, caller),
    };
    return handlers[name]();
  }

  async #find(words: string): Promise<Answer> {
    const tree = await this.tree();
    const found = findCommands(words, tree);
    const commands = found.map(({ path, summary }) => {
      const entry = tree.find((one) => one.path === path);
      const tool = entry && toolOf(entry);
      return `${path}: ${summary}${tool === undefined ? '' : ` (${tool})`}`;
    });
    const note = 'To search the content itself, use docs_read ["orgs","search","<words>"].';
    return {
      value: { commands, ...((isAboutContent(found) || found.length === 0) && { note }) },
      foreign: [],
    };
  }

  async #describe(typed: string): Promise<Answer> {
    const words = typed
      .trim()
      .replace(/^docs\s+/, '')
      .split(/\s+/);
    const tree = await this.tree();
    const entry = tree.find(({ path }) => path === words.join(' '));
    if (entry !== undefined) return { value: describeCommand(entry), foreign: [] };
    const near = tree.filter(({ path }) => path.startsWith(`${words.join(' ')} `)).map(({ path }) => path);
    const known = near.length === 0 ? '' : ` Its commands: ${near.join(', ')}.`;
    const what = near.length === 0 ? 'not found; docs_find finds commands' : 'is a group';
    throw usageError('unknown_command', `${JSON.stringify(typed.slice(0, 80))} ${what}.${known}`);
  }
}

interface Property {
  type?: string;
  minimum?: number;
}

/** Why arguments do not fit a schema of tools.ts, which has only these keywords; undefined where they do. */
function misfit(
  {
    properties = {},
    required = [],
  }: { properties?: object | undefined; required?: readonly string[] | undefined },
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const known = new Map(Object.entries(properties) as [string, Property][]);
  const stray = Object.keys(given).find((name) => !known.has(name));
  if (stray !== undefined) return `unknown argument ${JSON.stringify(stray.slice(0, 60))}`;
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `missing argument ${missing}`;
  for (const [name, schema] of known)
    if (given[name] !== undefined && !fits(given[name], schema)) return `${name} must be ${kindOf(schema)}`;
  return undefined;
}

function fits(value: unknown, { type, minimum }: Property): boolean {
  if (type === 'array') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (type === 'integer') return Number.isInteger(value) && Number(value) >= (minimum ?? 0);
  return typeof value === type;
}

function kindOf({ type, minimum }: Property): string {
  if (type === 'array') return 'a list of texts';
  return type === 'integer' ? `a whole number of at least ${minimum ?? 0}` : `a ${type}`;
}

/** `docs_job`: jobs of this machine, and what undo would do. Never changes anything. */

/** What a call asks for; without a job, all of them. */
interface JobQuestion {
  job?: string;
  undo?: boolean;
}

/** @throws DocsError usage `bad_value` */
async function job(
  world: McpWorld,
  calls: Calls,
  { job: name, undo }: JobQuestion,
  caller: Caller,
): Promise<Answer> {
  const argv = wordsFor(name, undo === true);
  const line = await world.parse(argv);
  const ran = await calls.run(argv, line, [], caller, { readOnly: true, stops: true });
  const value = resultIn(ran, usualLimit);
  if (ran.code !== 0)
    return failed(errorOf(ran), value.result === undefined ? {} : value, ['result', 'notes']);
  const links = name === undefined ? [] : [{ uri: `docs://jobs/${name}`, name: `Job ${name}` }];
  return { value, long: 'result', foreign: ['result', 'notes'], links };
}

function wordsFor(name: string | undefined, undo: boolean): string[] {
  if (name === undefined && undo)
    throw usageError('missing_argument', 'undo needs a job; last is the newest.');
  if (name === undefined) return ['jobs', 'list', `--limit=${usualLimit}`];
  // It must not be taken for a flag.
  if (!/^\w[\w-]*$/.test(name))
    throw usageError('bad_value', `job is not the name of a job: ${JSON.stringify(name)}.`);
  return undo ? ['undo', name, '--dry-run'] : ['jobs', 'show', name];
}

/** `docs_apply` and `docs_change`: the tools that change something. */

/**
 * Applies a plan as `docs apply --yes` does: once, under the policy, with its approvals.
 * @throws DocsError forbidden `policy_required`; usage `unknown_plan`
 */
async function apply(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  handle: string,
  caller: Caller,
): Promise<Answer> {
  requirePolicy(world);
  const file = plans.fileOf(handle);
  const argv = ['apply', file, '--yes'];
  const ran = await calls.run(argv, { end: 1 }, [], caller, { stops: false });
  const job = await jobOf(world, file);
  const found = resultIn(ran, Number.POSITIVE_INFINITY);
  const about = { plan: handle, ...(job !== undefined && { job, undo: `docs undo ${job}` }) };
  const links = job === undefined ? [] : [{ uri: `docs://jobs/${job}`, name: `Job ${job}` }];
  const value = { ...about, ...found };
  if (ran.code === 0) return { value, long: 'result', foreign: ['result', 'notes'], links };
  plans.sweep();
  const { result, notes } = found;
  const rest = { ...about, ...(result !== undefined && { result }), ...(notes !== undefined && { notes }) };
  return { ...failed(errorOf(ran), rest, ['result', 'notes', 'error']), long: 'result', links };
}

/**
 * Makes one change whose undo is exact, by a plan that is applied at once.
 * @throws DocsError forbidden `policy_required`; usage: nothing was sent
 */
async function change(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  argv: readonly string[],
  caller: Caller,
): Promise<Answer> {
  requirePolicy(world);
  const made = await makePlan(world, calls, plans, argv, caller);
  if ('answer' in made) return made.answer;
  const why = whyNot(made.plan);
  if (why === undefined) return apply(world, calls, plans, made.handle, caller);
  const code = why === 'nothing' ? 'nothing_to_change' : 'undo_not_exact';
  const message =
    why === 'nothing'
      ? 'The command would change nothing; nothing was sent.'
      : `docs_change makes one change whose undo is exact, and ${why}. Nothing was sent; its plan can be applied with docs_apply.`;
  const error = notSent('usage', code, message).toJSON();
  return { ...failed(error, planValue(made), foreignKeys), long: 'requests' };
}

/** Why a plan is not one change whose undo is exact. */
function whyNot({ operations }: Plan): string | undefined {
  const sent = operations.filter(({ request }) => request !== undefined);
  const [only] = sent;
  if (only === undefined) return 'nothing';
  if (sent.length > 1) return `this is ${sent.length} changes`;
  if (only.undo === 'exact') return undefined;
  return only.undo === 'none' ? 'this one cannot be undone' : 'this one can be undone only in part';
}

function requirePolicy({ allowWrites, hasPolicy }: McpWorld): void {
  if (allowWrites || hasPolicy) return;
  const message =
    'No policy is in force, and without one this server changes nothing; nothing was sent. ' +
    'Whoever started it can name one with --policy, or allow changes with --allow-writes.';
  throw new DocsError('forbidden', 'policy_required', message, {
    outcome: 'not-sent',
    hint: 'docs policy init --reviewed',
  });
}

/** The job that applied a plan, where there is one. */
async function jobOf({ io }: McpWorld, file: string): Promise<string | undefined> {
  try {
    const { plan } = await loadPlan(io, file);
    return new JobFolder(io).withPlan(plan.id);
  } catch (cause) {
    // The apply itself reports a plan that was edited or cannot be read.
    if (cause instanceof DocsError) return undefined;
    throw cause;
  }
}
