/** A canvas whose context keeps what is drawn, in pixels of the canvas. Every character is six pixels wide. */
import { FakeElement } from './fake-document.js';

export interface DrawnText {
  text: string;
  x: number;
  y: number;
  /** Radians, clockwise. */
  turn: number;
  font: string;
  direction: string;
}

interface DrawnBox {
  colour: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export const characterWidth = 6;

export class FakeContext {
  texts: DrawnText[] = [];
  boxes: DrawnBox[] = [];
  frames: Omit<DrawnBox, 'colour'>[] = [];
  fillStyle = '';
  strokeStyle = '';
  font = '';
  direction = 'ltr';
  textAlign = '';
  textBaseline = '';
  lineWidth = 1;
  #origin = { x: 0, y: 0, turn: 0 };
  readonly #saved: { x: number; y: number; turn: number }[] = [];

  /** Forgets what was drawn before. */
  clear(): void {
    this.texts = [];
    this.boxes = [];
    this.frames = [];
  }

  measureText(text: string): { width: number } {
    return { width: Array.from(text).length * characterWidth };
  }

  scale(): void {}

  save(): void {
    this.#saved.push({ ...this.#origin });
  }

  restore(): void {
    this.#origin = this.#saved.pop() ?? this.#origin;
  }

  translate(x: number, y: number): void {
    this.#origin = { ...this.#origin, x: this.#origin.x + x, y: this.#origin.y + y };
  }

  rotate(turn: number): void {
    this.#origin = { ...this.#origin, turn: this.#origin.turn + turn };
  }

  fillText(text: string, x: number, y: number): void {
    const { x: left, y: top, turn } = this.#origin;
    this.texts.push({ text, x: left + x, y: top + y, turn, font: this.font, direction: this.direction });
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.boxes.push({ colour: this.fillStyle, x, y, width, height });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.frames.push({ x, y, width, height });
  }
}

/** An element of a page that is drawn and measured: a canvas, or what holds one. */
export class FakeBox extends FakeElement {
  readonly context = new FakeContext();
  clientWidth = 800;
  clientHeight = 600;
  scrollLeft = 0;
  width = 0;
  height = 0;

  getContext(): FakeContext {
    return this.context;
  }

  getBoundingClientRect(): { left: number; top: number; width: number; height: number } {
    return { left: 0, top: 0, width: 100, height: 20 };
  }

  focus(): void {}
}
