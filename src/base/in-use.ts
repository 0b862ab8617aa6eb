/**
 * The few things that are in use for a while, such as requests in flight, oldest first. A Set of them costs more than it
 * seems: as things come and go, V8 makes a new table every few changes, and once the Set is in the old part of the heap,
 * so is each table. What was in one of them, and all that it refers to, is then kept until the whole heap is collected.
 */
export class InUse<T> {
  readonly #things: T[] = [];

  get size(): number {
    return this.#things.length;
  }

  add(thing: T): void {
    this.#things.push(thing);
  }

  /** @returns whether it was there */
  delete(thing: T): boolean {
    const at = this.#things.indexOf(thing);
    if (at >= 0) this.#things.splice(at, 1);
    return at >= 0;
  }

  /** Those of now, whatever comes or goes meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#things][Symbol.iterator]();
  }
}
