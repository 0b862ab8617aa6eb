import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { TSchema } from '../../api/type.js';
import { faultsIn } from '../../api/validate.js';
import { DocsError, notSent, onDiskSync, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { checkOwnFolder, makeFolders } from '../../base/own-files.js';
import { defined, isObject, jsonIn } from '../../base/values.js';
import { camel } from '../../cli/declare/command.js';
import { commandTree, type TreeEntry } from '../../cli/declare/outline.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { loadPlan, readPlan } from '../../plans/file.js';
import { sends } from '../../plans/operation.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { changeText, fieldChanges } from '../../plans/show/summary.js';
import { stateFolder } from '../../settings/paths.js';
import { findCommands, isAboutContent, limitationNote } from '../find/find-commands.js';
import { type Answer, failed, failure, Results, resultOf } from './answer.js';
import { type Caller, Calls, errorOf, type McpWorld, type Ran, withWords } from './calls.js';
import { isPlannable, refuseChange, refuseUnsafe } from './guard.js';
import { describeCommand, type ToolName, toolOf, tools } from './tools.js';

/** What the tools do. */

/** What all connections of one server share. */
export class Desk {
  readonly world: McpWorld;
  readonly calls: Calls;
  readonly results = new Results();
  readonly plans: Plans;
  #tree: Promise<TreeEntry[]> | undefined;

  constructor(world: McpWorld) {
    this.world = world;
    this.calls = new Calls(world);
    this.plans = new Plans(world.io);
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
    if (tool === undefined) throw invalid(`unknown tool ${JSON.stringify(name.slice(0, 60))}`);
    // The package's own type of a schema says less than ours.
    const wrong = misfit(tool.inputSchema as unknown as TSchema, given);
    if (wrong !== undefined) throw invalid(`${name}: ${wrong}`);
    const answer = await this.#answer(tool.name, given, caller).catch(failure);
    return resultOf(answer, this.results);
  }

  #answer(name: ToolName, given: Readonly<Record<string, unknown>>, caller: Caller): Promise<Answer> {
    // Checked against the schema of the tool.
    const argv = given.argv as readonly string[];
    const rows = Array.isArray(given.rows) ? given.rows : undefined;
    const handlers: Record<ToolName, () => Promise<Answer>> = {
      docs_find: () => this.#find(String(given.words)),
      docs_describe: () => this.#describe(String(given.command)),
      docs_read: () => read(this, { ...given, argv } as Reading, caller),
      docs_plan: () => plan(this, argv, caller, rows),
      docs_apply: () => apply(this, String(given.plan), caller),
      docs_change: () => change(this, argv, caller),
      docs_job: () => job(this, given, caller),
    };
    return handlers[name]();
  }

  async #find(words: string): Promise<Answer> {
    const cannot = limitationNote(words);
    if (cannot !== undefined) return { value: { commands: [], note: cannot }, foreign: [] };
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
    const known = near.length === 0 ? '' : `; its commands: ${near.join(', ')}`;
    const what = near.length === 0 ? 'not found; docs_find finds commands' : 'is a group';
    throw usageError('unknown_command', `${JSON.stringify(typed.slice(0, 80))} ${what}${known}`);
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Why arguments do not fit the schema of a tool; undefined where they do. */
function misfit(schema: TSchema, given: Readonly<Record<string, unknown>>): string | undefined {
  const faults = faultsIn(schema, given, 'input');
  const fieldOf = (keyword: string) => faults.find((fault) => fault.keyword === keyword)?.field;
  const stray = fieldOf('additionalProperties');
  if (stray !== undefined) return `unknown argument ${JSON.stringify(stray.slice(0, 60))}`;
  const missing = fieldOf('required');
  if (missing !== undefined) return `missing argument ${missing}`;
  const name = faults[0]?.field.split('.')[0];
  return name === undefined ? undefined : `${name} must be ${kindOf(schema.properties[name])}`;
}

function kindOf({ type, minimum }: TSchema): string {
  if (type === 'array') return 'a list of texts';
  return type === 'integer' ? `a whole number of at least ${minimum}` : `a ${type}`;
}

/** Items, or outputs of jq, that a call gets unless it says how many. */
const usualLimit = 50;

/** What `docs_read` asks for. */
interface Reading {
  argv: readonly string[];
  jq?: string;
  /** Dotted paths, with commas. */
  fields?: string;
  limit?: number;
}

/** `docs_read`: any command that only reads, held to GET in the transport. @throws DocsError usage: nothing was sent */
async function read({ world, calls }: Desk, asked: Reading, caller: Caller): Promise<Answer> {
  const { argv, jq, fields, limit } = asked;
  const line = await world.parse(argv);
  refuseUnsafe(world, line, 'read');
  refuseChange(line);
  if (jq !== undefined && line.globals.jq !== undefined)
    throw usageError('contradiction', 'jq is given twice; nothing was sent');
  const filters = jq !== undefined || line.globals.jq !== undefined;
  const isList = line.command.options.some(({ name }) => name === 'limit');
  const own = line.options[camel('limit')];
  // A filter is for the whole list: what it makes of it is cut instead.
  const flags = [
    ...(isList && own === undefined && !filters ? [`--limit=${limit ?? usualLimit}`] : []),
    // As one list of its outputs: those of jq itself are lines, in which a text may have further lines.
    ...(jq === undefined ? [] : [`--jq=[(\n${jq}\n)]`]),
    ...(fields === undefined ? [] : [`--fields=${fields}`]),
  ];
  const ran = await calls.run(argv, line, flags, caller, { readOnly: true, stops: true, filters });
  return answerOf(ran, limit ?? (own === undefined ? usualLimit : Number.POSITIVE_INFINITY));
}

/** What a read printed, or why it failed, with what it had read by then. @param most items of a list */
function answerOf(ran: Ran, most: number, links: Answer['links'] = []): Answer {
  const value = resultIn(ran, most);
  if (ran.code === 0) return { value, long: 'result', foreign: ['result', 'notes'], links };
  return failed(errorOf(ran), value.result === undefined ? {} : value, ['result', 'notes']);
}

/** What a command printed, as structured content. @param most items of a list */
export function resultIn(ran: Ran, most: number): Record<string, unknown> {
  const { cut, notes, stdout, isWhole, added } = ran;
  const told = { ...(notes.length > 0 && { notes: notes.slice(0, 20) }) };
  const printed = isWhole ? parsed(stdout) : stdout;
  const result = Array.isArray(printed) ? printed.map((item) => itemWithWords(item, added)) : printed;
  const tooLong = isWhole ? {} : { tooLong: true };
  if (!Array.isArray(result)) return { ...defined({ result }), ...tooLong, ...told };
  const isCut = result.length > most || cut !== undefined;
  const shown = result.length > most ? result.slice(0, most) : result;
  const total = cut === undefined ? result.length : cut.total;
  const counts = { shown: shown.length, ...defined({ total }), cut: isCut };
  return { result: shown, ...counts, ...told };
}

/** A result of a job: its error names what to run next, as that of a command does. */
function itemWithWords(item: unknown, added: Ran['added']): unknown {
  return isObject(item) && isObject(item.error) ? { ...item, error: withWords(item.error, added) } : item;
}

/** JSON; where it is none, lines of JSON or text, as `--jq` prints them. */
function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  const whole = jsonIn(text);
  if (whole !== undefined) return whole;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => jsonIn(line) ?? line);
}

