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
