import { prepare } from '../api/client.js';
import type { Reads, Resource } from './request.js';

export interface Sharing {
  /** Of readings that are kept at once; the oldest goes first. */
  most: number;
  /** How long a reading may be used, in milliseconds. */
  maxAgeMs: number;
  /** Milliseconds of any clock that does not go back. */
  now(): number;
}

/** Within a job no reading serves longer than ten seconds: others may change what it shows. */
const ofJobs: Sharing = { most: 16, maxAgeMs: 10_000, now: () => performance.now() };

interface Reading {
  /** The moment at which it began. */
  since: number;
  beganMs: number;
  items: Promise<Resource[] | null>;
}

/**
 * Lists that several operations of one kind read are read once for all of them. Moments are counted, not timed:
 * a reading serves those who need nothing that ended after it began.
 */
export class SharedReads {
  readonly #reads: Reads;
  readonly #sharing: Sharing;
  readonly #lists = new Map<string, Reading>();
  #moment = 0;

  constructor(reads: Reads, sharing: Sharing = ofJobs) {
    this.#reads = reads;
    this.#sharing = sharing;
  }

  /** A new moment, later than all readings that began before. */
  moment(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /**
   * Reads whose lists may be shared.
   * @param kind readings are shared within one kind only
   * @param after the moment that a reading must not precede; 0 for any
   */
  for(kind: string, after: number): Reads {
    const ones = new Map<string, Promise<Resource | null>>();
    return {
      // One item may need a resource twice: for its state, and for its place.
      one: (op, input) => {
        const { path } = prepare(op, input);
        const found = ones.get(path) ?? this.#reads.one(op, input);
        ones.set(path, found);
        return found;
      },
      all: (op, input) => {
        const key = `${kind} ${prepare(op, input).path}`;
        const known = this.#lists.get(key);
        if (known !== undefined && known.since > after && !this.#isOld(known)) return known.items;
        return this.#begin(key, this.#reads.all(op, input));
      },
    };
  }

  #isOld({ beganMs }: Reading): boolean {
    return this.#sharing.now() - beganMs > this.#sharing.maxAgeMs;
  }

  #begin(key: string, items: Promise<Resource[] | null>): Promise<Resource[] | null> {
    const reading = { since: this.moment(), beganMs: this.#sharing.now(), items };
    this.#lists.delete(key);
    this.#lists.set(key, reading);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > this.#sharing.most && oldest !== undefined) this.#lists.delete(oldest);
    // Only callers that are already waiting get the failure; later ones read again.
    items.catch(() => {
      if (this.#lists.get(key) === reading) this.#lists.delete(key);
    });
    return items;
  }
}
