import type { Client } from '../../api/client.js';
import { usageError } from '../../errors.js';
import { startProgress } from '../../output/progress.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { type ContextParameter, contextFlags } from '../declare/standing-flags.js';
import { readIds } from '../parse/typed-text.js';
import { readAddress } from './address.js';
import { catalogue, type Kind, kinds } from './catalogue.js';
import { called, ListToChooseFrom } from './choose-from-list.js';
import { findByTitle, findPublished, type Known } from './find-by-title.js';
import { type Filled, type IdPlace, isAddress, isSource, mayBeTitle, missingContext } from './id-places.js';
import type { Parents } from './list-resources.js';
import { askFromList } from './prompts.js';

/** Replaces titles and addresses on a command line by ids, and asks for what is missing. */

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
  kind: Kind;
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
    const texts = await this.#read(place);
    const ids: string[] = [];
    for (const text of texts) ids.push(await this.#idAt(place, text));
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
    if (parameter !== undefined) this.#parents[parameter] = id;
  }

  #fillParent(place: string, parameter: string, id: string): void {
    const address = this.#addressOf.get(parameter);
    const other = this.#parents[parameter];
    if (address !== undefined && other !== id) {
      throw usageError('contradiction', `${place} is ${id}, but ${address} is in ${other}.`);
    }
    this.#parents[parameter] = id;
  }

  async one({ kind, typed, place }: OnePlace): Promise<string> {
    if (typed !== undefined) return this.#idOrTitle(kind, typed);
    if (this.#session.interactive) return this.#choose(kind, place);
    throw usageError('missing_argument', `${place} is required: the id of the ${kind.noun}.`);
  }

  /** What was typed; titles in a file or on standard input are read, where they are to be looked up. */
  async #read({ typed, place, variadic }: IdPlace): Promise<readonly string[]> {
    const { io, globals } = this.#session;
    if (!globals.byTitle || !variadic || !typed.some(isSource)) return typed;
    this.#input = { ...this.#input, fromList: true };
    return readIds(io, typed, place.replace(/^<|>$/g, ''));
  }

  async #idAt({ kind, taker }: IdPlace, text: string): Promise<string> {
    const at = taker.withKind ? text.indexOf(':') : -1;
    const other = kinds.find(({ name }) => name === text.slice(0, Math.max(0, at)));
    if (other === undefined) return this.#idOrTitle(kind, text, taker);
    return `${other.name}:${await this.#idOrTitle(other, text.slice(at + 1))}`;
  }

  async #idOrTitle(kind: Kind, text: string, taker?: IdPlace['taker']): Promise<string> {
    if (!mayBeTitle(this.#session, kind, text, taker)) return text;
    return isAddress(text) ? this.#idOfAddress(kind, text) : this.#idOfTitle(kind, text);
  }

  async #idOfTitle(kind: Kind, text: string): Promise<string> {
    const { io, globals } = this.#session;
    const client = await this.#client();
    const progress = startProgress(io, { text: `Looking for ${text}`, quiet: globals.quiet ?? false });
    const parents = async () => {
      progress.hide();
      const all = await this.#parentsOf(kind);
      progress.show();
      return all;
    };
    try {
      const found = await findByTitle(client, kind, { text, known: this.#parents, parents });
      progress.stop();
      if (found.is === 'id') return found.id;
      this.#say(`${found.known.title} is ${kind.noun} ${found.known.id}.`);
      this.#remember(found.known);
      return found.known.id;
    } finally {
      progress.stop();
    }
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
  async #idOfAddress(kind: Kind, address: string): Promise<string> {
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

  #idInAddress(kind: Kind, address: string): string {
    const { id, parents } = readAddress(address, kind, this.#session.settings.baseUrl?.value);
    for (const [parameter, parent] of Object.entries(parents)) {
      this.#addressOf.set(parameter, address);
      this.#parents[parameter] = parent;
      this.#putContext(parameter, parent);
    }
    return id;
  }

  /** The parents that a list needs; those that nothing names are asked for. */
  async #parentsOf({ parents }: Kind): Promise<Parents> {
    for (const parameter of parents) {
      if (this.#parents[parameter] !== undefined) continue;
      const flag = contextFlags[parameter as ContextParameter];
      if (!this.#session.interactive || flag === undefined)
        throw missingContext(this.#session, flag ?? 'org');
      const id = await this.#choose(catalogue[flag], `--${flag}`);
      this.#putContext(parameter, id);
      this.#parents[parameter] = id;
    }
    return this.#parents;
  }

  /** Shows the list. Of organizations, the only one is taken. */
  async #choose(kind: Kind, place: string): Promise<string> {
    const { io, globals, printer } = this.#session;
    const parents = await this.#parentsOf(kind);
    const list = new ListToChooseFrom(await this.#client(), kind, parents);
    const progress = startProgress(io, { text: `Fetching ${kind.plural}`, quiet: globals.quiet ?? false });
    const first = await list.first().finally(() => progress.stop());
    const [only] = first;
    if (only === undefined) {
      const message = `${place} is required, and there are no ${kind.plural} to choose from.`;
      throw usageError('missing_argument', message);
    }
    if (kind.parameter === 'organizationId' && first.length === 1) {
      printer.note(`${called(only)} is your only organization.`);
      return only.id;
    }
    const message = `${kind.noun.charAt(0).toUpperCase()}${kind.noun.slice(1)}:`;
    const chosen: Known = await askFromList(this.#session, message, (term) => list.fitting(term));
    this.#remember(chosen);
    const flag = contextFlags[kind.parameter as ContextParameter];
    if (place.startsWith('--') && flag !== undefined && flag !== 'change-request') {
      printer.note(`To make it the default, run "docs ${flag}s use ${chosen.id}".`);
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
