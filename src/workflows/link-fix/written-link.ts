/** The target of a link, image or definition, or of an attribute of HTML or of a block such as `{% embed %}`. */
export interface WrittenLink {
  /** Offsets of the target in the text, without angle brackets or quotes. */
  start: number;
  end: number;
  /** As it stands in the text. */
  raw: string;
  /** Without escapes of Markdown. */
  address: string;
  /** What readers see of it; of a definition, all texts that refer to it. */
  texts: readonly string[];
}
