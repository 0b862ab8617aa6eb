import { shellWord, shellWords } from '../../base/shell-word.js';
import type { Option } from './command.js';
import type { OptionOutline } from './outline.js';
import type { Globals } from './session.js';

/** Flags that say on which platform, and as whom, a command works. */
const placeFlags = ['profile', 'base-url', 'sandbox'] as const;

/** Groups that work on no platform. */
const placeless = ['help', 'completion', 'commands', 'find', 'sandbox'];

type PlatformFlags = Pick<Globals, 'profile' | 'baseUrl' | 'sandbox' | 'policy'>;

/** A command, with the flags of this one that say on which platform it works. */
export function atPlace(command: string, place: PlatformFlags, platform: NodeJS.Platform): string {
  const words = shellWords(command);
  const group = words[1] ?? '';
  const names = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
  const isSet = placeFlags.some((flag) => names.includes(flag));
  if (words[0] !== 'docs' || isSet || names.includes('help') || isPlaceless(words)) return command;
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

function isPlaceless([, group = '', part]: readonly string[]): boolean {
  return placeless.includes(group) || (group === 'mcp' && part === 'skill');
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

/** An option with nothing set, to start from. */
export const blankOption: Option = {
  variadic: false,
  required: false,
  nullable: false,
  name: '',
  description: '',
};

/**
 * A flag.
 * @param usage as it is typed: `-F, --field <key=value>...`, `--wait [time]`, `--full`, `--no-sso`
 */
export function option(usage: string, description: string, more?: Partial<Option>): Option {
  const short = usage.startsWith('--') ? undefined : usage.charAt(1);
  const long = usage.slice(short === undefined ? '--'.length : '-x, --'.length);
  const end = long.includes(' ') ? long.indexOf(' ') : long.length;
  const isNo = long.startsWith('no-');
  const name = long.slice(isNo ? 'no-'.length : 0, end);
  const variadic = long.endsWith('...');
  const value = long.slice(end + 1, variadic ? -'...'.length : undefined);
  const boolean = isNo ? 'only-no' : true;
  // Every start makes thirty: each written out, they share two layouts.
  const made: Option =
    value === ''
      ? { variadic, required: false, nullable: false, name, description, short, boolean }
      : { variadic, required: false, nullable: false, name, description, short, value };
  return more === undefined ? made : Object.assign(made, more);
}

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
  option('-o, --output <format>', 'Output format: table on a terminal, tsv elsewhere', {
    choices: ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'id'],
    closed: true,
    choiceError: 'unknown_format',
  }),
  option('--json', 'Print one JSON value, like -o json'),
  option('--fields <a,b.c>', 'Columns or keys to show, in order; +a,-b adds and drops'),
  option('--jq <expr>', 'Run a jq expression over the whole result'),
  option('--header', 'Print a header line with tsv'),
  option('--csv-raw', 'Print CSV cells unchanged, including formulas'),
  option('--profile <name>', 'Profile to use', { sets: 'owner' }),
  option('--base-url <url>', 'Address of the platform', { sets: 'owner' }),
  option('--policy <file>', 'Additional policy that must allow the command', {
    path: { use: 'reads' },
    sets: 'owner',
  }),
  option('--sandbox', 'Use the sandbox: no account, no network', { sets: 'owner' }),
  option('--timeout <time>', 'Deadline, such as 30s or 5m', { duration: true, sets: 'anyone' }),
  option('--retry', 'Retry requests that are safe to retry', {
    boolean: 'no',
    default: true,
    sets: 'anyone',
  }),
  option('--max-attempts <n>', 'Attempts per request', { number: 'count', default: 4, sets: 'anyone' }),
  option('--ca-file <file>', 'Additional certificate authorities (PEM)', {
    path: { use: 'reads' },
    sets: 'owner',
  }),
  option('--by-title', 'Accept titles in place of ids', { sets: 'anyone' }),
  option('--dry-run', 'Show the requests of a change; send nothing'),
  option('-y, --yes', 'Do not ask for confirmation'),
  option('-q, --quiet', 'Print no notes to stderr'),
  option('--no-input', 'Never prompt'),
  option('--no-color', 'Do not use colour'),
  option('--no-pager', 'Print long output without a pager'),
  option('--debug', 'Log requests to stderr, never the token', { sets: 'owner' }),
];

/** The flags of a command that are shown: all but those that another one replaced. */
export function visibleOptions<O extends Pick<Option, 'hidden'>>({
  options,
}: {
  options: readonly O[];
}): O[] {
  return options.filter(({ hidden }) => hidden !== true);
}

/** How a flag may be written. */
export function spellings({ name, boolean }: OptionOutline): string[] {
  if (boolean === 'only-no') return [`--no-${name}`];
  if (boolean === 'no') return [`--${name}`, `--no-${name}`];
  return typeof boolean === 'string' ? [`--${name}`, `--${boolean}`] : [`--${name}`];
}

/** The same, and the names that it had before. */
export function allSpellings(option: OptionOutline): string[] {
  return [...spellings(option), ...(option.formerly ?? []).map((name) => `--${name}`)];
}

/** Whether a flag may be written as `--` and this name. A line asks it of thirty, so it makes no list of them. */
export function isSpelled({ name, boolean, formerly }: OptionOutline, typed: string): boolean {
  const isNo = boolean === 'no' || boolean === 'only-no';
  const other = isNo ? `no-${name}` : boolean;
  return (typed === name && boolean !== 'only-no') || typed === other || formerly?.includes(typed) === true;
}

/** As help writes it: `--role <role>`, `--[no-]sso`, `-o, --output <format>`. */
export function flagUsage({ name, short, boolean, value, variadic }: OptionOutline): string {
  if (boolean === 'no') return `--[no-]${name}`;
  if (boolean === 'only-no') return `--no-${name}`;
  if (boolean === `un${name}`) return `--[un]${name}`;
  if (typeof boolean === 'string') return `--${name}, --${boolean}`;
  return `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}${variadic ? '…' : ''}`;
}
