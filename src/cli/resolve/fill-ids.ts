import type { Client } from '../../api/client.js';
import { usageError } from '../../base/errors.js';
import { canBeId } from '../../base/ids.js';
import { searchKey } from '../../base/name.js';
import { type Resource, resourceOfContext, resources } from '../../model/resources.js';
import { showProgress } from '../../output/progress.js';
import type { Command, ManualInput } from '../declare/command.js';
import { atPlace, type ContextParameter, contextFlags } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import { readIds } from '../parse/typed-text.js';
import {
  findAllByTitle,
  findAmong,
  findByTitle,
  findPublished,
  hasId,
  itemsOf,
  type Known,
  knownOf,
  type Parents,
  readAddress,
} from './find-by-title.js';
import {
  type Filled,
  type IdPlace,
  isAddress,
  isEmailOf,
  isSource,
  mayBeTitle,
  mayListEmails,
  missingContext,
} from './id-places.js';
import { askFromList, type Choice } from './prompts.js';

/** Choices shown at once; typing narrows them. */
const mostShown = 50;

/** The resources of a kind to choose from, while their list is still being read. */
class ListToChooseFrom {
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
async function chooseOne(
  session: Session,
  list: ListToChooseFrom,
  { noun, plural, parameter }: Resource,
  place: string,
): Promise<{ known: Known; isOnly: boolean }> {
  const first = await showProgress(session, `Fetching ${plural}`, () => list.first());
  const [only] = first;
  if (only === undefined) {
    const message = `${place} is required, and there are no ${plural} to choose from`;
    throw usageError('missing_argument', message);
  }
  if (parameter === 'organizationId' && first.length === 1) {
    session.printer.note(`${called(only)} is your only organization.`);
    return { known: only, isOnly: true };
  }
  const message = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}:`;
  return { known: await askFromList(session, message, (term) => list.fitting(term)), isOnly: false };
}

function choiceOf(known: Known): Choice<Known> {
  const { id, title, also } = known;
  const description = also !== '' && also !== title ? also : undefined;
  const line = title === '' || title === id ? { name: id } : { name: title, id };
  return { value: known, ...line, short: called(known), description };
}

/** `Handbook (s1)`. */
function called({ id, title }: Known): string {
  return title === '' || title === id ? id : `${title} (${id})`;
}

/** Replaces titles and addresses on a command line by ids, and asks for what is missing. */

/** Emails that are searched one by one; more are looked up in the whole list. */
const mostSearched = 10;

/** @param places those of the command line, parents first */
export async function fillIds(
  session: Session,
  command: Command,
  input: ManualInput,
  places: readonly IdPlace[],
): Promise<Filled> {
  const filling = new Filling(session, command, input);
  // An address names parents, too, which then need not be asked for.
  const hasAddress = ({ typed }: IdPlace) => typed.some(isAddress);
  const others = places.filter((place) => !hasAddress(place));
  for (const place of [...places.filter(hasAddress), ...others]) await filling.fill(place);
  return filling.filled();
}

/** A resource outside the places that `fillIds` knows. */
interface OnePlace {
  kind: Resource;
  /** What was typed; undefined to ask for it. */
  typed: string | undefined;
  /** As errors name it: `<id>`, `--org`. */
  place: string;
}

/**
 * The id of one resource, for hand-written commands, and the session with the parents it was found in.
 * @throws DocsError as `findByTitle`; usage where nothing was typed and nobody can be asked
 */
export async function idOf(session: Session, place: OnePlace): Promise<{ id: string; session: Session }> {
  const command = { args: [], options: [], operations: [] };
  const filling = new Filling(session, command, { args: {}, options: {} });
  const id = await filling.one(place);
  return { id, session: filling.filled().session };
}

type Places = Pick<Command, 'args' | 'options' | 'operations'>;

class Filling {
  readonly #command: Places;
  #session: Session;
  #input: ManualInput;
  /** Ids of parents by path parameter. */
  readonly #parents: Record<string, string> = {};
  /** The address that named a parent. */
  readonly #addressOf = new Map<string, string>();

  constructor(session: Session, command: Places, input: ManualInput) {
    this.#session = session;
    this.#command = command;
    this.#input = input;
    for (const [parameter, flag] of Object.entries(contextFlags)) {
      const known = flag === 'change-request' ? undefined : session.settings[flag];
      if (known !== undefined) this.#parents[parameter] = known.value;
    }
  }

  filled(): Filled {
    return { session: this.#session, input: this.#input };
  }

  async fill(place: IdPlace): Promise<void> {
    const { typed, variadic, parameter } = place;
    if (typed.length === 0) return this.#fillEmpty(place);
    const ids: string[] = [];
    for (const { texts, isListed } of await this.#read(place)) {
      const lookedUp = isListed ? await this.#emailsIn(place.kind, texts) : undefined;
      for (const text of texts) {
        const asIs = isListed && !this.#session.globals.byTitle && !isEmailOf(place.kind, text);
        ids.push(lookedUp?.get(text) ?? (asIs ? text : await this.#idAt(place, text)));
      }
    }
    // An empty list is judged later, with --allow-empty.
    if (ids.length === 0) return;
    if (ids.length !== typed.length || ids.some((id, index) => id !== typed[index])) {
      this.#put(place, variadic ? ids : (ids[0] ?? ''));
    }
    if (parameter !== undefined && ids[0] !== undefined) this.#fillParent(place.place, parameter, ids[0]);
  }

  async #fillEmpty(place: IdPlace): Promise<void> {
    const { kind, parameter, needed, variadic } = place;
    // A context stands in for a flag, never for an argument that must be given.
    const isFlag = place.place.startsWith('--');
    const known = isFlag && parameter !== undefined && this.#parents[parameter] !== undefined;
    if (!needed || known || !this.#session.interactive) return;
    const id = await this.#choose(kind, place.place);
    this.#put(place, variadic ? [id] : id);
    if (!isFlag) this.#input = { ...this.#input, chosen: [...(this.#input.chosen ?? []), place.key] };
    if (parameter !== undefined) this.#parents[parameter] = id;
  }

  #fillParent(place: string, parameter: string, id: string): void {
    const address = this.#addressOf.get(parameter);
    const other = this.#parents[parameter];
    if (address !== undefined && other !== id) {
      throw usageError('contradiction', `${place} is ${id}, but ${address} is in ${other}`);
    }
    this.#parents[parameter] = id;
  }

  async one({ kind, typed, place }: OnePlace): Promise<string> {
    if (typed !== undefined) return this.#idOrTitle(kind, typed);
    if (this.#session.interactive) return this.#choose(kind, place);
    const hint = `docs ${kind.command.words}`;
    throw usageError('missing_argument', `${place} is required: the id of the ${kind.noun}`, { hint });
  }

  /** What was typed; lists in files or on standard input are read, where titles or emails in them are looked up. */
  async #read(idPlace: IdPlace): Promise<{ texts: readonly string[]; isListed: boolean }[]> {
    const { typed, place, variadic } = idPlace;
    const { globals } = this.#session;
    const looks = (globals.byTitle && variadic && typed.some(isSource)) || mayListEmails(idPlace);
    if (!looks || this.#input.literal) return [{ texts: typed, isListed: false }];
    this.#input = { ...this.#input, fromList: true };
    const name = place.replace(/^<|>$/g, '');
    return Promise.all(
      typed.map(async (text) => ({
        texts: await readIds(this.#session, [text], name),
        isListed: isSource(text),
      })),
    );
  }

  /** Ids by email, from one list, where that is less than a request for each. */
  async #emailsIn(
    kind: Resource,
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, string> | undefined> {
    const emails = texts.filter((text) => isEmailOf(kind, text));
    if (emails.length <= mostSearched) return undefined;
    const found = await findAllByTitle(await this.#client(), kind, emails, await this.#parentsOf(kind));
    for (const known of found.values()) this.#remember(known);
    this.#say(`${emails.length} emails are those of ${found.size} ${kind.plural}.`);
    return new Map([...found].map(([email, { id }]) => [email, id]));
  }

  async #idAt({ kind, taker, place }: IdPlace, text: string): Promise<string> {
    if (taker.otherKinds === undefined) return this.#idOrTitle(kind, text, taker);
    const kindsHere = [kind, ...taker.otherKinds.map((name) => resources[name])];
    const at = text.indexOf(':');
    const named = kindsHere.find(({ printed }) => printed.argument === text.slice(0, Math.max(0, at)));
    if (named !== undefined)
      return `${named.printed.argument}:${await this.#idOrTitle(named, text.slice(at + 1))}`;
    const isName = mayBeTitle(this.#session, kind, text, taker);
    if (!isName && !canBeId(text)) return text;
    const client = await this.#client();
    const lookup = (one: Resource) => ({ text, known: this.#parents, parents: () => this.#parentsOf(one) });
    return findAmong(
      kindsHere,
      { text, place, isName },
      {
        hasId: (one) => hasId(client, one, lookup(one)),
        idOf: (one) => this.#idOrTitle(one, text),
      },
    );
  }

  async #idOrTitle(kind: Resource, text: string, taker?: IdPlace['taker']): Promise<string> {
    if (!mayBeTitle(this.#session, kind, text, taker)) return text;
    return isAddress(text) ? this.#idOfAddress(kind, text) : this.#idOfTitle(kind, text);
  }

  async #idOfTitle(kind: Resource, text: string): Promise<string> {
    const client = await this.#client();
    const found = await showProgress(this.#session, `Looking for ${text}`, (progress) => {
      const parents = async () => {
        progress.hide();
        const all = await this.#parentsOf(kind);
        progress.show();
        return all;
      };
      return findByTitle(client, kind, { text, known: this.#parents, parents });
    });
    if (found.is === 'id') return found.id;
    this.#say(`${found.known.title} is ${kind.noun} ${found.known.id}.`);
    this.#remember(found.known);
    return found.known.id;
  }

  #remember({ id, title }: Known): void {
    this.#input = { ...this.#input, titles: { ...this.#input.titles, [id]: title } };
  }

  /** Prints what a title stands for. With JSON and no terminal, stderr is left to a possible error. */
  #say(text: string): void {
    const { io, settings, printer } = this.#session;
    const isJson = ['json', 'ndjson'].includes(settings.output?.value ?? '');
    if (!isJson || io.stderr.isTTY === true) printer.note(text);
  }

  /** The id that stands in an address; of what is published elsewhere, the id of what readers see there. */
  async #idOfAddress(kind: Resource, address: string): Promise<string> {
    try {
      return this.#idInAddress(kind, address);
    } catch (cause) {
      if (kind.published === undefined || !URL.canParse(address)) throw cause;
      const parents = await this.#parentsOf(kind);
      const known = await findPublished(await this.#client(), kind, address, parents);
      if (known === undefined) throw cause;
      this.#say(`${address} is ${kind.noun} ${called(known)}.`);
      this.#remember(known);
      return known.id;
    }
  }

  #idInAddress(kind: Resource, address: string): string {
    const { id, parents } = readAddress(address, kind, this.#session.settings.baseUrl?.value);
    for (const [parameter, parent] of Object.entries(parents)) {
      this.#addressOf.set(parameter, address);
      this.#parents[parameter] = parent;
      this.#putContext(parameter, parent);
    }
    return id;
  }

  /** The parents that a list needs; those that nothing names are asked for. */
  async #parentsOf({ parents }: Resource): Promise<Parents> {
    for (const parameter of parents) {
      if (this.#parents[parameter] !== undefined) continue;
      const flag = contextFlags[parameter as ContextParameter];
      if (!this.#session.interactive || flag === undefined)
        throw missingContext(this.#session, flag ?? 'org');
      const id = await this.#choose(resourceOfContext(flag), `--${flag}`);
      this.#putContext(parameter, id);
      this.#parents[parameter] = id;
    }
    return this.#parents;
  }

  /** Shows the list. Of organizations, the only one is taken. */
  async #choose(kind: Resource, place: string): Promise<string> {
    const { io, globals, printer } = this.#session;
    const list = new ListToChooseFrom(await this.#client(), kind, await this.#parentsOf(kind));
    const { known: chosen, isOnly } = await chooseOne(this.#session, list, kind, place);
    if (isOnly) return chosen.id;
    this.#remember(chosen);
    const flag = contextFlags[kind.parameter as ContextParameter];
    if (place.startsWith('--') && flag !== undefined && flag !== 'change-request') {
      const command = atPlace(`docs ${flag}s use ${chosen.id}`, globals, io.platform);
      printer.note(`To make it the default, run "${command}".`);
    }
    return chosen.id;
  }

  /** Jobs and thinking take time: where there is either, the time limit holds for each request. */
  #client(): Promise<Client> {
    const isJob = this.#command.args.some(({ variadic }) => variadic);
    return this.#session.client({ timeoutPerRequest: isJob || this.#session.interactive });
  }

  #put({ from, key, parameter }: IdPlace, value: string | string[]): void {
    this.#input = { ...this.#input, [from]: { ...this.#input[from], [key]: value } };
    if (from === 'options' && parameter !== undefined) this.#putContext(parameter, String(value));
  }

  /** A parent counts as if its flag had been given. */
  #putContext(parameter: string, id: string): void {
    const flag = contextFlags[parameter as ContextParameter];
    if (flag === undefined) return;
    if (this.#command.options.some(({ field }) => field === parameter)) {
      const key = flag === 'change-request' ? 'changeRequest' : flag;
      this.#input = { ...this.#input, options: { ...this.#input.options, [key]: id } };
    }
    if (flag === 'change-request') return;
    const settings = { ...this.#session.settings, [flag]: { value: id, source: 'flag', where: `--${flag}` } };
    this.#session = { ...this.#session, settings };
  }
}
