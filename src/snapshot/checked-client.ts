import {
  type CallOptions,
  type Client,
  type Listing,
  type LooseInput,
  type Page,
  prepare,
} from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { misfitOf } from '../api/validate.js';
import { DocsError } from '../base/errors.js';
import { asText, defined, isObject } from '../base/values.js';
import type { Unread } from './unread.js';

/** An item of a list that lacks what the operation declares. */
interface MisfitItem {
  /** From 0, in the list as a whole. */
  index: number;
  /** Where the item tells it. */
  id?: string;
  /** What is missing or of another type, such as `user.email`; empty for the item itself. */
  field: string;
}

/** Items that the error names one by one; of more, only the number. */
const mostTold = 100;

/**
 * The same client, which checks what reads answer against the declared shapes. A list gives all items that fit, and
 * fails at its end where others do not: so whoever reads it knows that it is not whole.
 *
 * Calls fail with `bad-response`, `wrong_shape`; `misfitsOf` lists the items.
 */
export function checkedClient(client: Client): Client {
  return {
    call: ((op: AnyOperation, input: LooseInput, options?: CallOptions) => {
      const answer: unknown = client.call(op, input as Parameters<Client['call']>[1], options);
      if (op.method !== 'GET' || op.returns.kind === 'none') return answer;
      const path = () => prepare(op, input).path;
      const { returns } = op;
      return returns.kind === 'page'
        ? checkedList(answer as Listing<unknown>, (item) => misfitOf(returns.item, item), path)
        : checkedOne(answer as Promise<unknown>, (value) => misfitOf(returns.schema, value), path);
    }) as Client['call'],
    send: (request) => client.send(request),
    pagesOf: (request) => client.pagesOf(request),
    download: (url, options) => client.download(url, options),
    get platformNowMs() {
      return client.platformNowMs;
    },
    close: () => client.close(),
  };
}

type MisfitIn = (value: unknown) => string | undefined;

async function checkedOne(
  answer: Promise<unknown>,
  misfitIn: MisfitIn,
  path: () => string,
): Promise<unknown> {
  const value = await answer;
  const field = misfitIn(value);
  if (field === undefined) return value;
  const facts = { details: { field }, ...requestFacts(path) };
  throw new DocsError('bad-response', 'wrong_shape', `the response ${misfitWords(field)}`, facts);
}

function checkedList(list: Listing<unknown>, misfitIn: MisfitIn, path: () => string): Listing<unknown> {
  const pages = async function* (): AsyncGenerator<Page<unknown>> {
    const misfits: MisfitItem[] = [];
    let [count, seen] = [0, 0];
    for await (const page of list.pages()) {
      const items = page.items.filter((item, index) => {
        const field = misfitIn(item);
        if (field === undefined) return true;
        count += 1;
        if (misfits.length < mostTold) misfits.push(misfitItem(item, { index: seen + index, field }));
        return false;
      });
      seen += page.items.length;
      yield items.length === page.items.length ? page : { ...page, items };
    }
    if (count > 0) throw wrongItems(misfits, count, path);
  };
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
}

function misfitItem(item: unknown, at: { index: number; field: string }): MisfitItem {
  const id = isObject(item) ? asText(item.id) : undefined;
  return defined({ ...at, id });
}

class WrongItems extends DocsError {
  readonly misfits: readonly MisfitItem[];

  constructor(
    misfits: readonly MisfitItem[],
    message: string,
    facts: ConstructorParameters<typeof DocsError>[3],
  ) {
    super('bad-response', 'wrong_shape', message, facts);
    this.misfits = misfits;
  }
}

function wrongItems(misfits: readonly MisfitItem[], count: number, path: () => string): DocsError {
  const [first] = misfits;
  const more = count === 1 ? '' : ` So do ${count - 1} more.`;
  const name = first?.id === undefined ? `${(first?.index ?? 0) + 1}` : `${first.index + 1} (${first.id})`;
  const message = `Item ${name} of the list ${misfitWords(first?.field ?? '')}.${more}`;
  return new WrongItems(misfits, message, { details: { misfits, count }, ...requestFacts(path) });
}

function misfitWords(field: string): string {
  return field === '' ? 'is not of the declared type' : `lacks ${field}, or has it in another type`;
}

function requestFacts(path: () => string) {
  return { method: 'GET', path: path(), outcome: 'done', hint: 'docs doctor' } as const;
}

/**
 * The items because of which a list failed, each as something that could not be read.
 * @returns undefined for every other failure, after which a list may lack anything
 */
export function misfitsOf(cause: unknown, kind: string): Unread[] | undefined {
  if (!(cause instanceof WrongItems)) return undefined;
  return cause.misfits.map(({ id, index, field }) => {
    const message = `the item of the list ${misfitWords(field)}`;
    const { method, path, hint } = cause.failure;
    const error = new DocsError('bad-response', 'wrong_shape', message, defined({ method, path, hint }));
    return { kind, id: id ?? `#${index + 1}`, error };
  });
}
