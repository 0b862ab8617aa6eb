import { shellWord, shellWords as wordsOf } from '../../base/shell-word.js';
import type { Globals } from './session.js';

export { wordsOf };

/** Flags that say on which platform, and as whom, a command works. */
const placeFlags = ['profile', 'base-url', 'sandbox'] as const;

/** Groups that work on no platform. */
const placeless = ['help', 'completion', 'commands', 'find', 'schema', 'skill', 'sandbox'];

type Place = Pick<Globals, 'profile' | 'baseUrl' | 'sandbox' | 'policy'>;

/** A command, with the flags of this one that say on which platform it works. */
export function atPlace(command: string, place: Place, platform: NodeJS.Platform): string {
  const words = wordsOf(command);
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
