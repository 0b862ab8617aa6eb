import type { AnyOperation } from '../../api/operation.js';
import { type Operated, operationAt } from '../../api/resources/index.js';
import { shellWord } from '../../base/shell-word.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import {
  type CommandOutline,
  isOfOperations,
  type OptionOutline,
  outlineTree,
} from '../../cli/declare/outline.js';
import { safeLine } from '../../output/safe-text.js';

/** Which command sends a request: found in the command tree by the operation. */

/** How a command reaches the sandbox: its own flag, or the address of its server and a token. */
export type Place = { sandbox: true } | { baseUrl: string };

interface Sent {
  method: string;
  /** With its query. */
  path: string;
}

export interface Copies {
  /** As a command of docs; undefined where a word could do harm when pasted. */
  command?: string;
  curl?: string;
}

/** Makes texts to copy of requests. None holds a token, and the log has no bodies: a file stands for them. */
export class CommandFinder {
  readonly #byOperation = new Map<string, { words: string; node: CommandOutline }>();
  readonly #place: Place;
  readonly #platform: NodeJS.Platform;

  private constructor(place: Place, platform: NodeJS.Platform) {
    this.#place = place;
    this.#platform = platform;
  }

  static async open(
    groups: readonly GroupEntry[],
    place: Place,
    platform: NodeJS.Platform,
  ): Promise<CommandFinder> {
    const finder = new CommandFinder(place, platform);
    for (const { path, node } of await outlineTree(groups)) {
      if (!isOfOperations(node)) continue;
      for (const { id } of node.operations) finder.#byOperation.set(id, { words: path, node });
    }
    return finder;
  }

  /** @param origin of the server, for curl */
  copiesOf({ method, path }: Sent, origin: string): Copies {
    if (!/^[!-~]+$/.test(path) || !/^[A-Z]+$/.test(method)) return {};
    const operated = operationAt({ method: method as AnyOperation['method'], path });
    const body = operated?.op.body !== undefined;
    const words = (operated && this.#ofOperation(operated)) ?? this.#raw({ method, path }, body);
    return {
      command: atPlace(words, this.#place, this.#platform),
      curl: this.#curl({ method, path }, origin, body),
    };
  }

  #ofOperation({ op, input }: Operated): string | undefined {
    const found = this.#byOperation.get(op.id);
    if (found === undefined) return undefined;
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
        found.node.options.filter((option) => option.field === field),
        values,
      );
      if (flag === undefined) return undefined;
      words.push(...flag);
    }
    if (op.body !== undefined) {
      if (!found.node.options.some(({ name }) => name === 'input')) return undefined;
      words.push('--input', 'body.json');
    }
    const [command = '', ...rest] = words;
    return [command, ...rest.map((word) => shellWord(word, this.#platform))].join(' ');
  }

  #raw({ method, path }: Sent, body: boolean): string {
    return `docs api ${method} ${shellWord(path, this.#platform)}${body ? ' --input body.json' : ''}`;
  }

  #curl({ method, path }: Sent, origin: string, body: boolean): string {
    const verb = method === 'GET' ? '' : ` -X ${method}`;
    const data = body ? " -H 'Content-Type: application/json' --data @body.json" : '';
    const url = shellWord(origin + path, this.#platform);
    return `curl${verb} -H "Authorization: Bearer $DOCS_TOKEN"${data} ${url}`;
  }
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
