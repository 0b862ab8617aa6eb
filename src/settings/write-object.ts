import fs from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { linkTarget, moveOver } from '../base/write-file.js';
import { cannotWrite } from './own-files.js';

const draftName = 'draft.json';

/**
 * Replaces a file of ours by a JSON object. conf writes it into a folder beside the file (0700,
 * exclusive); the bytes are compared before they are renamed over the old file, which stays on any
 * failure. A symbolic link stays; its target is replaced. (docs/decisions/003-settings-file.md)
 * @param held whether the caller still holds the lock, asked just before the rename
 * @throws DocsError local-io `cannot_write_…`, `lock_lost`
 */
export async function replaceObject(
  io: Pick<Io, 'platform'>,
  path: string,
  value: Record<string, unknown>,
  held: () => boolean,
): Promise<void> {
  try {
    const target = await linkTarget(path);
    removeLeftovers(target);
    const folder = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    fs.mkdirSync(folder, 0o700);
    try {
      await writeVerified(folder, value);
      if (!held()) {
        const message = `another docs process took over the lock of ${path}; nothing was changed`;
        throw notSent('local-io', 'lock_lost', message, { retryable: true });
      }
      await moveOver(join(folder, draftName), target);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  } catch (error) {
    throw error instanceof DocsError ? error : cannotWrite(io, path, error);
  }
}

/** Drafts of killed processes: nobody else writes while the lock is held. */
function removeLeftovers(target: string): void {
  const leftover = new RegExp(`^\\.${basename(target).replaceAll('.', '\\.')}\\.\\d+\\.tmp$`);
  for (const name of fs.readdirSync(dirname(target))) {
    if (leftover.test(name)) fs.rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
}

async function writeVerified(folder: string, value: Record<string, unknown>): Promise<void> {
  const Conf = await loadConf();
  const serialize = (object: unknown): string => `${JSON.stringify(object, null, 2)}\n`;
  const conf = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: 'draft',
    configFileMode: 0o600,
    // Keys contain origins, and origins contain dots.
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
    serialize,
  });
  const text = serialize(value);
  conf.store = value;
  if (fs.readFileSync(conf.path).equals(Buffer.from(text))) return;
  // conf takes a short write for a whole one. Asked again, the disk says what is wrong with it.
  fs.writeFileSync(conf.path, text, { flush: true });
  throw Object.assign(new Error(`${conf.path} does not hold what was written`), { code: 'EIO' });
}

/**
 * Loads conf and takes away the listeners that it adds to every signal: on the first SIGINT they would
 * signal the process again, which then could not finish its journal.
 */
async function loadConf(): Promise<typeof import('conf').default> {
  // Once its last listener is gone, SIGXFSZ is no longer ignored: a file too large would kill the process.
  if (process.listenerCount('SIGXFSZ') === 0) process.on('SIGXFSZ', () => {});
  const own = new Set(signalListeners().map(({ listener }) => listener));
  const { default: Conf } = await import('conf');
  for (const { signal, listener } of signalListeners()) if (!own.has(listener)) process.off(signal, listener);
  return Conf;
}

function signalListeners() {
  return Object.keys(constants.signals).flatMap((signal) =>
    process.rawListeners(signal).map((listener) => ({ signal, listener: listener as () => void })),
  );
}
