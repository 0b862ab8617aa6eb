import type { Client } from '../../api/client.js';
import { usageError } from '../../errors.js';
import { startProgress } from '../../output/progress.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { type ContextParameter, contextFlags } from '../declare/standing-flags.js';
import { readIds } from '../parse/typed-text.js';
import { readAddress } from './address.js';
import { catalogue, type Kind, kinds } from './catalogue.js';
import { Choices, called } from './chooser.js';
import { findPublished, findResource, type Known } from './find-resource.js';
import type { Parents } from './listing.js';
import { missingContext } from './missing-context.js';
import { askFromList } from './prompts.js';
import { isAddress, isSource, mayBeTitle, type Reference } from './references.js';

/** Turns what people name resources by, titles and addresses, into ids, and asks for what is missing. */

/** A command line in which every resource is named by its id. */
export interface Named {
  session: Session;
  input: ManualInput;
}

/** @param references those of the command line, parents first */
export async function nameAll(
  session: Session,
  command: Command,
  input: ManualInput,
  references: readonly Reference[],
): Promise<Named> {
  const naming = new Naming(session, command, input);
  // An address names parents, too, which then need not be asked for.
  const [addresses, others] = [true, false].map((wanted) =>
    references.filter(({ typed }) => typed.some(isAddress) === wanted),
  );
  for (const reference of [...(addresses ?? []), ...(others ?? [])]) await naming.settle(reference);
  return naming.named();
}

/** What a resource is named by, outside the places that `nameAll` knows. */
export interface Place {
  kind: Kind;
  /** What was typed; undefined to ask for it. */
  typed: string | undefined;
  /** As errors name it: `<id>`, `--org`. */
  place: string;
}

/**
 * The id of one resource, for hand-written commands, and the session with the parents it was found in.
 * @throws DocsError as `findResource`; usage where nothing was typed and nobody can be asked
 */
export async function nameOne(session: Session, place: Place): Promise<{ id: string; session: Session }> {
  const nothing: ManualInput = { args: {}, options: {} };
  const naming = new Naming(session, { args: [], options: [], operations: [] }, nothing);
  const id = await naming.one(place);
  return { id, session: naming.named().session };
}

class Naming {
  readonly #command: Pick<Command, 'args' | 'options' | 'operations'>;
  #session: Session;
  #input: ManualInput;
  /** Ids of parents by path parameter. */
  readonly #parents: Record<string, string> = {};
  /** The address that named a parent. */
  readonly #addressOf = new Map<string, string>();

  constructor(
    session: Session,
    command: Pick<Command, 'args' | 'options' | 'operations'>,
    input: ManualInput,
  ) {
    this.#session = session;
    this.#command = command;
    this.#input = input;
    for (const [parameter, flag] of Object.entries(contextFlags)) {
      const known = flag === 'change-request' ? undefined : session.settings[flag];
      if (known !== undefined) this.#parents[parameter] = known.value;
    }
  }

