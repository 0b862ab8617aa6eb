import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { stands } from '../../../src/cli/declare/define.js';
import type { TreeEntry } from '../../../src/cli/declare/outline.js';

/** What an example needs before it, and how it ends where that is not 0. The first entry that fits counts. */
export interface Need {
  /** What the line begins with, or fits. */
  line: string | RegExp;
  /** Lines that are run before, or what is done by hand. */
  before?: readonly (string | ((folders: { cwd: string; home: string }) => void))[];
  /** Whether these only fill the working folder, which is then kept for the next example with the same. */
  fills?: true;
  /** When these are run, ISO 8601; default: now. */
  at?: string;
  /** A line that is run while it runs. */
  meanwhile?: string;
  stdin?: string;
  /** Exit code; default 0. */
  code?: number;
  /** Whether it starts docs again, so that the built program must run it. */
  again?: true;
}

const typed = (word: string): string => stands[word] ?? word;
const matrix = (name: string): string => `docs access matrix --json > ${name}`;
const backup = 'docs backup run --out backup';
const parts = 'docs backup run --out parts --shard 1/1';
const january = '2026-01-30T10:00:00Z';
const deleted = `docs spaces delete ${typed('s1')} --yes`;
const twoRoles = `docs members update ${typed('m1')} ${typed('m2')} --role read`;
const savedPlan = ['docs pull', 'docs plan --save-plan plan.json'];
const readOnly = 'docs policy init --read-only agent.yaml';
const schemaTo = (name: string): string => `docs sites schema get ${typed('w1')} --jq .jsonSchema > ${name}`;

export const needs: readonly Need[] = [
  { line: 'auth switch work', before: ['docs config set org o1 --profile work'] },
  {
    line: 'config alias delete co',
    before: ["docs config alias set co 'change-requests list --all-spaces'"],
  },
  { line: 'members update -', stdin: `${typed('m2')}\n` },
  {
    line: 'members offboard --resume',
    before: [
      `docs members offboard ${typed('u2')} --yes`,
      ({ cwd }) => {
        const made = readdirSync(cwd).find((name) => /^offboarding-.*\.json$/.test(name)) ?? '';
        renameSync(join(cwd, made), join(cwd, 'offboarding-2026-11-20T10-12-03Z.json'));
      },
    ],
  },
  { line: 'members review --apply', before: ['docs members review -o csv > reviewed.csv'] },
  { line: 'access diff monday', before: [matrix('monday.json'), matrix('tuesday.json')], fills: true },
  { line: 'access diff approved', before: [matrix('approved.json'), matrix('today.json')] },
  { line: 'backup merge', before: [parts], fills: true },
  { line: 'sso readiness', code: 17 },
  { line: 'spaces restore', before: [deleted] },
  {
    line: `sites release cut 2.1 --site ${typed('w1')} --from API --make-default`,
    before: [`docs sites update ${typed('w1')} --default-section API --by-title`],
  },
  { line: 'spaces trash restore', before: [deleted], stdin: `${typed('s1')}\n` },
  { line: 'cr merge 3', code: 17 },
  {
    line: `change-requests get 3 --space ${typed('s1')} --watch`,
    meanwhile: `docs change-requests merge 3 --space ${typed('s1')} --yes`,
  },
  {
    line: 'links check --baseline links.json --fail-on',
    before: ['docs links check --baseline links.json --update-baseline'],
  },
  { line: /^links (?:check|fix) .*--fail-on /, code: 17 },
  { line: 'sites arrange', before: [`docs sites tree ${typed('w1')} > tree.txt`], fills: true },
  {
    line: /^sites schema (?!get)/,
    before: [schemaTo('schema.json'), schemaTo('new.json')],
    fills: true,
  },
  {
    line: 'site-spaces delete',
    before: [
      `docs site-spaces create --site ${typed('w1')} --space-id ${typed('s3')} --section ${typed('x3')}`,
    ],
  },
  { line: /^impact .* --fail-on /, code: 17 },
  { line: /^plan show|^apply plan.json/, before: savedPlan, fills: true },
  { line: /^(?:plan|apply|drift|adopt|pull -)/, before: ['docs pull'], fills: true },
  {
    line: 'jobs settle last 0 --is',
    before: [
      "docs sandbox fault --match 'PUT /v1/orgs/*' --reset before --times 9",
      'docs teams create --title Writers',
    ],
  },
  {
    line: /^jobs (?:settle|resume)/,
    before: [
      "docs sandbox fault --match 'PUT /v1/orgs/*' --reset after --times 1",
      'docs teams create --title Guild',
    ],
  },
  { line: /^undo last |^jobs show /, before: [twoRoles] },
  { line: 'audit verify --head', code: 17 },
  {
    line: 'backup diff',
    before: ['docs backup run --out monday', 'docs backup run --out tuesday'],
    fills: true,
  },
  {
    line: 'backup verify backup --offline --allowed-signers',
    before: [`${backup} --sign ~/.ssh/id_ed25519`],
  },
  { line: 'backup status', before: [backup], fills: true },
  { line: /^backup run --out backup --(?!no-access)/, before: [backup], fills: true },
  { line: /^backup (?!run)|^sandbox seed --from-backup/, before: [backup], fills: true, at: january },
  { line: /^(?:rehearse|sandbox exec) --from/, before: [backup], fills: true, at: january, again: true },
  { line: /^(?:rehearse|sandbox exec)/, again: true },
  { line: 'policy init' },
  { line: 'policy test --policy agent.yaml', before: [readOnly], code: 5 },
  { line: 'policy explain agent.yaml', before: [readOnly] },
  { line: 'mcp skill install --dry-run', before: [({ home }) => mkdirSync(join(home, '.claude'))] },
  { line: 'sandbox seed --from state.json', before: ['docs sandbox export > state.json'] },
];

