import { deletedFolder, versionsFolder } from '../folder/clear-stale.js';
import type { Written } from '../folder/digest.js';
import type { Folder, Keeper } from '../folder/folder.js';
import { manifestName } from '../folder/manifest.js';
import { signatureName } from '../signature/signed-manifest.js';
import { keepObject } from './objects.js';

/** Written many times in a run; those of finished runs are kept when the next one starts (versions.ts). */
const atTop = new Set([manifestName, signatureName]);

/** Makes an object of each file before a run replaces or removes it, whatever it does that for. */
export class VersionKeeper implements Keeper {
  readonly #folder: Folder;

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  async keep(path: string, old?: Written): Promise<void> {
    const [top] = path.split('/');
    if (atTop.has(path) || top === versionsFolder || top === deletedFolder) return;
    await keepObject(this.#folder, path, old);
  }
}
