import { parse } from 'node:path';
import { type DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isBinary } from '../base/own-program.js';
import { asText, isObject, jsonIn } from '../base/values.js';

/** The service name of the tokens in the system keychain. */
const service = 'docs';

/** The hidden command that asks the keychain in the program without Node, whose runtime runs no other script. */
const keychainCommand = '__keychain';

/** Enough to unlock a keychain; a dead bus must not block. */
const probeLimitMs = 10_000;
const useLimitMs = 60_000;

/** The system keychain. Accounts are `<profile>@<origin>`. */
export interface Keychain {
  /** Tries to set, get and delete a temporary entry; returns the problem, or undefined on success. */
  probe(): Promise<string | undefined>;
  /** Whether the last probe found that this installation has no part for the keychain that loads. */
  isMissing?(): boolean;
  /** @throws DocsError local-io `keychain_unavailable` */
  get(account: string): Promise<string | undefined>;
  /** @throws DocsError local-io `keychain_unavailable` */
  set(account: string, token: string): Promise<void>;
  /** Returns whether there was an entry. @throws DocsError local-io `keychain_unavailable` */
  delete(account: string): Promise<boolean>;
}

interface Request {
  action: 'probe' | 'get' | 'set' | 'delete';
  account: string;
  secret?: string;
}

/** `isMissing`: its module does not load. */
type Answer = { value?: unknown; problem?: undefined } | { problem: string; isMissing?: boolean };

/**
 * The keychain of this system. Its native calls are synchronous and block for ever on a locked keychain or
 * a silent bus, so each runs in a child process, which is killed at a timeout; Ctrl-C works meanwhile. The
 * token is passed on standard input, never in arguments or environment.
 * @param modulePath the module that accesses the keychain; @napi-rs/keyring by default
 */
export function systemKeychain(io: Io, modulePath?: string): Keychain {
  let isMissing = false;
  const use = async (request: Request): Promise<unknown> => {
    const answer = await ask(io, request, useLimitMs, modulePath);
    if (answer.problem !== undefined) throw unavailable(answer.problem);
    return answer.value;
  };
  return {
    async probe() {
      const account = `probe-${process.pid}-${io.random().toString(36).slice(2)}`;
      const answer = await ask(io, { action: 'probe', account, secret: account }, probeLimitMs, modulePath);
      isMissing = 'isMissing' in answer && answer.isMissing === true;
      return answer.problem;
    },
    isMissing: () => isMissing,
    async get(account) {
      return asText(await use({ action: 'get', account }));
    },
    async set(account, secret) {
      await use({ action: 'set', account, secret });
    },
    async delete(account) {
      return (await use({ action: 'delete', account })) === true;
    },
  };
}

/** A required keychain is unavailable: exit 13. */
export function unavailable(problem: string): DocsError {
  const message = `the system keychain is unavailable: ${problem}`;
  const hint = 'DOCS_CREDENTIAL_STORE=file docs auth login';
  return notSent('local-io', 'keychain_unavailable', message, { retryable: true, hint });
}

/** The words of the child process; undefined without the module. */
async function helperProgram(modulePath: string | undefined): Promise<string[] | undefined> {
  if (isBinary) return [keychainCommand];
  try {
    // Loaded here: to load it takes longer than all else that reads a token from a file.
    const { createRequire } = process.getBuiltinModule('node:module');
    const target = modulePath ?? createRequire(import.meta.filename).resolve('@napi-rs/keyring');
    return ['-e', `(${answerKeychain})(() => require(process.argv[1]));`, target];
  } catch {
    return undefined;
  }
}

async function ask(io: Io, request: Request, limitMs: number, modulePath?: string): Promise<Answer> {
  const helper = await helperProgram(modulePath);
  if (helper === undefined)
    return { problem: 'the module @napi-rs/keyring is not installed', isMissing: true };
  const { startChild } = await import('../base/child-process.js');
  // The environment names the session bus; Node's options stay out of it.
  const child = startChild(io, process.execPath, helper, {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: parse(process.execPath).root,
    without: ['NODE_OPTIONS'],
    windowsHide: true,
  });
  const over = new AbortController();
  const limit = io.sleep(limitMs, AbortSignal.any([io.signal, over.signal]));
  try {
    const answered = new Promise<Answer>((resolve) => {
      let output = '';
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
      child.on('error', () => resolve({ problem: 'its helper process did not start' }));
      child.on('close', () => resolve(answerOf(output)));
      // The process may exit before it has read its input; 'close' reports that.
      child.stdin?.on('error', () => undefined).end(JSON.stringify({ ...request, service }));
    });
    return await Promise.race([
      answered,
      limit.then(() => ({ problem: 'it did not respond in time; it may be locked' })),
    ]);
  } finally {
    over.abort();
    limit.catch(() => undefined);
    child.kill('SIGKILL');
  }
}

function answerOf(output: string): Answer {
  const answer = jsonIn(output);
  if (answer === undefined) return { problem: 'its helper process ended without an answer' };
  if (!isObject(answer)) return { problem: 'its helper process gave an invalid answer' };
  if (!('problem' in answer)) return { value: answer.value };
  return { problem: String(answer.problem), isMissing: answer.isMissing === true };
}

/** What the module of the keychain has; its calls block. */
interface Keyring {
  findCredentials(service: string): unknown;
  Entry: new (
    service: string,
    account: string,
  ) => {
    getPassword(): string | null;
    setPassword(secret: string): void;
    deletePassword(): unknown;
  };
}

/**
 * The program of the child process that `systemKeychain` asks: reads one request from standard input, writes the
 * answer. Node gets its source text, so it names nothing from outside.
 *
 * On Linux the module silently falls back to the kernel's keyring, which is lost at a reboot; its search has no such
 * fallback and fails without a secret service, so it runs first.
 */
export function answerKeychain(load: () => Keyring): void {
  const problemOf = (error: unknown) =>
    String((error as Error | undefined)?.message || error)
      .split('\n')[0]
      ?.replace(/\.$/, '') ?? '';
  const isNone = (error: unknown) => /no (matching|entry)/i.test(problemOf(error));
  const orNone = <T>(attempt: () => T, none: T): T => {
    try {
      return attempt();
    } catch (error) {
      if (isNone(error)) return none;
      throw error;
    }
  };
  const run = (keyring: Keyring, { action, service, account, secret }: Record<string, string>) => {
    if (process.platform === 'linux') keyring.findCredentials(`${service}-probe`);
    const entry = new keyring.Entry(service ?? '', account ?? '');
    const get = () => orNone(() => entry.getPassword() ?? undefined, undefined);
    const remove = () => orNone(() => entry.deletePassword() !== false, false);
    if (action === 'get') return get();
    if (action === 'delete') return remove();
    entry.setPassword(secret ?? '');
    if (action === 'set') return undefined;
    const same = get() === secret;
    remove();
    if (!same) throw new Error('a test entry could not be read back');
    return undefined;
  };
  let input = '';
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    input += chunk;
  });
  process.stdin.on('end', () => {
    let answer: object;
    let keyring: Keyring | undefined;
    try {
      keyring = load();
      answer = { value: run(keyring, JSON.parse(input) as Record<string, string>) };
    } catch (error) {
      answer = { problem: problemOf(error), isMissing: keyring === undefined };
    }
    process.stdout.write(JSON.stringify(answer));
  });
}
