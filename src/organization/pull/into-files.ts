import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import type { Lock } from '../../plans/lock.js';
import { organizationFile } from '../files/layout.js';
import { readFiles } from '../files/read.js';
import { badFiles } from '../files/reading.js';
import type { Address, Live } from '../model.js';
import { changesOf, type PullOptions } from './changes.js';
import { editedFiles } from './edit-files.js';
import { schemaFiles, tellUnread } from './new-files.js';
import { type Pulled, writeAll } from './write-files.js';

/** Writes what the platform changed into files that are there. @throws DocsError as `pull` */
export async function intoFiles(
  io: Io,
  root: string,
  live: Live,
  lock: Lock | undefined,
  options: PullOptions,
): Promise<Pulled> {
  const reading = await readFiles(io, root, true);
  if (reading.mistakes.length > 0) throw badFiles(reading.mistakes);
  const changes = changesOf(reading, live, lock, options);
  const known = (address: string) => reading.items.has(address as Address) || address in (lock?.items ?? {});
  const unknown = [...options.take].filter((address) => !known(address));
  if (unknown.length > 0) throw unknownItems(unknown);
  const { files, removed } = editedFiles(reading, changes);
  if (!options.onlyDrift) {
    const present = [...reading.parsed].filter(([path]) => !removed.includes(path));
    tellUnread(
      changes.tree,
      files,
      new Map(present.map(([path, { mark = '', text }]) => [path, mark + text])),
    );
    for (const [path, text] of schemaFiles()) files.set(path, text);
  }
  const written = await writeAll(root, files, removed);
  const { kept, left, lock: entries } = changes;
  return { written, kept, lock: entries, ...(left.length > 0 && { left }) };
}

function unknownItems(addresses: readonly string[]) {
  return usageError('unknown_item', `no file has ${addresses.join(', ')}; nothing was changed`, {
    hint: `Addresses look like teams/writers and people/ada@acme.example; ${organizationFile} is organization/organization.`,
  });
}
