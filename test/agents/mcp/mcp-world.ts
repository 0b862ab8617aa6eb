import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Desk } from '../../../src/agents/mcp/call-tool.js';
import type { McpWorld } from '../../../src/agents/mcp/world.js';
import { groups } from '../../../src/commands/index.js';
import { parseLine } from '../../../src/commands/mcp/parse.js';
import { run } from '../../../src/main.js';
import { openControl } from '../../../src/sandbox/control.js';
import { type FakeIo, fakeIo } from '../../fake-io.js';
import { openSandbox, type TestSandbox } from '../../sandbox/client.js';

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
  sandbox: TestSandbox;
  desk: Desk;
  io: FakeIo;
  /** The home, which is also the working directory. */
  home: string;
  call(tool: string, given: Record<string, unknown>, signal?: AbortSignal): Promise<Told>;
  /** Requests that the platform got, other than GET. */
  writes(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openMcp(more: Partial<McpWorld> = {}): Promise<TestMcp> {
  const sandbox = await openSandbox();
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'docs-mcp-')));
  const { url, token, organizationId } = sandbox;
  const env = {
    ...{ HOME: home, DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORG: organizationId },
    ...{ DOCS_CREDENTIAL_STORE: 'file' },
  };
  // Several calls wait at once, each up to its own deadline: the clock is the real one.
  const io = Object.assign(fakeIo({ env, cwd: home }), {
    now: Date.now,
    sleep: (ms: number, signal?: AbortSignal) =>
      wait(ms, undefined, signal && { signal }).catch(() => signal?.throwIfAborted()),
  });
  io.systemPolicies = [];
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
  const never = new AbortController().signal;
  return {
    ...{ sandbox, desk, io, home },
    async call(tool, given, signal = never) {
      const {
        content,
        structuredContent = {},
        isError,
        _meta,
      } = await desk.call(tool, given, { signal, client: 'test 1' });
      const [first] = content;
      return {
        isError: isError === true,
        value: structuredContent as Record<string, unknown>,
        error: ((structuredContent as Record<string, unknown>).error ?? {}) as Told['error'],
        untrusted: (_meta?.['docs/untrusted'] ?? []) as string[],
        length: first?.type === 'text' ? first.text.length : 0,
      };
    },
    async writes() {
      // The server writes its log every 100 ms.
      await wait(150);
      const control = await openControl(sandbox.file, sandbox.outside.io);
      try {
        return control
          .requests()
          .flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));
      } finally {
        control.close();
      }
    },
    async close() {
      await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