/** A plan that was made, or the answer that tells why not. */
type Made = { handle: string; file: string; plan: Plan; policy?: unknown } | { answer: Answer };

/** `docs_plan`: what a change would send, kept under a handle. @throws DocsError usage: nothing was sent */
async function plan(
  desk: Desk,
  argv: readonly string[],
  caller: Caller,
  rows: readonly unknown[] | undefined,
): Promise<Answer> {
  const made = await makePlan(desk, argv, caller, rows);
  return 'answer' in made ? made.answer : { value: planValue(made), long: 'requests', foreign: foreignKeys };
}

/** Makes the plan of a change; sends nothing but GET. @throws DocsError usage: nothing was sent */
async function makePlan(
  { world, calls, plans }: Desk,
  argv: readonly string[],
  caller: Caller,
  rows?: readonly unknown[],
): Promise<Made> {
  const line = await world.parse(argv);
  refuseUnsafe({ ...world, hasRows: rows !== undefined }, line, 'plan');
  if (!isPlannable(line.command)) throw notPlannable(line.path, line.command.danger === 'read');
  const { handle, file } = plans.create();
  const flags = [`--save-plan=${file}`];
  const ran = await calls.run(argv, line, flags, caller, {
    readOnly: true,
    stops: false,
    filters: line.globals.jq !== undefined,
    stdin: rows && JSON.stringify(rows),
  });
  if (ran.code !== 0) {
    plans.remove(handle);
    return { answer: failed(errorOf(ran), {}, ['error']) };
  }
  if (!fs.existsSync(file)) {
    const notes = ran.notes.slice(0, 20);
    return { answer: { value: { counts: {}, notes }, foreign: ['notes'] } };
  }
  const { result } = resultIn(ran, 1);
  const policy = isObject(result) ? result.policy : undefined;
  return { handle, file, plan: await readPlan(world.io, file), policy };
}

