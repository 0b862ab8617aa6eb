import type { Taker } from './takers.js';

/**
 * What a command does on this machine beside printing. Files that a flag or positional names follow from `path` there, and
 * much follows from what a command is (`localEffects`); the rest it declares as `here`. A test runs all examples and
 * watches for what is in neither.
 */

/** What docs keeps, by the places where it is (settings/paths.ts). */
export type Kept =
  /** Settings and the token. */
  | 'settings'
  /** Journals, budgets and the audit chain. */
  | 'journals'
  /** What a later run of the command compares with. */
  | 'last-runs'
  /** Texts from an editor that were not sent yet. */
  | 'drafts'
  /** Plans that agents make. */
  | 'agent-plans'
  /** Databases of the sandbox, and the files that tell of its servers. */
  | 'sandbox'
  /** A start-up file of a shell, and what it loads. */
  | 'start-up'
  /** Directories of agents that skills are in. */
  | 'skills'
  /** Ids and titles for completion, compiled code. */
  | 'cache'
  /** A directory of the system's temporary one, which is removed. */
  | 'temporary';

/**
 * A script, editor, pager or browser is named by the caller or the environment; `own` is docs itself, and the helper that
 * asks the keychain.
 */
export type Program = 'script' | 'editor' | 'pager' | 'browser' | 'git' | 'ssh-keygen' | 'own';

/** An address beside that of the platform: of files that answers name; one that is typed; the remote of a policy. */
export type Address = 'files' | 'typed' | 'remote' | 'own-sandbox';

export interface LocalEffects {
  keeps?: readonly Kept[];
  runs?: readonly Program[];
  contacts?: readonly Address[];
}

/** What of a command, whole or in outline, tells that. */
interface Declared {
  args: readonly Pick<Taker, 'path'>[];
  options: readonly Pick<Taker, 'name' | 'path'>[];
  operations: readonly { method: string }[];
  danger: string;
  effect?: 'local';
  carrier?: true;
  anyRequest?: boolean;
  here?: LocalEffects;
}

/** What any command may do: learn titles, start the sandbox for `--sandbox`, ask the keychain for a token. */
const ofAny = { keeps: ['cache', 'sandbox'], runs: ['own'] } as const satisfies LocalEffects;

/** All that a command may do here, beside the files that it names. */
export function localEffects(command: Declared): Required<LocalEffects> {
  const { keeps, runs, contacts } = ownEffects(command);
  return { keeps: [...ofAny.keeps, ...keeps], runs: [...ofAny.runs, ...runs], contacts };
}

/** The same without what any command may do. */
export function ownEffects(command: Declared): Required<LocalEffects> {
  const { here = {}, options, operations } = command;
  const has = (flag: string) => options.some(({ name }) => name === flag);
  const changes =
    command.carrier === true ||
    command.anyRequest === true ||
    operations.some(({ method }) => method !== 'GET');
  const only = command.danger === 'read' && command.effect === undefined;
  const when = <T>(holds: boolean, ...effects: T[]): T[] => (holds ? effects : []);
  return {
    keeps: [
      ...when<Kept>(changes || has('save-plan'), 'journals'),
      ...when<Kept>(has('editor'), 'drafts'),
      ...(here.keeps ?? []),
    ],
    runs: [
      ...when<Program>(only, 'pager'),
      ...when<Program>(has('editor'), 'editor'),
      ...when<Program>(has('web'), 'browser'),
      ...(here.runs ?? []),
    ],
    contacts: [...when<Address>(has('download'), 'files'), ...(here.contacts ?? [])],
  };
}

/** What a command leaves behind by the way: none of it decides what docs does later. */
const incidental: readonly Kept[] = ['last-runs', 'drafts', 'cache', 'temporary'];

/**
 * The words of a policy that allow what a command does here as its own name does; none where it also writes what docs
 * keeps, which its name alone allows.
 */
export function localWordsOf({ args, options, effect, here = {} }: Declared): ('files' | 'programs')[] {
  if (effect !== 'local' || here.keeps?.some((kept) => !incidental.includes(kept))) return [];
  const isScript = here.runs?.includes('script') === true;
  const files = [...args, ...options].some(({ path }) => path?.use === 'writes');
  return [...(files && !isScript ? (['files'] as const) : []), ...(isScript ? (['programs'] as const) : [])];
}
