import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { usageError } from '../../base/errors.js';
import { commandTree, type TreeEntry } from '../../cli/declare/tree.js';
import { findCommands, isAboutContent } from '../find/find-commands.js';
import { type Answer, failure, resultOf } from './answer.js';
import { apply, change } from './apply.js';
import { Calls } from './calls.js';
import { describeCommand, toolOf } from './describe.js';
import { job } from './job.js';
import { plan } from './plan.js';
import { Plans } from './plans.js';
import { type Reading, read } from './read.js';
import { Results } from './results.js';
import { type ToolName, tools } from './tools.js';
import type { Caller, McpWorld } from './world.js';

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
