import { Type } from '../../api/type.js';
import type { Group } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/option.js';
import { report } from '../../cli/run/report.js';

import { closed, done, maybe, oneOf, text } from '../../output/printed-shapes.js';

const line = Type.Optional(Type.Integer({ description: 'Of the file, from 1' }));

const verdict = oneOf('allow', 'deny', 'ask');

const Tested = closed({
  what: Type.String({ description: 'The command, then each of its requests' }),
  verdict,
  rule: maybe,
  file: maybe,
  line,
  why: maybe,
});

const test = manual({
  name: 'test',
  summary: 'Test a command line against the policies',
  why:
    'Prints the verdict on the command and on each request that it would send, with the rule that decides; ' +
    'tries the reads of the command if a policy denies any, and sends only GET requests. Exits 0 if all is allowed, 5 if something is denied, ' +
    '17 if something requires an approved plan.',
  args: { '<command...>': { description: 'Command to test, after --', completes: 'commands' } },
  returns: Type.Array(Tested),
  columns: [{ path: 'verdict', keep: true }, { path: 'what', keep: true }, 'rule', 'file', 'line', 'why'],
  id: 'what',
  exits: ['forbidden', 'findings'],
  examples: {
    'policy test -- members update u1 --role admin': 'find out whether a change is allowed',
    'policy test --policy agent.yaml -- members offboard u2 --json':
      'test a command against a policy that is not in force yet',
  },
  passThrough: true,
  tolerant: true,
  repairs: true,
  async run(session, { args }, { groups, view }) {
    const { testCommand } = await import('./test.js');
    await testCommand(session, [args.command ?? []].flat(), groups, view);
  },
});

const Explained = closed({
  about: oneOf('default', 'allow', 'deny', 'ask', 'budget', 'orgs', 'protect', 'approve', 'state'),
  rule: text,
  means: text,
  file: text,
  line: Type.Integer(),
});

const CommandVerdict = closed({
  command: text,
  verdict,
  rule: maybe,
  file: maybe,
  line,
  unless: Type.Array(text, { description: 'Rules and requests that can change the verdict' }),
});

const explain = report({
  name: 'explain',
  summary: 'Explain the policies in force, or a policy file',
  why:
    'Lists the commands that may run, require an approved plan or are denied, and the remaining budgets. ' +
    'With --all, it prints the verdict on every command instead.',
  args: { '[file]': { description: 'Policy; default: those in force', path: { use: 'reads' } } },
  options: [option('--all', 'Print the verdict on every command')],
  returns: Type.Union([Type.Array(Explained), Type.Array(CommandVerdict)]),
  columns: [
    { path: 'about', keep: true },
    { path: 'means', keep: true, whole: true },
    'rule',
    'file',
    'line',
  ],
  id: 'rule',
  empty: 'No policy is in force.',
  examples: {
    'policy explain': 'explain the policies in force',
    'policy explain agent.yaml --all': 'list every command with the verdict of a policy',
    'policy explain --all --jq \'.[] | select(.verdict == "allow") | .command\'':
      'list the commands that may run',
  },
  tolerant: true,
  repairs: true,
  load: async () => (await import('./explain.js')).explainReport,
});

const init = manual({
  name: 'init',
  summary: 'Write a policy file to start from',
  why:
    'Writes a commented policy, never over an existing file. --read-only allows only reads; --reviewed ' +
    'also allows changes by a plan that a person has approved, except those under deny: admin roles, ' +
    'organization settings and SAML providers.',
  args: {
    '[file]': {
      description: 'File to write; default: policy.yaml',
      path: { use: 'writes', usual: 'policy.yaml' },
    },
  },
  options: [
    option('--read-only', 'Allow only reads'),
    option('--reviewed', 'Also allow changes by approved plans', { conflicts: ['read-only'] }),
  ],
  returns: done(oneOf('written', 'planned'), { file: text }),
  examples: {
    'policy init --read-only': 'write policy.yaml, which allows reading alone',
    'policy init --reviewed agent.yaml': 'write a policy under which changes need an approval',
  },
  danger: 'change',
  effect: 'local',
  repairs: true,
  local: true,
  async run(session, { args, options }) {
    const { initPolicy } = await import('./init.js');
    const file = typeof args.file === 'string' ? args.file : 'policy.yaml';
    await initPolicy(session, file, options);
  },
});

export const policy: Group = {
  name: 'policy',
  noun: 'policy',
  summary: 'Test, explain and write policies',
  guide: 'policy',
  why:
    'A policy is a file that says which commands and requests may run; all that --policy, DOCS_POLICY, the ' +
    'profile and the machine name must allow them. `docs help policy` explains how far it protects.',
  commands: [test, explain, init],
};