  named(): Named {
    return { session: this.#session, input: this.#input };
  }

  /** Names what one place of the command line wants named. */
  async settle(reference: Reference): Promise<void> {
    const { typed, needed, variadic, parameter } = reference;
    if (typed.length === 0) {
      // A context stands in for a flag, never for an argument that must be given.
      const isFlag = reference.place.startsWith('--');
      const known = isFlag && parameter !== undefined && this.#parents[parameter] !== undefined;
      if (!needed || known || !this.#session.interactive) return;
      const id = await this.#choose(reference.kind, reference.place);
      this.#put(reference, variadic ? [id] : id);
      if (parameter !== undefined) this.#parents[parameter] = id;
      return;
    }
    const texts = await this.#read(reference);
    const ids: string[] = [];
    for (const text of texts) ids.push(await this.#idAt(reference, text));
    if (ids.length !== typed.length || ids.some((id, index) => id !== typed[index])) {
      this.#put(reference, variadic ? ids : (ids[0] ?? ''));
    }
    if (parameter !== undefined && ids[0] !== undefined)
      this.#settleParent(reference.place, parameter, ids[0]);
  }

  #settleParent(place: string, parameter: string, id: string): void {
    const address = this.#addressOf.get(parameter);
    const other = this.#parents[parameter];
    if (address !== undefined && other !== id) {
      throw usageError('contradiction', `${place} is ${id}, but ${address} is in ${other}.`);
    }
    this.#parents[parameter] = id;
  }

  async one({ kind, typed, place }: Place): Promise<string> {
    if (typed === undefined) {
      if (this.#session.interactive) return this.#choose(kind, place);
      throw usageError('missing_argument', `${place} is required: the id of the ${kind.noun}.`);
    }
    return mayBeTitle(this.#session, kind, typed) ? this.#idOf(kind, typed) : typed;
  }

  /** What was typed; titles in a file or on standard input are read, where they are to be looked up. */
  async #read({ typed, place, variadic }: Reference): Promise<readonly string[]> {
    const { io, globals } = this.#session;
    if (!globals.byTitle || !variadic || !typed.some(isSource)) return typed;
    this.#input = { ...this.#input, fromList: true };
    return readIds(io, typed, place.replace(/^<|>$/g, ''));
  }

  async #idAt({ kind, taker }: Reference, text: string): Promise<string> {
    const at = taker.withKind ? text.indexOf(':') : -1;
    const other = kinds.find(({ name }) => name === text.slice(0, Math.max(0, at)));
    if (other !== undefined) {
      const rest = text.slice(at + 1);
      const id = mayBeTitle(this.#session, other, rest) ? await this.#idOf(other, rest) : rest;
      return `${other.name}:${id}`;
    }
    return mayBeTitle(this.#session, kind, text, taker) ? this.#idOf(kind, text) : text;
  }

  async #idOf(kind: Kind, text: string): Promise<string> {
    if (isAddress(text)) return this.#idOfAddress(kind, text);
    const { io, globals } = this.#session;
    const client = await this.#client();
    const progress = startProgress(io, { text: `Looking for ${text}`, quiet: globals.quiet ?? false });
    try {
      const found = await findResource(client, kind, {
        text,
        known: this.#parents,
        parents: async () => {
          progress.hide();
          const parents = await this.#parentsOf(kind);
          progress.show();
          return parents;
        },
      });
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

  /** What a title came to. A machine that reads JSON gets no line beside it: stderr may be an error to come. */
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

  /** The parents that a list needs; those that nobody named are asked for. */
  async #parentsOf({ parents }: Kind): Promise<Parents> {
    for (const parameter of parents) {
      if (this.#parents[parameter] !== undefined) continue;
      const flag = contextFlags[parameter as ContextParameter];
      if (!this.#session.interactive || flag === undefined) throw missingContext(flag ?? 'org');
      this.#parents[parameter] = await this.#chooseContext(parameter, flag);
    }
    return this.#parents;
  }

  async #chooseContext(parameter: string, flag: (typeof contextFlags)[ContextParameter]): Promise<string> {
    const id = await this.#choose(catalogue[flag], `--${flag}`);
    this.#putContext(parameter, id);
    return id;
  }

  /** Shows the list. Of organizations, the only one is taken. */
  async #choose(kind: Kind, place: string): Promise<string> {
    const { io, globals, printer } = this.#session;
    const parents = await this.#parentsOf(kind);
    const choices = new Choices(await this.#client(), kind, parents);
    const progress = startProgress(io, { text: `Fetching ${kind.plural}`, quiet: globals.quiet ?? false });
    const first = await choices.first().finally(() => progress.stop());
    const [only] = first;
    if (only === undefined) {
      throw usageError(
        'missing_argument',
        `${place} is required, and there are no ${kind.plural} to choose from.`,
      );
    }
    if (kind.parameter === 'organizationId' && first.length === 1) {
      printer.note(`${called(only)} is your only organization.`);
      return only.id;
    }
    const message = `${kind.noun.charAt(0).toUpperCase()}${kind.noun.slice(1)}:`;
    const chosen: Known = await askFromList(this.#session, message, (term) => choices.fitting(term));
    this.#remember(chosen);
    const flag = contextFlags[kind.parameter as ContextParameter];
    if (place.startsWith('--') && flag !== undefined && flag !== 'change-request') {
      printer.note(`docs ${flag}s use ${chosen.id} makes it the default.`);
    }
    return chosen.id;
  }

  /** Jobs and thinking take time: where there is either, the time limit holds for each request. */
  #client(): Promise<Client> {
    const isJob = this.#command.args.some(({ variadic }) => variadic);
    return this.#session.client({ timeoutPerRequest: isJob || this.#session.interactive });
  }

  #put({ from, key, parameter }: Reference, value: string | string[]): void {
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
