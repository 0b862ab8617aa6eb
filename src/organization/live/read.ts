import type { Client } from '../../api/client.js';
import { pluralOf } from '../../base/name.js';
import { readsOf } from '../../jobs/reads.js';
import { gateAhead } from '../../snapshot/ahead.js';
import { type Gate, gated, nextPiece } from '../../snapshot/gate.js';
import { rememberingClient } from '../../snapshot/organization.js';
import { isRefused, mayNotRead } from '../kinds/declare.js';
import { kindOf, kinds } from '../kinds/index.js';
import type { Kind, KindName, Live, LiveItem, LiveReading, Missed } from '../model.js';

export { gated };

/** Items between two reports of progress. */
const progressEvery = 100;

/**
 * Reads the kinds that are wanted, those that they stand in, and no others, eight requests at once and each list
 * once. A kind that the token may not read is absent, and `missed` says so.
 * @param wants whether a kind is of interest, and whether a field is whose reading takes requests of its own
 * @param progress called with the number of items read so far
 * @throws DocsError where a read fails, and where the token may read nothing of what is wanted
 */
export function readLive(
  client: Client,
  organizationId: string,
  wants: LiveReading['wants'],
  progress: (items: number) => void,
): Promise<Live> {
  return beginReading(client, organizationId, wants, progress).live;
}

/** The same, for those who may have to give it up: `end` sends nothing more. */
export function beginReading(
  client: Client,
  organizationId: string,
  wants: LiveReading['wants'],
  progress: (items: number) => void,
): { live: Promise<Live>; end(cause: unknown): void } {
  const gate = gateAhead(client) ?? gated(client);
  const reading = new Reading(gate.client, organizationId, wants, progress);
  return { live: readAll(reading, gate), end: gate.end };
}

async function readAll(reading: Reading, gate: Gate): Promise<Live> {
  const { organizationId, wants } = reading;
  try {
    const wanted = kinds.filter(({ name }) => wants(name));
    const refused = await Promise.all(await begun(inTurn(wanted), (kind) => reading.refusal(kind)));
    if (wanted.length > 0 && refused.every((cause) => cause !== undefined)) throw refused[0];
    return { organizationId, items: await reading.items(), missed: reading.missing() };
  } catch (cause) {
    gate.end(cause);
    throw cause;
  }
}

/** Each in a turn of its own: of what was asked for ahead, the answer is there, and many items are made of it at once. */
async function begun(
  all: readonly Kind[],
  read: (kind: Kind) => Promise<unknown>,
): Promise<Promise<unknown>[]> {
  const reads: Promise<unknown>[] = [];
  for (const kind of all) {
    const one = read(kind);
    one.catch(() => {}); // Thrown again where all are awaited.
    reads.push(one);
    await nextPiece();
  }
  return reads;
}

/**
 * Those that others wait for first. The list of people may be long, so it is the last of those that are asked for at once:
 * it is parsed once the requests are sent that follow from the other answers.
 */
export function inTurn(wanted: readonly Kind[]): Kind[] {
  const heads: readonly KindName[] = [
    ...(['spaces', 'collections', 'sites', 'fields', 'teams'] as const),
    ...(['openapi', 'translations', 'people'] as const),
  ];
  const rank = ({ name }: Kind) => (heads.includes(name) ? heads.indexOf(name) : heads.length);
  return wanted.toSorted((one, other) => rank(one) - rank(other));
}

class Reading implements LiveReading {
  readonly reads: LiveReading['reads'];
  readonly #kinds = new Map<KindName, Promise<readonly LiveItem[]>>();
  readonly #missed = new Map<string, Missed>();
  #count = 0;

  constructor(
    readonly client: Client,
    readonly organizationId: string,
    readonly wants: LiveReading['wants'],
    private readonly progress: (items: number) => void,
  ) {
    this.reads = readsOf(rememberingClient(client));
  }

  readonly all = (name: KindName): Promise<readonly LiveItem[]> => {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const items = this.#list(name);
    items.catch(() => {}); // Thrown again where it is awaited, which may be later.
    this.#kinds.set(name, items);
    return items;
  };

  readonly missed = (missed: Missed): void => {
    this.#missed.set(`${missed.kind} ${missed.message}`, missed);
  };

  /** Kinds that are missed as a whole come first, whichever answer came first. */
  missing(): readonly Missed[] {
    const isPart = ({ field, within }: Missed) => Number((field ?? within) !== undefined);
    return [...this.#missed.values()].toSorted((one, other) => isPart(one) - isPart(other));
  }

  /** Reads a kind. @returns why the token may not read it @throws every other failure */
  async refusal(kind: Kind): Promise<unknown> {
    try {
      await this.all(kind.name);
      return undefined;
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      this.missed({ kind: kind.name, message: mayNotRead(pluralOf(kind.one), cause) });
      return cause;
    }
  }

  /** What was read, by kind, in the order of the kinds. */
  async items(): Promise<ReadonlyMap<KindName, readonly LiveItem[]>> {
    const items = new Map<KindName, readonly LiveItem[]>();
    for (const { name } of kinds) {
      const found = await this.#kinds.get(name)?.catch(() => undefined);
      if (found !== undefined) items.set(name, found);
    }
    return items;
  }

  async #list(name: KindName): Promise<readonly LiveItem[]> {
    const items: LiveItem[] = [];
    for await (const found of kindOf(name).list(this)) {
      for (const item of found) {
        items.push(item);
        this.#count += 1;
        if (this.#count % progressEvery === 0) this.progress(this.#count);
      }
    }
    this.progress(this.#count);
    return items;
  }
}
