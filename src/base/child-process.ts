import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Io } from './io.js';
import { isSecretName } from './redaction.js';
import { shellWord } from './shell-word.js';

/** The only place that starts processes: whatever is started here gets an environment without secrets. */

type Env = Io['env'];

interface ChildOptions extends Omit<SpawnOptions, 'env' | 'shell'> {
  /** Variables that the child is meant to have, credentials among them. */
  own?: Env;
  /** Variables that it must not have. */
  without?: readonly string[];
  /** The only variables that it gets beside `own`; default: all but secrets. */
  only?: readonly string[];
  /** Whether it is docs itself, which keeps the secrets of others: files of an organization may take them by `!env`. */
  isDocs?: boolean;
}

/**
 * Starts a program without a shell, in the working folder unless another is given. One in a session of its own
 * would get a window of its own on Windows, which stays hidden.
 */
export function startChild(
  { env, cwd, platform = process.platform }: Pick<Io, 'env' | 'cwd'> & Partial<Pick<Io, 'platform'>>,
  program: string,
  args: readonly string[],
  { own = {}, without = [], only, isDocs = false, ...options }: ChildOptions,
): ChildProcess {
  const kept =
    only === undefined ? childEnvironment(env, isDocs) : onlyNames(childEnvironment(env), only, platform);
  const given = withoutNames(kept, [...without, ...Object.keys(own)], platform);
  const windowsHide = options.detached === true;
  return spawn(program, args, { cwd, windowsHide, ...options, env: { ...given, ...own } });
}

/** How a child ended, and what it wrote. */
interface Ended {
  code: number | null;
  stdout: Buffer;
  /** The last 10,000 characters. */
  stderr: string;
}

/**
 * Runs a child to its end, and keeps what it writes.
 * @param options.input what it reads; none: standard input is closed, or as `stdin` says
 * @param options.most bytes of its output; one that writes more is killed
 * @throws the system's error where it does not start; an AbortError
 */
export function runChild(
  world: Parameters<typeof startChild>[0],
  program: string,
  args: readonly string[],
  options: Omit<ChildOptions, 'stdio'> & { input?: Uint8Array; stdin?: 'inherit'; most?: number },
): Promise<Ended> {
  const { input, stdin = input === undefined ? 'ignore' : 'pipe', most = Number.POSITIVE_INFINITY } = options;
  return new Promise((done, fail) => {
    const child = startChild(world, program, args, { ...options, stdio: [stdin, 'pipe', 'pipe'] });
    const parts: Buffer[] = [];
    let [size, stderr] = [0, ''];
    child.stdout?.on('data', (part: Buffer) => {
      size += part.length;
      if (size > most) child.kill();
      else parts.push(part);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-10_000);
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout: Buffer.concat(parts), stderr }));
    // It may end before it has read its input; 'close' reports that.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/**
 * The words that run a command through cmd, for a hint: Windows starts nothing but programs without a shell, and
 * `npm` is a script there. Undefined elsewhere.
 */
export function throughCmd(words: readonly string[], platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  return ['cmd', '/c', ...words].map((word) => shellWord(word, platform)).join(' ');
}

/** On Windows `Path` and `PATH` are one variable, and of two spellings a child gets only one. */
export function withoutNames(
  env: Readonly<Record<string, string>>,
  names: readonly string[],
  platform: NodeJS.Platform,
): Record<string, string> {
  const isNamed = namedAmong(names, platform);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isNamed(name)));
}

function onlyNames(env: Record<string, string>, names: readonly string[], platform: NodeJS.Platform) {
  const isNamed = namedAmong(names, platform);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isNamed(name)));
}

function namedAmong(names: readonly string[], platform: NodeJS.Platform): (name: string) => boolean {
  const key = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
  const known = new Set(names.map(key));
  return (name) => known.has(key(name));
}

/**
 * An environment without secrets: variables such as DOCS_TOKEN, others whose names look secret, and the logins of
 * proxies. @param isDocs keeps those that are not docs' own
 */
export function childEnvironment(env: Env, isDocs = false): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || isOwnSecret(name) || (!isDocs && otherSecret.test(name))) return [];
    return [[name, isDocs || !proxy.test(name) ? value : withoutLogin(value)]];
  });
  return Object.fromEntries(kept);
}

/** What a child that is docs itself needs of the rest, to be passed on its standard input. */
export function withheldFrom(env: Env): Record<string, string> {
  const passed = childEnvironment(env);
  const needed = Object.entries(env).filter(([name]) => isOwnSecret(name) || proxy.test(name));
  return Object.fromEntries(needed.filter(([name, value]) => passed[name] !== value)) as Record<
    string,
    string
  >;
}

/** How the names of variables end that hold secrets of other programs, and addresses of proxies. */
const otherSecret = /(?:token|secret|passw(?:or)?d|passphrase|key(?:_id)?|credentials?|cookie|_pat|_auth)$/i;
const proxy = /(?<!no_?)proxy$/i;

function isOwnSecret(name: string): boolean {
  return /^docs_/i.test(name) && isSecretName(name) && name !== 'DOCS_CREDENTIAL_STORE';
}

/** `http://user:password@proxy:3128` without its login, with or without a scheme. */
function withoutLogin(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1');
}
