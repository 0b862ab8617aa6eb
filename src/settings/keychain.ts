import { createRequire } from 'node:module';
import { parse } from 'node:path';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { isObject } from '../is-object.js';

/** The service under which tokens stand in the system's keychain. */
const service = 'docs';

/** How long a probe may take: a person may unlock a keychain in it, a dead bus must not hold up. In milliseconds. */
const probeLimitMs = 10_000;
/** How long the use of a keychain may take: a person may have to unlock it. In milliseconds. */
const useLimitMs = 60_000;

/** The system's keychain. Accounts are `<profile>@<origin>`. */
export interface Keychain {
  /** Why the keychain cannot be used (set, get and delete of a passing entry), or undefined where it can. */
  probe(): Promise<string | undefined>;
  /** @throws DocsError local-io `keychain_unavailable` */
  get(account: string): Promise<string | undefined>;
  /** @throws DocsError local-io `keychain_unavailable` */
  set(account: string, token: string): Promise<void>;
  /** Whether there was one. @throws DocsError local-io `keychain_unavailable` */
  delete(account: string): Promise<boolean>;
}

interface Request {
  action: 'probe' | 'get' | 'set' | 'delete';
  account: string;
  secret?: string;
}

type Answer = { value?: unknown; problem?: undefined } | { problem: string };

/**
 * The keychain of the system this runs on. Its calls are native and synchronous, and wait without end
 * for a keychain that is locked or a bus that is silent; so each runs in a process of its own, which
 * is killed when its time is up, and Ctrl-C works meanwhile. The token goes there by standard input,
 * never in arguments or environment.
 * @param modulePath of the module that reaches the keychain; @napi-rs/keyring unless given
 */
export function systemKeychain(io: Io, modulePath?: string): Keychain {
  const use = async (request: Request): Promise<unknown> => {
    const answer = await ask(io, request, useLimitMs, modulePath);
    if (answer.problem !== undefined) throw unavailable(answer.problem);
    return answer.value;
  };
  return {
    async probe() {
      const account = `probe-${process.pid}-${io.random().toString(36).slice(2)}`;
      return (await ask(io, { action: 'probe', account, secret: account }, probeLimitMs, modulePath)).problem;
    },
    async get(account) {
      const value = await use({ action: 'get', account });
      return typeof value === 'string' ? value : undefined;
    },
    async set(account, secret) {
      await use({ action: 'set', account, secret });
    },
    async delete(account) {
      return (await use({ action: 'delete', account })) === true;
    },
  };
}

/** A keychain that is needed and cannot be used: exit 13. */
export function unavailable(problem: string): DocsError {
  return new DocsError(
    'local-io',
    'keychain_unavailable',
    `The system's keychain cannot be used: ${problem}.`,
    {
      outcome: 'not-sent',
      retryable: true,
      hint: 'DOCS_CREDENTIAL_STORE=file docs auth login',
    },
  );
}

/**
 * What the process runs. On Linux the module falls back in silence to the kernel's keyring, which
 * forgets at the next start of the machine; its search has no such fallback and fails where no secret
 * service answers, so it goes first.
 */
const program = `
const problemOf = (error) => String((error && error.message) || error).split('\\n')[0].replace(/\\.$/, '');
const isNone = (error) => /no (matching|entry)/i.test(problemOf(error));
const run = ({ action, service, account, secret }) => {
  const keyring = require(process.argv[1]);
  if (process.platform === 'linux') keyring.findCredentials(service + '-probe');
  const entry = new keyring.Entry(service, account);
  const get = () => {
    try { return entry.getPassword() ?? undefined; } catch (error) { if (isNone(error)) return undefined; throw error; }
  };
  const remove = () => {
    try { return entry.deletePassword() !== false; } catch (error) { if (isNone(error)) return false; throw error; }
  };
  if (action === 'get') return get();
  if (action === 'delete') return remove();
  entry.setPassword(secret);
  if (action === 'set') return undefined;
  const same = get() === secret;
  remove();
  if (!same) throw new Error('it does not give back what it was given');
};
let input = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => { input += chunk; }).on('end', () => {
  let answer;
  try { answer = { value: run(JSON.parse(input)) }; } catch (error) { answer = { problem: problemOf(error) }; }
  process.stdout.write(JSON.stringify(answer));
});
`;

async function ask(io: Io, request: Request, limitMs: number, modulePath?: string): Promise<Answer> {
  let target: string;
  try {
    target = modulePath ?? createRequire(import.meta.filename).resolve('@napi-rs/keyring');
  } catch {
    return { problem: 'its module is not installed' };
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['-e', program, target], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: parse(process.execPath).root,
    env: childEnvironment(io),
    windowsHide: true,
  });
  const over = new AbortController();
  const limit = io.sleep(limitMs, AbortSignal.any([io.signal, over.signal]));
  try {
    const answered = new Promise<Answer>((resolve) => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
      child.on('error', () => resolve({ problem: 'its process did not start' }));
      child.on('close', () => resolve(answerOf(output)));
      // The process may be gone before it has read; its end says so.
      child.stdin.on('error', () => undefined).end(JSON.stringify({ ...request, service }));
    });
    return await Promise.race([
      answered,
      limit.then(() => ({ problem: 'it did not answer in time; it may be locked' })),
    ]);
  } finally {
    over.abort();
    limit.catch(() => undefined);
    child.kill('SIGKILL');
  }
}

function answerOf(output: string): Answer {
  try {
    const answer: unknown = JSON.parse(output);
    if (!isObject(answer)) return { problem: 'its answer was not understood' };
    if ('problem' in answer) return { problem: String(answer.problem) };
    return 'value' in answer ? { value: answer.value } : {};
  } catch {
    return { problem: 'its process ended without an answer' };
  }
}

/** The environment, which leads to the session's bus, without what has no business there. */
function childEnvironment(io: Io): Record<string, string | undefined> {
  const { DOCS_TOKEN: _token, NODE_OPTIONS: _options, ...rest } = io.env;
  return rest;
}
