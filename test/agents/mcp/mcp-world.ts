import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { Desk } from '../../../src/agents/mcp/call-tool.js';
import type { McpWorld } from '../../../src/agents/mcp/calls.js';
import { commandTree, type TreeEntry } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { parseLine } from '../../../src/commands/mcp/serve.js';
import { run } from '../../../src/main.js';
import { shellWords } from '../../commands/shell-words.js';
import { startGateway } from '../../e2e/gateway.js';
import { sleepHere } from '../../e2e/here.js';
import { type FakeIo, fakeIo } from '../../fake-io.js';
import { openSandbox } from '../../sandbox/client.js';
import { controlOf } from '../../sandbox/control-of.js';
import type { SomeOf } from '../../some-of.js';

/** The tools of the MCP server over a sandbox, without a connection. */

export interface Told {
  isError: boolean;
  value: Record<string, unknown>;
  error: { code?: string; exitCode?: number; message?: string };
  /** Paths of the texts that are marked as foreign. */
  untrusted: readonly string[];
  /** Characters of the text. */
  length: number;
}

export interface TestMcp {
  readonly desk: Desk;
  readonly io: FakeIo;
  /** Address of the sandbox, behind the one that its requests are counted at. */
  readonly url: string;
  /** The home, which is also the working directory. */
  home: string;
  call(tool: string, given: Record<string, unknown>, signal?: AbortSignal): Promise<Told>;
  /** Requests since the server began: `GET /v1/orgs`. */
  sent(): readonly string[];
  /** Of these, what is not a GET. */
  writes(): string[];
  /** Another server begins, over the seed and an empty home. */
  begin(more?: Partial<McpWorld>): Promise<void>;
  close(): Promise<void>;
}

/** One for a file, in which each test begins a server. */
export async function mcpOfFile(more: Partial<McpWorld> = {}): Promise<TestMcp> {
  const mcp = await openMcp();
  beforeEach(() => mcp.begin(more));
  afterAll(() => mcp.close());
  return mcp;
}

export async function openMcp(): Promise<TestMcp> {
  const sandbox = await openSandbox();
  const control = await controlOf(sandbox);
  const gateway = await startGateway(sandbox.url);
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'docs-mcp-')));
  const env = {
    ...{
      HOME: home,
      DOCS_BASE_URL: gateway.url,
      DOCS_TOKEN: sandbox.token,
      DOCS_ORG: sandbox.organizationId,
    },
    ...{ DOCS_CREDENTIAL_STORE: 'file' },
  };
  const started = (more: Partial<McpWorld> = {}) => {
    // Several calls wait at once, each up to its own deadline: the clock is the real one.
    const io = Object.assign(fakeIo({ env, cwd: home }), {
      now: Date.now,
      sleep: sleepHere,
      systemPolicies: [],
    });
    const desk = new Desk({
      io,
      groups,
      runLine: (argv, world, options) => run(argv, world, undefined, options),
      parse: (argv) => parseLine(argv, groups, io.platform),
      flags: [],
      context: {},
      allowWrites: false,
      hasPolicy: false,
      ...more,
    });
    return { io, desk };
  };
  let server = started();
  const never = new AbortController().signal;
  return {
    home,
    url: sandbox.url,
    get desk() {
      return server.desk;
    },
    get io() {
      return server.io;
    },
    async call(tool, given, signal = never) {
      const {
        content,
        structuredContent = {},
        isError,
        _meta,
      } = await server.desk.call(tool, given, { signal, client: 'test 1' });
      const [first] = content;
      return {
        isError: isError === true,
        value: structuredContent as Record<string, unknown>,
        error: ((structuredContent as Record<string, unknown>).error ?? {}) as Told['error'],
        untrusted: (_meta?.['docs/untrusted'] ?? []) as string[],
        length: first?.type === 'text' ? first.text.length : 0,
      };
    },
    sent: () => gateway.requests,
    writes: () => gateway.requests.filter((one) => !one.startsWith('GET ')),
    async begin(more) {
      await control.reset();
      for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
      gateway.requests.length = 0;
      server = started(more);
    },
    async close() {
      await gateway.close();
      control.close();
      await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * Calls examples as a read and as a plan; what would serve is refused.
 * @param most how many of each command
 * @param pick which of the commands over operations; of those written by hand all are called
 */
export async function callExamples(mcp: TestMcp, most: number, pick: SomeOf): Promise<void> {
  const kindOf = ({ path, command: { spec, operations, danger } }: TreeEntry) =>
    spec === undefined ? path : [operations[0]?.method, operations[0]?.returns.kind, danger].join();
  for (const { command } of pick(await commandTree(groups), kindOf))
    for (const { run: line } of command.examples.slice(0, most))
      for (const tool of ['docs_read', 'docs_plan']) await mcp.call(tool, { argv: shellWords(line) });
}
