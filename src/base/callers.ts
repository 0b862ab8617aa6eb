import { isCi, isSet } from './ci.js';
import type { Io } from './io.js';

/** Who started the program, as the environment tells: a coding agent, or a CI system. */

type World = Pick<Io, 'env'>;

/**
 * The variables that agents set for the commands they run, and the name that each stands for. Only what an agent
 * itself sets, and only for commands: CURSOR_TRACE_ID and REPL_ID are also in the terminals that people type in,
 * CODEX_HOME, CLINE_API_KEY and AIDER_* are settings of people. Sources in the order of the rows.
 */
const agentVariables: readonly (readonly [variable: string, agent: string])[] = [
  // code.claude.com/docs/en/env-vars
  ['CLAUDECODE', 'claude-code'],
  // cursor.com/docs/agent/terminal
  ['CURSOR_AGENT', 'cursor'],
  // google-gemini.github.io/gemini-cli/docs/tools/shell.html, "Environment variables"
  ['GEMINI_CLI', 'gemini-cli'],
  // developers.openai.com/codex/environment-variables; CODEX_CI: github.com/aws/aws-cdk-cli/pull/1855
  ['CODEX_THREAD_ID', 'codex'],
  ['CODEX_SANDBOX', 'codex'],
  ['CODEX_CI', 'codex'],
  // github.com/github/copilot-cli, changelog.md
  ['COPILOT_CLI', 'copilot-cli'],
  // github.com/microsoft/vscode/pull/316267
  ['COPILOT_AGENT', 'copilot'],
  // github.com/anomalyco/opencode, packages/opencode/src/index.ts
  ['OPENCODE', 'opencode'],
  // docs.augmentcode.com/cli/reference, "Shell environment"
  ['AUGMENT_AGENT', 'augment'],
  // github.com/QwenLM/qwen-code; github.com/aws/aws-cdk-cli/pull/1855
  ['QWEN_CODE', 'qwen-code'],
  // github.com/aws/aws-cdk-cli/pull/1855
  ['CLINE_ACTIVE', 'cline'],
  // github.com/block/goose/pull/7017
  ['GOOSE_TERMINAL', 'goose'],
];

/**
 * Variables whose value is the name, as in `claude-code` or `devin@1`: the AI_AGENT convention
 * (github.com/vercel/vercel, packages/detect-agent/README.md) and AGENT (github.com/agentsmd/agents.md/issues/136),
 * which some set to `1`.
 */
const namingVariables = ['AI_AGENT', 'AGENT'] as const;

/** All of them, for tests and the manual. */
export const agentVariableNames: readonly string[] = [
  ...namingVariables,
  ...agentVariables.map(([variable]) => variable),
];

/** The agent that runs the program: its name, with the version where it says so; undefined where none does. */
export function agentOf({ env }: World): string | undefined {
  const named = namingVariables.map((variable) => env[variable] ?? '').filter(isSet);
  const name = named.find((value) => !['1', 'true'].includes(value));
  const known = agentVariables.find(([variable]) => isSet(env[variable]))?.[1];
  return name ?? known ?? (named.length > 0 ? 'agent' : undefined);
}

/** CI systems by a variable that each sets for its jobs; its documentation lists it. */
const ciVariables: readonly (readonly [variable: string, system: string])[] = [
  ['GITHUB_ACTIONS', 'github-actions'],
  ['GITLAB_CI', 'gitlab-ci'],
  ['CIRCLECI', 'circleci'],
  ['TF_BUILD', 'azure-pipelines'],
  ['BITBUCKET_BUILD_NUMBER', 'bitbucket-pipelines'],
  ['JENKINS_URL', 'jenkins'],
  ['BUILDKITE', 'buildkite'],
  ['TEAMCITY_VERSION', 'teamcity'],
  ['TRAVIS', 'travis-ci'],
  ['CODEBUILD_BUILD_ID', 'codebuild'],
  ['DRONE', 'drone'],
  ['APPVEYOR', 'appveyor'],
  ['CIRRUS_CI', 'cirrus-ci'],
];

/** The CI system that runs the program; `ci` where only `CI` tells; undefined outside of CI. */
export function ciOf(world: World): string | undefined {
  const known = ciVariables.find(([variable]) => isSet(world.env[variable]))?.[1];
  return known ?? (isCi(world) ? 'ci' : undefined);
}
