import type { AnyOperation } from '../api/operation.js';
import { type Operated, operationAt } from '../api/resources/index.js';
import { shellWord } from '../base/shell-word.js';
import { jsonIn } from '../base/values.js';
import type { GroupEntry } from '../cli/declare/command.js';
import { atPlace } from '../cli/declare/global-flags.js';
import {
  type CommandOutline,
  isOfOperations,
  type OptionOutline,
  outlineTree,
} from '../cli/declare/outline.js';
import { safeLine } from '../output/text.js';

/** Which command sends a request: found in the command tree by the operation. */

/** How a command reaches the sandbox: its own flag, or the address of its server and a token. */
export type CommandTarget = { sandbox: true } | { baseUrl: string };

interface Sent {
  method: string;
  /** With its query. */
  path: string;
  /** JSON, where it was kept as it was sent; else a file stands for it. */
  body?: string | undefined;
}

export interface Copies {
  /** As a command of docs; undefined where a word could do harm when pasted. */
  command?: string;
  curl?: string;
  /** For a program. */
  fetch?: string;
}

/** Where a longer body is, or one that was not kept. */
const bodyFile = 'body.json';
const longestBody = 2000;

/** Makes texts to copy of requests. None holds a token. */
export class CommandFinder {
  readonly #byOperation = new Map<string, { words: string; node: CommandOutline }>();
  readonly #place: CommandTarget;
  readonly #platform: NodeJS.Platform;

  private constructor(place: CommandTarget, platform: NodeJS.Platform) {
    this.#place = place;
    this.#platform = platform;
  }

  static async open(
    groups: readonly GroupEntry[],
    place: CommandTarget,
    platform: NodeJS.Platform,
  ): Promise<CommandFinder> {
    const finder = new CommandFinder(place, platform);
    for (const { path, command: node } of await outlineTree(groups)) {
      if (!isOfOperations(node)) continue;
      for (const { id } of node.operations) finder.#byOperation.set(id, { words: path, node });
    }
    return finder;
  }

