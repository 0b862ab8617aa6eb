import type { Font } from 'fontkit';
import type { Fonts } from './fonts.js';
import type { Picture } from './pictures.js';
import type { Part, Run } from './runs.js';

export interface Look {
  /** In points. */
  size?: number;
  color?: string;
  /** Distance from the left margin, in points. */
  indent?: number;
  /** Width of a column; default up to the right margin. */
  width?: number;
}

const linkColor = '#1d4ed8';
const lineGap = 2;

/** The paper: puts text and pictures one below the other, in points, on as many sheets as it takes. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly fonts: Fonts;
  /** Names of fonts in the document: pdfkit compares a font without one with all others. */
  readonly #names = new Map<Font, string>();
  /** How many sheets were begun. */
  #begun = 0;

  constructor(doc: PDFKit.PDFDocument, fonts: Fonts) {
    this.doc = doc;
    this.fonts = fonts;
    doc.on('pageAdded', () => {
      this.#begun += 1;
    });
  }

  get left(): number {
    return this.doc.page.margins.left;
  }

  /** Width between the margins. */
  get width(): number {
    return this.doc.page.width - this.left - this.doc.page.margins.right;
  }

  get bottom(): number {
    return this.doc.page.height - this.doc.page.margins.bottom;
  }

  /** Moves down; at the end of a sheet it is the next one's business. */
  gap(points: number): void {
    this.doc.y = Math.min(this.doc.y + points, this.bottom);
  }

  /** Begins another sheet unless so much is left of this one. */
  need(points: number): void {
    if (this.doc.y + points > this.bottom && this.doc.y > this.doc.page.margins.top) this.doc.addPage();
  }

  /** One paragraph. */
  text(runs: readonly Run[], { size = 10, color = 'black', indent = 0, width }: Look = {}): void {
    const { doc } = this;
    const left = this.left + indent;
    this.need(size + 2 * lineGap);
    for (const [index, { text, font, target, struck = false }] of runs.entries()) {
      this.#use(font);
      doc.fontSize(size).fillColor(target === undefined ? color : linkColor);
      const options = {
        lineGap,
        width: width ?? this.width - indent,
        continued: index < runs.length - 1,
        strike: struck,
        underline: target !== undefined,
        // Null ends the link of the run before; its type leaves that out.
        link: target !== undefined && 'url' in target ? target.url : null,
        goTo: (target !== undefined && 'page' in target ? target.page : null) as string,
      };
      if (index === 0) doc.text(text, left, doc.y, options);
      else doc.text(text, options);
    }
    doc.x = this.left;
  }

  parts(parts: readonly Part[], look: Look = {}): void {
    for (const part of parts) {
      if ('runs' in part) this.text(part.runs, look);
      else this.picture(part.picture, look);
    }
  }

  /** As large as it is at 96 points an inch and fits. */
  picture({ bytes, width, height }: Picture, { indent = 0 }: Look = {}): void {
    const { doc } = this;
    const most = { width: this.width - indent, height: (this.bottom - doc.page.margins.top) / 2 };
    const scale = Math.min(0.75, most.width / width, most.height / height);
    this.need(height * scale);
    doc.image(Buffer.from(bytes), this.left + indent, doc.y, {
      width: width * scale,
      height: height * scale,
    });
    doc.y += height * scale + 4;
    doc.x = this.left;
  }

  /** A line across the page. */
  rule(): void {
    const { doc } = this;
    this.need(12);
    doc
      .moveTo(this.left, doc.y + 4)
      .lineTo(this.left + this.width, doc.y + 4)
      .lineWidth(0.5)
      .stroke('#999999');
    this.gap(10);
  }

  /** A row of columns, each as wide as the others; of a row higher than a sheet, one below the other. */
  row(cells: readonly (readonly Part[])[], look: Look = {}): void {
    const { doc } = this;
    const { size = 9, indent = 0 } = look;
    const column = (this.width - indent) / cells.length;
    const width = column - 8;
    const heights = cells.map((parts) => this.#heightOf(parts, size, width));
    const highest = Math.max(...heights, size);
    if (highest > this.bottom - doc.page.margins.top) {
      for (const parts of cells) this.parts(parts, { ...look, size });
      return;
    }
    this.need(highest);
    const [top, sheets] = [doc.y, this.#begun];
    const ends = cells.map((parts, index) => {
      if (this.#begun === sheets) doc.y = top;
      this.parts(parts, { ...look, size, indent: indent + index * column, width });
      return doc.y;
    });
    doc.y = this.#begun === sheets ? Math.max(top + size, ...ends) : doc.y;
    doc
      .moveTo(this.left + indent, doc.y)
      .lineTo(this.left + this.width, doc.y)
      .lineWidth(0.5)
      .stroke('#cccccc');
    this.gap(3);
  }

  #use(font: Font): void {
    const known = this.#names.get(font);
    const name = known ?? `font ${font.postscriptName} ${this.#names.size}`;
    if (known === undefined) {
      this.#names.set(font, name);
      // A font that is open stands for its file.
      this.doc.registerFont(name, font as unknown as string);
    }
    this.doc.font(name);
  }

  #heightOf(parts: readonly Part[], size: number, width: number): number {
    const heights = parts.map((part) => {
      if ('picture' in part) return part.picture.height * 0.75;
      const [first] = part.runs;
      if (first === undefined) return 0;
      this.#use(first.font);
      this.doc.fontSize(size);
      return this.doc.heightOfString(part.runs.map(({ text }) => text).join(''), { width, lineGap });
    });
    return heights.reduce((sum, height) => sum + height, 0);
  }
}