function notPlannable(path: string, isRead: boolean) {
  const way = isRead ? 'use docs_read' : 'it changes nothing on the platform, or applies an existing plan';
  return usageError('not_plannable', `docs ${path} cannot be planned: ${way}. Nothing was sent.`);
}

/** Findings that an answer shows. */
const shownLeft = 20;

/** Keys whose texts quote the platform: bodies, titles, sentences that name them. */
const foreignKeys = ['title', 'risks', 'requests', 'left'];

/** A plan as an answer tells it. */
function planValue({
  handle,
  file,
  plan: made,
  policy,
}: {
  handle: string;
  file: string;
  plan: Plan;
  policy?: unknown;
}) {
  const sent = made.operations.filter(sends);
  const left = made.operations.filter((one) => !sends(one));
  const undo = { exact: 0, 'best-effort': 0, none: 0 };
  for (const operation of sent) undo[operation.undo] += 1;
  return {
    plan: handle,
    id: made.id,
    expires: new Date(Date.parse(made.madeAt) + plansLastMs).toISOString(),
    file,
    counts: made.counts,
    undo,
    // What it denies, and who must approve it, so that nobody is asked to sign what cannot be applied.
    ...defined({ policy, organization: made.organization, title: made.title }),
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

/** `docs_job`: jobs of this machine, and what undo would do; changes nothing. @throws DocsError usage `bad_value` */
async function job(
  { world, calls }: Desk,
  { job: name, undo }: { job?: string; undo?: boolean },
  caller: Caller,
): Promise<Answer> {
  const argv = wordsFor(name, undo === true);
  const line = await world.parse(argv);
  const ran = await calls.run(argv, line, [], caller, { readOnly: true, stops: true });
  return answerOf(ran, usualLimit, linksTo(name));
}

function linksTo(job: string | undefined): NonNullable<Answer['links']> {
  return job === undefined ? [] : [{ uri: `docs://jobs/${job}`, name: `Job ${job}` }];
}

function wordsFor(name: string | undefined, undo: boolean): string[] {
  if (name === undefined && undo)
    throw usageError('missing_argument', 'undo needs a job; last is the newest');
  if (name === undefined) return ['jobs', 'list', `--limit=${usualLimit}`];
  // It must not be taken for a flag.
  if (!/^\w[\w-]*$/.test(name))
    throw usageError('bad_value', `job is not the name of a job: ${JSON.stringify(name)}`);
  return undo ? ['undo', name, '--dry-run'] : ['jobs', 'show', name];
}

/**
 * `docs_apply`: applies a plan as `docs apply --yes` does, once, under the policy, with its approvals.
 * @throws DocsError forbidden `policy_required`; usage `unknown_plan`
 */
async function apply({ world, calls, plans }: Desk, named: string, caller: Caller): Promise<Answer> {
  requirePolicy(world);
  const { handle, file, id } = await plans.find(named);
  const argv = ['apply', file, '--yes'];
  const ran = await calls.run(argv, { end: 1 }, [], caller, { stops: false });
  const job = await jobOf(world, file);
  const found = resultIn(ran, Number.POSITIVE_INFINITY);
  const about = {
    plan: handle,
    ...defined({ id }),
    ...(job !== undefined && { job, undo: `docs undo ${job}` }),
  };
  const links = linksTo(job);
  const value = { ...about, ...found };
  if (ran.code === 0) return { value, long: 'result', foreign: ['result', 'notes'], links };
  plans.sweep();
  const { result, notes } = found;
  const rest = { ...about, ...(result !== undefined && { result }), ...(notes !== undefined && { notes }) };
  return { ...failed(errorOf(ran), rest, ['result', 'notes', 'error']), long: 'result', links };
}

/**
 * `docs_change`: makes one change whose undo is exact, by a plan that is applied at once.
 * @throws DocsError forbidden `policy_required`; usage: nothing was sent
 */
async function change(desk: Desk, argv: readonly string[], caller: Caller): Promise<Answer> {
  requirePolicy(desk.world);
  const made = await makePlan(desk, argv, caller);
  if ('answer' in made) return made.answer;
  const why = whyNot(made.plan);
  if (why === undefined) return apply(desk, made.handle, caller);
  const code = why === 'nothing' ? 'nothing_to_change' : 'undo_not_exact';
  const message =
    why === 'nothing'
      ? 'the command would change nothing; nothing was sent'
      : `docs_change makes one change whose undo is exact, and ${why}. Nothing was sent; its plan can be applied with docs_apply.`;
  const error = notSent('usage', code, message).toJSON();
  return { ...failed(error, planValue(made), foreignKeys), long: 'requests' };
}

/** Why a plan is not one change whose undo is exact. */
function whyNot({ operations }: Plan): string | undefined {
  const sent = operations.filter(sends);
  const [only] = sent;
  if (only === undefined) return 'nothing';
  if (sent.length > 1) return `this is ${sent.length} changes`;
  if (only.undo === 'exact') return undefined;
  return only.undo === 'none' ? 'this one cannot be undone' : 'this one can be undone only in part';
}

function requirePolicy({ allowWrites, hasPolicy }: McpWorld): void {
  if (allowWrites || hasPolicy) return;
  const message =
    'no policy is in force, and without one this server changes nothing; nothing was sent. ' +
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

/** Plans that agents made: files of the state folder (0600), by a handle that nobody can guess. */

/** How long a plan may be applied, and is kept, in milliseconds: as `docs apply --older-than` without the flag. */
const plansLastMs = 86_400_000;

const handlePattern = /^plan-[\w-]{22}$/;
const idPattern = /^p-[0-9a-f]{16}$/;

class Plans {
  readonly #io: Io;
  readonly #folder: string;

  constructor(io: Io) {
    this.#io = io;
    this.#folder = join(stateFolder(io), 'agent-plans');
  }

  /** A new handle and the file it stands for; removes what has expired. @throws DocsError local-io, configuration */
  create(): { handle: string; file: string } {
    onDiskSync(`cannot write ${this.#folder}`, () => makeFolders(this.#folder, 0o700));
    checkOwnFolder(this.#folder);
    this.sweep();
    const handle = `plan-${randomBytes(16).toString('base64url')}`;
    return { handle, file: this.#path(handle) };
  }

  /**
   * The plan of a handle, or with the id that its file, `docs plan show`, approvals and audit events name.
   * @throws DocsError usage `unknown_plan`
   */
  async find(named: string): Promise<{ handle: string; file: string; id: string | undefined }> {
    for (const handle of this.#handles()) {
      const file = this.#path(handle);
      const isNamed = handle === named;
      if (!isNamed && !idPattern.test(named)) continue;
      checkOwnFolder(this.#folder);
      const id = await this.#idIn(file);
      if (isNamed || id === named) return { handle, file, id };
    }
    const message = `plan ${JSON.stringify(named.slice(0, 40))} not found; it may have expired. Make it again with docs_plan.`;
    throw usageError('unknown_plan', message);
  }

  /** Removes a plan that nobody was told of. */
  remove(handle: string): void {
    for (const end of ['', '.bodies', '.approvals'])
      fs.rmSync(`${this.#path(handle)}${end}`, { recursive: true, force: true });
  }

  /** Removes what has expired. */
  sweep(): void {
    for (const handle of this.#handles()) {
      const found = fs.lstatSync(this.#path(handle), { throwIfNoEntry: false });
      if (found !== undefined && this.#io.now() - found.mtimeMs > plansLastMs) this.remove(handle);
    }
  }

  /** Those that are there. */
  #handles(): string[] {
    if (!fs.existsSync(this.#folder)) return [];
    const names = fs.readdirSync(this.#folder).map((name) => name.replace(/\.json$/, ''));
    return names.filter((name) => handlePattern.test(name) && fs.existsSync(this.#path(name)));
  }

  /** @returns undefined if the file is not a plan; applying it reports that */
  async #idIn(file: string): Promise<string | undefined> {
    try {
      return (await loadPlan(this.#io, file)).plan.id;
    } catch (cause) {
      if (cause instanceof DocsError) return undefined;
      throw cause;
    }
  }

  #path(handle: string): string {
    return join(this.#folder, `${handle}.json`);
  }
}
