/** How titles, paths and ids are written in a text, so that each comes back as it was. */

/** What a title may not begin with as it is, and what may not follow a space in it: the text has a use for it. */
const starts = '"/\\[*#';
/**
 * Controls, line separators, other spaces than the plain one, invisible marks and lone surrogates. Not the joiners,
 * which emoji and some scripts need.
 */
const hidden = /(?!\u200c|\u200d| )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Cs}]/u;
const eachHidden = new RegExp(hidden, 'gu');
const plainTitle = new RegExp(`^(?![${starts} ])(?!.* [${starts}])(?!.* $).+$`, 'u');
const plainPath = /^[^\s"[\]#*]+$/u;
const plainId = /^[\w-]+$/;

export function titleText(title: string): string {
  return plainTitle.test(title) && !hidden.test(title) ? title : quoted(title);
}

/** With the slash before it. */
export function pathText(path: string): string {
  return `/${plainPath.test(path) && !hidden.test(path) ? path : quoted(path)}`;
}

export function idText(id: string): string {
  return plainId.test(id) ? id : quoted(id);
}

/** As JSON, in which nothing is invisible. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(eachHidden, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Reads a line from left to right. */
export class Words {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Whether a comment or nothing follows. */
  get isOver(): boolean {
    this.#skip();
    return this.#at >= this.#text.length || this.#text[this.#at] === '#';
  }

  /** The rest, to name what is not understood. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Takes a character, if it is next. */
  takes(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** A title that is written as it is, up to what has a meaning of its own. */
  plain(): string {
    this.#skip();
    const rest = this.rest;
    const end = rest.search(/ +(?:[/"[#]|\*(?: |$))/);
    const found = (end < 0 ? rest : rest.slice(0, end)).replace(/ +$/, '');
    this.#at += found.length;
    return found;
  }

  /** Characters up to a space or one of these. */
  until(others: string): string {
    const rest = this.rest;
    const end = [...rest].findIndex((one) => one === ' ' || others.includes(one));
    const found = end < 0 ? rest : [...rest].slice(0, end).join('');
    this.#at += found.length;
    return found;
  }

  /** A quoted text, else what comes before a space or one of these; null where the quoting is wrong. */
  quotedOr(others: string): string | null {
    const text = this.quoted();
    return text === undefined ? this.until(others) : text;
  }

  /** A quoted text, if one is next; null where its quoting is wrong. */
  quoted(): string | null | undefined {
    if (this.#text[this.#at] !== '"') return undefined;
    const [found] = /^"(?:[^"\\]|\\.)*"/.exec(this.rest) ?? [];
    if (found === undefined) return null;
    try {
      const text: unknown = JSON.parse(found);
      this.#at += found.length;
      return String(text);
    } catch {
      return null;
    }
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}