/** What a line of an example needs. */
export function needOf(run: string): Need {
  const found = needs.find(({ line }) => (typeof line === 'string' ? run.startsWith(line) : line.test(run)));
  return found ?? { line: run };
}

/** Commands that are no reads because of what they write on this machine. */
const localChanges = /^(?:auth|config|policy|skill|completion|pull|adopt)\b| use$/;

/** What is as it was after an example: all, or the platform though not this machine. */
export function keptBy(
  { path, command: { danger, effect } }: TreeEntry,
  run: string,
): 'all' | 'platform' | 'nothing' {
  const { before, fills, meanwhile } = needOf(run);
  if (meanwhile !== undefined) return 'nothing';
  if (danger === 'read' && effect === undefined && before === undefined) return 'all';
  const keeps = danger === 'read' ? !path.startsWith('sandbox ') : localChanges.test(path);
  const isFolderFilled = before === undefined || fills === true;
  return (keeps || run.includes(' --dry-run')) && isFolderFilled ? 'platform' : 'nothing';
}

/** Examples that cannot run as printed here, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  'auth login': 'asks for the token on a terminal (terminal.test.ts)',
  'auth login --base-url https://api.example.com --with-token < token.txt':
    'names a platform that is not the sandbox',
  [`sites arrange ${typed('w1')}`]: 'opens an editor (sites-arrange-editor.test.ts)',
  [`site-spaces move ${typed('y1')} --site ${typed('w1')} --after ${typed('y2')}`]:
    'each section of the seed has one space',
  'plan approve plan.json': 'takes a person at a terminal (approve.test.ts)',
  'plan approve plan.json --key ~/.ssh/id_work': 'takes a person at a terminal (approve.test.ts)',
  'jobs discard 20251120-102642-9f3ab2': 'names a job, and each has a name of its own (jobs-damaged.test.ts)',
  'completion bash --install': 'asks on a terminal before it changes a start-up file (completion.test.ts)',
  'mcp serve --http 4100 --files ./handbook': 'serves until it is stopped (mcp.test.ts)',
  'sandbox seed acme': 'plants 400 people; a page of the guide runs it (docs-team.md)',
  'sandbox exec --seed acme -- ./nightly.sh': 'plants 400 people; a page of the guide runs it (sandbox.md)',
  'sandbox start': 'serves until it is stopped (sandbox.test.ts)',
  'sandbox open': 'starts a server (sandbox-open.test.ts)',
  'sandbox start --foreground --file ./demo.db --seed acme': 'serves until it is stopped (sandbox.test.ts)',
};
