import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** What is used of a stream that is written to. */
type Written = Pick<Writable, 'destroyed' | 'writableEnded' | 'writableNeedDrain'>;
type Listened = Pick<EventEmitter, 'on' | 'once' | 'off' | 'listeners'>;

export interface Output extends Written, Listened {
  /** @param done called later: once the system has it, or with why not */
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  isTTY?: boolean;
  /** Width of the terminal in columns; 0 or undefined if unknown. */
  columns?: number;
  /** Height of the terminal in lines; 0 or undefined if unknown. */
  rows?: number;
}

export interface Input extends Readable {
  isTTY?: boolean;
  /** Whether the terminal hands over each key as it is typed. */
  isRaw?: boolean;
}

/** A policy as it was read before this run. */
export interface BoundPolicy {
  /** Absolute. */
  path: string;
  /** As in `PolicyFile`. */
  source?: string;
  bytes: Uint8Array;
}

/** What holds for every call of a server, whatever the folder that it works in says. */
export interface Bound {
  policies: readonly BoundPolicy[];
  /** The profile; undefined for the built-in default. */
  profile?: string;
}

export interface OwnPlace {
  /** Absolute. */
  path: string;
  /** `a policy`. */
  what: string;
}

/** What no file that a person names for docs to write takes the place of. */
export interface OwnPlaces {
  files: readonly OwnPlace[];
  /** With all that is in them, but for what is in `open`. */
  folders: readonly OwnPlace[];
  /** Names of files, in small letters, in whatever folder. */
  names: readonly { name: string; what: string }[];
  open: readonly string[];
}

/** What policies say of effects on this machine; present in a session where there is a policy. */
export interface LocalGuard {
  /**
   * Before a file or directory that a person named is written.
   * @param path absolute, its directory without links
   * @param name as typed
   * @throws DocsError forbidden `policy_denied`
   */
  file(path: string, name: string, is: 'new' | 'there' | 'directory'): Promise<void>;
  /**
   * Before a program starts that the caller or the environment names: an editor.
   * @param instead a sentence: how to do without it
   * @throws DocsError forbidden `policy_denied`
   */
  program(name: string, instead: string): Promise<void>;
  /** Why no such program is started where docs can do without it, as a pager; undefined where it may be. */
  whyNoProgram(): Promise<string | undefined>;
}

/** Everything outside the program that a run may use, passed in so that tests can replace it. */
export interface Io {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
  /** The system-wide policy files; default: by the platform (settings/paths.ts). No variable names them. */
  systemPolicies?: readonly string[];
  /** What a server decided at its start for each of its calls; absent outside of one. */
  bound?: Bound;
  /** Of a session. */
  own?(): OwnPlaces;
  /** Of a session. */
  guard?: LocalGuard;
  /** Of a session: the folders that the policies in force name for what they count on; absolute. */
  guardPlaces?(): readonly string[];
  /** Of a session: whether a policy is in force. */
  underPolicy?(): boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
  /** Waits; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * The same for what needs no promise: calls `done` unless the returned function was called before; see `after`. It keeps
   * no process alive: what it limits does.
   */
  timer?(ms: number, done: () => void): () => void;
  /** Aborted when the run must end (SIGINT, SIGTERM, closed output). Another takes its place by `withSignal` alone. */
  signal: AbortSignal;
  /** The same for what only listens, since Node loads an AbortSignal with all that it consists of; see `endingOf`. */
  ending?: Ending;
  /** The signal was handed on, and what took it has an exit code of its own: the run ends with that. */
  signalTaken?(): void;
  /**
   * Another program has the terminal until the returned function is called.
   * @param end ends that program, so that a second signal leaves nothing behind on the terminal, first by SIGTERM;
   *   without it Ctrl-C is for that program alone, as in an editor, where it is a key like others
   */
  lendTerminal?(end?: (signal: 'SIGTERM' | 'SIGKILL') => void): () => void;
  /** Holds standard output back until it is known whether it needs a pager; present where a pager may be used. */
  paging?: Paging;
}

/** What everything else that writes to the terminal must know of the pager. */
export interface Paging {
  /** Whether the pager has the terminal, so that nothing may be drawn beside it. */
  readonly isOpen: boolean;
  /** Prints what is held back, unless the pager has it: to be called before the terminal is written to. */
  show(): void;
  /** Keeps a text for standard error until the pager has closed. @returns whether it did */
  keeps(text: string): boolean;
}

/** Whether a run must end. */
export interface Ending {
  /** Undefined while it may go on. */
  readonly reason: unknown;
  /** @param listener called once it must end. @returns stops listening */
  onEnd(listener: () => void): () => void;
}

export function endingOf(io: Pick<Io, 'signal' | 'ending'>): Ending {
  return io.ending ?? endingBy(io.signal);
}

export function endingBy(signal: AbortSignal): Ending {
  return {
    get reason() {
      return signal.aborted ? signal.reason : undefined;
    },
    onEnd(listener) {
      signal.addEventListener('abort', listener);
      return () => signal.removeEventListener('abort', listener);
    },
  };
}

/** Calls a function after a time. @returns keeps it from being called */
export function after(io: Pick<Io, 'sleep' | 'timer'>, ms: number, done: () => void): () => void {
  if (io.timer !== undefined) return io.timer(ms, done);
  const controller = new AbortController();
  io.sleep(ms, controller.signal).then(done, () => {});
  return () => controller.abort('done');
}

/** The same world, ended by another signal. */
export function withSignal(io: Io, signal: AbortSignal): Io {
  return derivedIo(io, { signal, ending: undefined });
}

/** The same world with something else in it. Its getters stay getters: each standard stream is made when it is used. */
export function derivedIo(io: Io, more: Partial<Io>): Io {
  return Object.create(io, Object.getOwnPropertyDescriptors(more));
}
