import { describe, expect, it, vi } from 'vitest';
import { agentVariableNames } from '../../src/base/callers.js';
import { startProgress } from '../../src/output/progress.js';
import { isAttended, isInteractive } from '../../src/output/terminal.js';
import { actorOf } from '../../src/policy/actor.js';
import { fakeIo } from '../fake-io.js';

const of = (env: Record<string, string>, facts = {}) => actorOf({ env: { USER: 'ada', ...env } }, facts);
const settings = {
  sandbox: false,
  stored: {
    credential: { store: 'file' as const, origin: 'o', member: { id: 'u1', email: 'ada@acme.example' } },
  },
};

describe('the actor', () => {
  it.each([
    [{ CLAUDECODE: '1' }, 'claude-code'],
    [{ CURSOR_AGENT: '1' }, 'cursor'],
    [{ GEMINI_CLI: '1' }, 'gemini-cli'],
    [{ CODEX_SANDBOX: 'seatbelt' }, 'codex'],
    [{ CODEX_THREAD_ID: 'x' }, 'codex'],
    [{ COPILOT_CLI: '1' }, 'copilot-cli'],
    [{ COPILOT_AGENT: '1' }, 'copilot'],
    [{ OPENCODE: '1', AGENT: '1' }, 'opencode'],
    [{ AUGMENT_AGENT: '1' }, 'augment'],
    [{ QWEN_CODE: '1' }, 'qwen-code'],
    [{ CLINE_ACTIVE: 'true' }, 'cline'],
    [{ GOOSE_TERMINAL: '1', AGENT: 'goose' }, 'goose'],
    [{ AI_AGENT: 'devin@1.2' }, 'devin@1.2'],
    [{ AI_AGENT: 'own-tool@3', CLAUDECODE: '1' }, 'own-tool@3'],
    [{ AGENT: 'amp' }, 'amp'],
    [{ AGENT: '1' }, 'agent'],
    [{ CLAUDECODE: '1', CI: 'true', GITHUB_ACTIONS: 'true' }, 'claude-code'],
  ])('of %o is the agent %s', (env, client) => {
    expect(of(env, { settings })).toEqual({ kind: 'agent', name: 'ada@acme.example', client });
  });

  it('is known to be an agent only where MCP was called', () => {
    const client = 'inspector 1.0';
    expect(of({ CLAUDECODE: '1' }, { settings, client })).toMatchObject({
      kind: 'agent',
      client,
      via: 'mcp',
    });
    expect(of({ AI_AGENT: client }, { settings })).not.toHaveProperty('via');
  });

  it.each([
    [{ CI: 'true', GITHUB_ACTIONS: 'true' }, 'github-actions'],
    [{ CI: 'true', GITLAB_CI: 'true' }, 'gitlab-ci'],
    [{ CI: '1', CIRCLECI: 'true' }, 'circleci'],
    [{ TF_BUILD: 'True' }, 'azure-pipelines'],
    [{ JENKINS_URL: 'https://ci.example' }, 'jenkins'],
    [{ CI: '1' }, 'ci'],
  ])('of %o is the CI system %s', (env, name) => {
    expect(of(env, { settings })).toEqual({ kind: 'ci', name });
  });

  it.each<Record<string, string>>([
    {},
    { CI: '' },
    { CI: 'false' },
    { AGENT: '0' },
    { CLAUDECODE: '' },
    { CURSOR_TRACE_ID: 'x' },
    { CODEX_HOME: '/x' },
  ])('of %o is a person', (env) => expect(of(env)).toEqual({ kind: 'person', name: 'ada' }));

  it('is the member whose token the profile has, unless another token takes its place', () => {
    expect(of({}, { settings }).name).toBe('ada@acme.example');
    expect(of({ DOCS_TOKEN: 'x' }, { settings }).name).toBe('ada');
    expect(of({}, { settings: { ...settings, sandbox: true } }).name).toBe('ada');
  });

  it('has a name even where nothing tells one', () => {
    expect(actorOf({ env: {} }).name).not.toBe('');
  });

  it('has what is known of plan, approval, policy and rule', () => {
    const known = { plan: 'p-1', approval: 'ada@acme.example', policy: ['aa'], rule: 'read' };
    expect(of({}, known)).toEqual({ kind: 'person', name: 'ada', ...known });
  });

  it('keeps out what commands a terminal, what looks secret, and what is long', () => {
    const client = `\u001b[31mtool\u202e token=abcdef123456 ${'x'.repeat(500)}`;
    const { client: kept = '' } = of({ AI_AGENT: client });
    expect(kept).not.toMatch(/[\p{Cc}\p{Cf}]|abcdef/u);
    expect(kept.length).toBeLessThanOrEqual(200);
  });
});

describe('an agent on a terminal', () => {
  const terminals = ['stdin', 'stdout', 'stderr'] as const;
  it.each(agentVariableNames)(
    '%s switches off prompts, and nothing that a text may stand for',
    (variable) => {
      const io = fakeIo({ terminals, env: { [variable]: '1' } });
      expect(isInteractive(io, {})).toBe(false);
      expect(isAttended(io, {})).toBe(true);
      expect(isInteractive(fakeIo({ terminals }), {})).toBe(true);
    },
  );

  it('shows no spinner', async () => {
    const start = async (env: Record<string, string>) => {
      const io = fakeIo({ terminals, env });
      const progress = startProgress(io, { text: 'Fetching', quiet: false });
      await io.advance(1000);
      return { io, progress };
    };
    const agent = await start({ CLAUDECODE: '1' });
    // That of a person is drawn once it is loaded, after that of an agent would be.
    const person = await start({});
    await vi.waitFor(() => expect(person.io.stderr.text).toContain('Fetching'), { timeout: 50_000 });
    for (const { progress } of [person, agent]) progress.stop();
    expect(agent.io.stderr.text).toBe('');
  });
});

it('nobody is asked in CI, or with --no-input', () => {
  const terminals = ['stdin', 'stdout', 'stderr'] as const;
  for (const env of [{ CI: '1' }, { CI: 'true', GITHUB_ACTIONS: 'true' }]) {
    expect(isInteractive(fakeIo({ terminals, env }), {})).toBe(false);
    expect(isAttended(fakeIo({ terminals, env }), {})).toBe(false);
  }
  expect(isInteractive(fakeIo({ terminals }), { input: false })).toBe(false);
});
