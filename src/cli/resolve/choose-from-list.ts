import type { Client } from '../../api/client.js';
import { usageError } from '../../base/errors.js';
import { searchKey } from '../../base/name.js';
import { defined } from '../../base/values.js';
import type { Resource } from '../../model/resources.js';
import { startProgress } from '../../output/progress.js';
import type { Session } from '../declare/session.js';
import { type Known, knownOf } from './find-by-title.js';
import { itemsOf, type Parents } from './list-resources.js';
import { askFromList, type Choice } from './prompts.js';

/** Choices shown at once; typing narrows them. */
const mostShown = 50;

/** The resources of a kind to choose from, while their list is still being read. */
export class ListToChooseFrom {
  readonly #client: Client;
  readonly #kind: Resource;
  readonly #parents: Parents;
  readonly #seen = new Map<string, Known>();
  readonly #walk: AsyncIterator<unknown>;
  #ended = false;
  #reading: Promise<void> | undefined;

  constructor(client: Client, kind: Resource, parents: Parents) {
    this.#client = client;
    this.#kind = kind;
    this.#parents = parents;
    this.#walk = itemsOf(client, kind, parents)[Symbol.asyncIterator]();
  }

  /** The first ones, as many as are shown. @throws DocsError as the list does */
  async first(): Promise<Known[]> {
    await this.#until(() => this.#seen.size >= mostShown);
    return [...this.#seen.values()];
  }

  /** What fits a text typed so far, in the order of the platform. */
  async fitting(term: string | undefined): Promise<Choice<Known>[]> {
    const typed = term?.trim().toLowerCase() ?? '';
    // Tab puts the line of a choice, whose title may be cut, where the text is typed.
    const listed = [...this.#seen.values()].find(({ id }) => typed.endsWith(`  ${id.toLowerCase()}`));
    if (listed !== undefined) return [choiceOf(listed)];
    const found = typed === '' ? await this.first() : await this.#search(typed);
    return found.slice(0, mostShown).map(choiceOf);
  }

  async #search(typed: string): Promise<Known[]> {
    if (this.#kind.search !== undefined && !this.#ended) return this.#onPlatform(typed);
    const wanted = searchKey(typed);
    const fits = ({ names, also, id }: Known) =>
      [...names, also, id].some((text) => searchKey(text).includes(wanted));
    const fitting = () => [...this.#seen.values()].filter(fits);
    await this.#until(() => fitting().length >= mostShown);
    return fitting();
  }

  /** A long list is not read to its end: the platform searches it. */
  async #onPlatform(wanted: string): Promise<Known[]> {
    const found: Known[] = [];
    for await (const item of itemsOf(this.#client, this.#kind, this.#parents, wanted)) {
      found.push(knownOf(item, this.#kind));
      if (found.length >= mostShown) break;
    }
    return found;
  }

  /** Reads on until there is enough, or no more. Several may wait; one of them reads. */
  async #until(enough: () => boolean): Promise<void> {
    while (!this.#ended && !enough()) {
      this.#reading ??= this.#readOne().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #readOne(): Promise<void> {
    const next = await this.#walk.next();
    this.#ended = next.done === true;
    if (this.#ended) return;
    const known = knownOf(next.value, this.#kind);
    if (known.id !== '') this.#seen.set(known.id, known);
  }
}

/** Has one of a list chosen. Of organizations, the only one is taken. @throws usage `missing_argument`: none is there */
export async function chooseOne(
  session: Session,
  list: ListToChooseFrom,
  { noun, plural, parameter }: Resource,
  place: string,
): Promise<{ known: Known; isOnly: boolean }> {
  const { io, globals, printer } = session;
  const progress = startProgress(io, { text: `Fetching ${plural}`, quiet: globals.quiet ?? false });
  const first = await list.first().finally(() => progress.stop());
  const [only] = first;
  if (only === undefined) {
    const message = `${place} is required, and there are no ${plural} to choose from.`;
    throw usageError('missing_argument', message);
  }
  if (parameter === 'organizationId' && first.length === 1) {
    printer.note(`${called(only)} is your only organization.`);
    return { known: only, isOnly: true };
  }
  const message = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}:`;
  return { known: await askFromList(session, message, (term) => list.fitting(term)), isOnly: false };
}

function choiceOf(known: Known): Choice<Known> {
  const { id, title, also } = known;
  const description = also !== '' && also !== title ? also : undefined;
  const line = title === '' || title === id ? { name: id } : { name: title, id };
  return defined({ value: known, ...line, short: called(known), description });
}

/** `Handbook (s1)`. */
export function called({ id, title }: Known): string {
  return title === '' || title === id ? id : `${title} (${id})`;
}
