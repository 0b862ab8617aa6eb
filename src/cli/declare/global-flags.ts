import { shellWord, shellWords } from '../../base/shell-word.js';
import type { Option } from './command.js';
import { globalOptions } from './global-options.js';
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

/** The flags that every command takes, as one command takes them: `-o` may have further formats. */
export function globalOptionsOf(command: { formats?: readonly string[] } | undefined): readonly Option[] {
  const { formats = [] } = command ?? {};
  if (formats.length === 0) return globalOptions;
  return globalOptions.map((option) =>
    option.name === 'output' ? { ...option, choices: [...(option.choices ?? []), ...formats] } : option,
  );
}

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
