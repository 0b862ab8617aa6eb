import { type Group, manual, option, report, Type } from '../../cli/run/report.js';
import { closed, oneOf } from '../../output/printed-shapes.js';
import { AuditEvent, AuditFinding, chainEvents } from '../../policy/audit/shape.js';

const columns = [
  'seq',
  'at',
  { path: 'event', lead: true },
  { path: 'actor.name', label: 'ACTOR', lead: true },
  { path: 'actor.client', label: 'CLIENT' },
  { path: 'command', lead: true },
  'job',
  'detail',
] as const;

const list = report({
  name: 'list',
  summary: 'List jobs, approvals, denials and removed journals',
  why:
    'Lists your own chain and those of the policies in force, newest first. Includes every change made ' +
    'from this machine while the journal was on and who made it, even after its journal is removed.',
  options: [
    option('-L, --limit <n>', 'Only the newest n events', { number: 'count' }),
    option('--since <time>', 'Only events within this span or since this date: 7d, 24h, 2026-01-31'),
    option('--actor <actor>', 'Only by this person, CI system or agent, or all of a kind: person, ci, agent'),
    option('--job <job>', 'Only events of this job, or of jobs whose names start with this', {
      completes: 'jobs',
    }),
    option('--event <event>', 'Only events of this kind', { choices: chainEvents, closed: true }),
  ],
  returns: Type.Array(AuditEvent),
  columns,
  id: 'seq',
  empty: 'No events.',
  examples: {
    'audit list --limit 20': 'list the latest events of this machine',
    'audit list --actor agent --since 7d': 'list the events of agents in the last week',
    'audit list --event denied': 'list denials by policies',
    'audit list --event refused': 'list plans that docs apply refused',
  },
  local: true,
  load: async () => (await import('./list.js')).listReport,
});

const exported = manual({
  name: 'export',
  summary: 'Print the audit chain, oldest first',
  why:
    'Prints the lines of the file unchanged; each contains the SHA-256 of the line before it. Other ' +
    'formats print the same events as values, each with the directory of its chain if there are several.',
  returns: Type.Array(AuditEvent),
  columns,
  id: 'seq',
  empty: 'No events.',
  examples: {
    'audit export -o ndjson > audit.ndjson': 'keep a copy, or send it to a log store',
    'audit export --jq \'.[] | select(.event == "denied")\' -o ndjson': 'export the denials alone',
  },
  local: true,
  async run(session, _input, { view }) {
    await (await import('./list.js')).exportEvents(session, view);
  },
});

const verify = report({
  name: 'verify',
  summary: 'Verify the audit chain and the journals',
  why:
    'Exits 17 if a line was removed, changed or added, or a journal was changed or removed without a ' +
    'record, and names it. Anyone who can write the file can rewrite its end; --head, kept elsewhere, ' +
    'detects that too.',
  options: [option('--head <hash>', 'Hash of the last line, as an earlier docs audit verify printed it')],
  returns: closed({
    state: oneOf('whole', 'broken', 'none'),
    events: Type.Integer(),
    head: Type.String({ description: 'SHA-256 of the last line: keep it for --head' }),
    torn: Type.Integer({ description: 'Lines torn by a crash, and recorded as such' }),
    removed: Type.Integer({ description: 'Journals removed on the record' }),
    unfinished: Type.Integer({ description: 'Jobs whose journals are not in the chain yet' }),
    elsewhere: Type.Integer({ description: 'Jobs of other accounts, whose journals were not read' }),
    count: Type.Integer({ description: 'Findings' }),
    findings: Type.Array(AuditFinding, { description: 'The first 100 of them' }),
    place: Type.String({
      description: 'Directory of the chain of the policy in force, or of the user',
    }),
    chains: Type.Array(
      closed({
        place: Type.String({ description: 'Directory' }),
        state: oneOf('whole', 'broken', 'none'),
        events: Type.Integer(),
        head: Type.String({ description: 'SHA-256 of its last line' }),
      }),
      { description: 'Every chain that was read; the numbers above are for the first' },
    ),
  }),
  columns: ['state', 'events', 'head', 'torn', 'removed', 'unfinished', 'count'],
  id: 'head',
  exits: ['findings'],
  examples: {
    'audit verify': 'verify the chain and print the hash to keep',
    'audit verify --jq .head': 'print that hash alone',
    'audit verify --head 3f6c8f1b8f8a0d3b7f4b0a1f3d9a9d0d6f1e2c3b4a5968778695a4b3c2d1e0ff':
      'make sure that the end was not rewritten since',
  },
  local: true,
  load: async () => (await import('./verify.js')).verifyReport,
});

export const audit: Group = {
  name: 'audit',
  noun: 'event',
  summary: 'List and verify what was done from this machine',
  guide: 'security audit',
  why:
    'One chain covers all jobs of this machine: who made each change, denials by policies, and removed ' +
    'journals. It never leaves the machine.',
  commands: [list, exported, verify],
};