  /**
   * @param origin of the server, for curl
   * @param token a command that prints the token, where `--sandbox` does not send the request as the same user
   */
  copiesOf({ method, path, body }: Sent, origin: string, token?: string): Copies {
    if (!/^[!-~]+$/.test(path) || !/^[A-Z]+$/.test(method)) return {};
    const operated = operationAt({ method: method as AnyOperation['method'], path });
    const takesBody = operated?.op.body !== undefined || body !== undefined;
    const isPasted = body !== undefined && body.length <= longestBody && safeLine(body) === body;
    const text = takesBody && isPasted ? body : undefined;
    const flags = operated && text !== undefined ? this.#ofOperation(operated, text) : undefined;
    const file = text === undefined || this.#platform === 'win32' ? bodyFile : '-';
    const words =
      flags ?? (operated && this.#ofOperation(operated)) ?? this.#raw({ method, path }, takesBody);
    const named = words.replace(/ --input body\.json$/, ` --input ${file}`);
    const isOther = token !== undefined && this.#platform !== 'win32';
    const line = isOther
      ? `DOCS_BASE_URL=${origin} DOCS_TOKEN=$(${token}) ${named}`
      : atPlace(named, token === undefined ? this.#place : { baseUrl: origin }, this.#platform);
    const given = flags === undefined && file === '-' ? `printf '%s' ${this.#word(text ?? '')} | ` : '';
    return {
      command: `${given}${line}`,
      curl: this.#curl({ method, path, body: text }, origin, takesBody),
      fetch: fetchOf({ method, path, body: text }, origin, takesBody),
    };
  }

  /** The words that name the command of a request, such as `teams list`. */
  wordsOf({ method, path }: Sent): string {
    const operated = operationAt({ method: method as AnyOperation['method'], path });
    return (operated && this.#byOperation.get(operated.op.id)?.words) ?? '';
  }

  #word(text: string): string {
    return shellWord(text, this.#platform);
  }

  /** @param text a body that flags say whole; without one, a file stands for it */
  #ofOperation({ op, input }: Operated, text?: string): string | undefined {
    const found = this.#byOperation.get(op.id);
    if (found === undefined) return undefined;
    const { options } = found.node;
    const { page: _, limit: __, ...query } = input.query as Record<string, string[]>;
    const given = new Map(
      Object.entries({ ...input.path, ...query }).map(([key, value]) => [key, [value].flat()]),
    );
    if ([...given.values()].flat().some(isUnfit)) return undefined;
    const words = [`docs ${found.words}`];
    for (const { field = '', required } of found.node.args) {
      const values = given.get(field) ?? [];
      if (required && values.length === 0) return undefined;
      words.push(...values);
      given.delete(field);
    }
    for (const [field, values] of given) {
      const flag = flagWords(
        options.filter((option) => option.field === field),
        values,
      );
      if (flag === undefined) return undefined;
      words.push(...flag);
    }
    const sent = op.body === undefined ? [] : text === undefined ? inFile(options) : bodyWords(options, text);
    if (sent === undefined) return undefined;
    const [command = '', ...rest] = [...words, ...sent];
    return [command, ...rest.map((word) => this.#word(word))].join(' ');
  }

  #raw({ method, path }: Sent, body: boolean): string {
    return `docs api ${method} ${this.#word(path)}${body ? ` --input ${bodyFile}` : ''}`;
  }

  #curl({ method, path, body }: Sent, origin: string, takesBody: boolean): string {
    const verb = method === 'GET' ? '' : ` -X ${method}`;
    const said = body === undefined ? `@${bodyFile}` : this.#word(body);
    const data = takesBody ? ` -H 'Content-Type: application/json' --data ${said}` : '';
    return `curl${verb} -H "Authorization: Bearer $DOCS_TOKEN"${data} ${this.#word(origin + path)}`;
  }
}

function inFile(options: readonly OptionOutline[]): string[] | undefined {
  return options.some(({ name }) => name === 'input') ? ['--input', bodyFile] : undefined;
}

function fetchOf({ method, path, body }: Sent, origin: string, takesBody: boolean): string {
  const type = takesBody ? ", 'content-type': 'application/json'" : '';
  const said = body === undefined ? `readFileSync('${bodyFile}')` : `JSON.stringify(${body})`;
  const headers = `{ authorization: \`Bearer \${process.env.DOCS_TOKEN}\`${type} }`;
  const parts = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `headers: ${headers}`,
    ...(takesBody ? [`body: ${said}`] : []),
  ];
  return `await fetch(${JSON.stringify(origin + path)}, { ${parts.join(', ')} })`;
}

/** The flags that say a body; undefined where they do not say all of it. */
function bodyWords(options: readonly OptionOutline[], text: string): string[] | undefined {
  const words = Object.entries((jsonIn(text) as Record<string, unknown> | undefined) ?? {}).map(
    ([key, value]) => {
      const named = options.filter(
        ({ field, parsed, number, choices }) =>
          field === key && number === undefined && (parsed !== true || choices?.includes(String(value))),
      );
      if (typeof value === 'boolean')
        return flagWords(
          named.filter(({ boolean }) => boolean !== undefined),
          [String(value)],
        );
      if (typeof value !== 'string' || isUnfit(value) || value.startsWith('@')) return undefined;
      return flagWords(
        named.filter(({ boolean }) => boolean === undefined),
        [value],
      );
    },
  );
  return words.length === 0 || words.includes(undefined) ? undefined : words.flatMap((each) => each ?? []);
}

/** Whether a value could be taken for a flag, or command the terminal that it is pasted into. */
function isUnfit(value: string): boolean {
  return value === '' || value.startsWith('-') || safeLine(value) !== value;
}

/** A flag with what it says; undefined where no flag says it. */
function flagWords(options: readonly OptionOutline[], values: readonly string[]): string[] | undefined {
  for (const { name, boolean } of options) {
    if (boolean === undefined) return values.flatMap((value) => [`--${name}`, value]);
    const [value] = values;
    if (value === 'true' && boolean !== 'only-no') return [`--${name}`];
    if (value === 'false' && boolean !== true)
      return [boolean === 'no' || boolean === 'only-no' ? `--no-${name}` : `--${boolean}`];
  }
  return undefined;
}
