import { isHidden } from '../platform-refusal.js';
import { content } from './content.js';
import type { Loaders, Loading, Part } from './part.js';
import { people } from './people.js';
import { settings } from './settings.js';
import { structure } from './structure.js';

/** Every part that can be read. */
export const loaders: Loaders = { ...people, ...structure, ...settings, ...content };

/** Reads parts of the platform, each once; whoever needs one that is being read waits for it. */
export class Parts {
  readonly #loading: Omit<Loading, 'need' | 'want'>;
  readonly #made: (id: string) => boolean;
  readonly #read = new Map<string, Promise<void>>();

  /** @param made whether a thing was made in the copy: nothing of it is read */
  constructor(loading: Omit<Loading, 'need' | 'want'>, made: (id: string) => boolean) {
    this.#loading = loading;
    this.#made = made;
  }

  /** @throws DocsError what the platform refuses, and why it could not be read */
  async need(...parts: readonly Part[]): Promise<void> {
    for (const part of parts) await this.#one(part);
  }

  /** As `need`; goes on where something is hidden from the token. */
  async want(...parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      await this.#one(part).catch((error: unknown) => {
        if (!isHidden(error)) throw error;
      });
    }
  }

  #one(part: Part): Promise<void> {
    const [kind, ...ids] = part;
    const key = part.join(' ');
    const read = this.#read.get(key);
    if (read !== undefined) return read;
    if (ids.some((id) => this.#made(id))) return Promise.resolve();
    const loader = loaders[kind];
    if (loader === undefined) return Promise.reject(new Error(`No loader reads the part ${kind}.`));
    const need: Loading['need'] = (...others) => this.need(...others);
    const want: Loading['want'] = (...others) => this.want(...others);
    const reading = loader({ ...this.#loading, need, want }, ...ids);
    this.#read.set(key, reading);
    // What failed is asked for again by whoever needs it next.
    reading.catch(() => this.#read.delete(key));
    return reading;
  }
}
