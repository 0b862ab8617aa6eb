import { shellWord, shellWords } from '../../base/shell-word.js';
import type { Option } from './command.js';
import type { Globals } from './session.js';

/** Flags that say on which platform, and as whom, a command works. */
const placeFlags = ['profile', 'base-url', 'sandbox'] as const;

/** Groups that work on no platform. */
const placeless = ['help', 'completion', 'commands', 'find', 'schema', 'skill', 'sandbox'];

type Place = Pick<Globals, 'profile' | 'baseUrl' | 'sandbox' | 'policy'>;

/** A command, with the flags of this one that say on which platform it works. */
export function atPlace(command: string, place: Place, platform: NodeJS.Platform): string {
  const words = shellWords(command);
  const group = words[1] ?? '';
  const names = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
  const isSet = placeFlags.some((flag) => names.includes(flag));
  if (words[0] !== 'docs' || isSet || names.includes('help') || placeless.includes(group)) return command;
  const { profile, baseUrl, sandbox, policy } = place;
  const added = [
    ...(profile === undefined ? [] : ['--profile', shellWord(profile, platform)]),
    // Settings are those of a profile.
    ...(baseUrl === undefined || group === 'config' ? [] : ['--base-url', shellWord(baseUrl, platform)]),
    ...(policy === undefined || names.includes('policy') || writesIt(words, policy)
      ? []
      : ['--policy', shellWord(policy, platform)]),
    ...(sandbox === true && group !== 'config' ? ['--sandbox'] : []),
  ];
  return [command, ...added].join(' ');
}

/** Whether a command writes the very policy: it is not in force yet, and to name it again says nothing. */
function writesIt(words: readonly string[], policy: string): boolean {
  const end = `/${policy.replaceAll('\\', '/').replace(/^\.?\//, '')}`;
  const files = words.slice(3).filter((word) => !word.startsWith('--'));
  return (
    words[1] === 'policy' &&
    words[2] === 'init' &&
    files.some((file) => `/${file.replaceAll('\\', '/')}`.endsWith(end))
  );
}

/** Path parameters that come from the context, and the flag of each. */
export const contextFlags = {
  organizationId: 'org',
  spaceId: 'space',
  siteId: 'site',
  changeRequestId: 'change-request',
} as const;
export type ContextParameter = keyof typeof contextFlags;

const plain = { variadic: false, required: false, nullable: false };

/** An option with nothing set, to start from. */
export const blankOption: Option = { ...plain, name: '', description: '' };

/** The flags that every command takes, as one command takes them: `-o` may have further formats. */
export function globalOptionsOf(command: { formats?: readonly string[] } | undefined): readonly Option[] {
  const { formats = [] } = command ?? {};
  if (formats.length === 0) return globalOptions;
  return globalOptions.map((option) =>
    option.name === 'output' ? { ...option, choices: [...(option.choices ?? []), ...formats] } : option,
  );
}

/** Flags that every command takes: for the parser, help, completion and the reference. */
export const globalOptions: readonly Option[] = [
  {
    ...plain,
    name: 'output',
    short: 'o',
    value: '<format>',
    description: 'Output format: table on a terminal, tsv elsewhere',
    choices: ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'id'],
    closed: true,
    choiceError: 'unknown_format',
  },
  { ...plain, name: 'json', boolean: true, description: 'Print one JSON value, like -o json' },
  {
    ...plain,
    name: 'fields',
    value: '<a,b.c>',
    description: 'Columns or keys to show, in order; +a,-b adds and drops',
  },
  { ...plain, name: 'jq', value: '<expr>', description: 'Run a jq expression over the whole result' },
  { ...plain, name: 'header', boolean: true, description: 'Print a header line with tsv' },
  { ...plain, name: 'csv-raw', boolean: true, description: 'Do not escape formulas in csv cells' },
  { ...plain, name: 'profile', value: '<name>', description: 'Profile to use', sets: 'owner' },
  { ...plain, name: 'base-url', value: '<url>', description: 'Address of the platform', sets: 'owner' },
  {
    ...plain,
    name: 'policy',
    value: '<file>',
    description: 'Policy that must allow what is done, too',
    path: { use: 'reads' },
    sets: 'owner',
  },
  {
    ...plain,
    name: 'sandbox',
    boolean: true,
    description: 'Use the sandbox: no account, no network',
    sets: 'owner',
  },
  {
    ...plain,
    name: 'timeout',
    value: '<time>',
    duration: true,
    description: 'Deadline, such as 30s or 5m',
    sets: 'anyone',
  },
  {
    ...plain,
    name: 'retry',
    boolean: 'no',
    description: 'Retry requests that are safe to retry',
    default: true,
    sets: 'anyone',
  },
  {
    ...plain,
    name: 'max-attempts',
    value: '<n>',
    number: 'count',
    description: 'Attempts per request',
    default: 4,
    sets: 'anyone',
  },
  {
    ...plain,
    name: 'ca-file',
    value: '<file>',
    description: 'Additional certificate authorities (PEM)',
    path: { use: 'reads' },
    sets: 'owner',
  },
  {
    ...plain,
    name: 'by-title',
    boolean: true,
    description: 'Accept titles in place of ids',
    sets: 'anyone',
  },
  { ...plain, name: 'dry-run', boolean: true, description: 'Show the requests of a change; send nothing' },
  { ...plain, name: 'yes', short: 'y', boolean: true, description: 'Do not ask for confirmation' },
  { ...plain, name: 'quiet', short: 'q', boolean: true, description: 'Print no notes to stderr' },
  { ...plain, name: 'input', boolean: 'only-no', description: 'Never prompt' },
  { ...plain, name: 'color', boolean: 'only-no', description: 'Do not use colour' },
  { ...plain, name: 'pager', boolean: 'only-no', description: 'Print long output without a pager' },
  {
    ...plain,
    name: 'debug',
    boolean: true,
    description: 'Log requests to stderr, never the token',
    sets: 'owner',
  },
];
