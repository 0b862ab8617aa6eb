import type { List, PhrasingContent, Root, RootContent, Table } from 'mdast';
import { plainText } from '../markdown.js';
import { partsOf, type Targets } from './runs.js';
import type { Look, Sheet } from './sheet.js';

const headingSizes = [16, 14, 12, 11, 10, 10];
const step = 16;

/** Writes the blocks of a text, one below the other. */
export function writeBlocks(sheet: Sheet, { children }: Root, targets: Targets): void {
  const definitions = new Map(
    children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node.url] as const] : [])),
  );
  const writer = new Writer(sheet, {
    link: (target) => targets.link(definitions.get(target) ?? target),
    picture: (target) => targets.picture(definitions.get(target) ?? target),
  });
  writer.blocks(children, {});
}

class Writer {
  readonly #sheet: Sheet;
  readonly #targets: Targets;

  constructor(sheet: Sheet, targets: Targets) {
    this.#sheet = sheet;
    this.#targets = targets;
  }

  blocks(nodes: readonly RootContent[], look: Look): void {
    for (const node of nodes) this.#block(node, look);
  }

  #block(node: RootContent, look: Look): void {
    const { indent = 0 } = look;
    if (node.type === 'heading') this.#heading(node.depth, node.children, look);
    else if (node.type === 'paragraph') this.#paragraph(node.children, look);
    else if (node.type === 'code') this.#code(node.value, indent);
    else if (node.type === 'list') this.#list(node, look);
    else if (node.type === 'table') this.#table(node, look);
    else if (node.type === 'thematicBreak') this.#sheet.rule();
    else if (node.type === 'html') this.#paragraph([{ type: 'text', value: plainText(node.value) }], look);
    else if (node.type === 'footnoteDefinition') this.blocks(node.children, { ...look, size: 8 });
    else if (node.type === 'blockquote') {
      this.blocks(node.children, { ...look, indent: indent + step, color: '#555555' });
    }
  }

  #heading(depth: number, children: readonly PhrasingContent[], look: Look): void {
    const size = headingSizes[depth - 1] ?? 10;
    this.#sheet.gap(size / 2);
    // Not alone at the end of a sheet.
    this.#sheet.need(size * 3);
    this.#sheet.parts(this.#parts(children, true), { ...look, size });
    this.#sheet.gap(size / 4);
  }

  #paragraph(children: readonly PhrasingContent[], look: Look): void {
    this.#sheet.parts(this.#parts(children), look);
    this.#sheet.gap(6);
  }

  #code(text: string, indent: number): void {
    const { fonts } = this.#sheet;
    for (const line of text.split('\n')) {
      // Spaces at the start of a line would be lost.
      const kept = line.replaceAll('\t', '    ').replace(/^ +/, (spaces) => '\u00a0'.repeat(spaces.length));
      const runs = fonts.pieces(kept === '' ? '\u00a0' : kept, { code: true });
      this.#sheet.text(runs, { size: 8.5, indent: indent + 10, color: '#333333' });
    }
    this.#sheet.gap(6);
  }

  #list({ ordered, start, children }: List, look: Look): void {
    const { doc, fonts } = this.#sheet;
    const { indent = 0, size = 10 } = look;
    for (const [index, item] of children.entries()) {
      const number = ordered ? `${(start ?? 1) + index}.` : '•';
      const sign = typeof item.checked === 'boolean' ? (item.checked ? '☑' : '☐') : number;
      this.#sheet.need(size * 2);
      const top = doc.y;
      this.#sheet.text(fonts.pieces(sign), { ...look, width: step + 8 });
      doc.y = top;
      this.blocks(item.children, { ...look, indent: indent + step + (ordered ? 4 : 0) });
      if (item.children.length === 0) this.#sheet.gap(size * 1.5);
    }
  }

  #table({ children }: Table, look: Look): void {
    for (const [index, row] of children.entries()) {
      const cells = row.children.map((cell) => this.#parts(cell.children, index === 0));
      if (cells.length > 0) this.#sheet.row(cells, look);
    }
    this.#sheet.gap(6);
  }

  #parts(children: readonly PhrasingContent[], bold = false) {
    return partsOf(children, this.#sheet.fonts, this.#targets, { bold });
  }
}
