/** The part of the DOM that the script of a report uses, as a tree that a test can read. */

type Listener = (event: object) => void;

export class FakeElement {
  readonly attributes = new Map<string, string>();
  readonly style: Record<string, unknown> = {
    setProperty: (name: string, value: string) => (this.style[name] = value),
  };
  readonly dataset: Record<string, string> = {};
  children: (FakeElement | string)[] = [];
  value = '';
  selectedIndex = 0;
  scrollTop = 0;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(readonly name: string) {}

  readonly classList = {
    contains: (name: string) => this.#classes().includes(name),
    toggle: (name: string, isOn = !this.#classes().includes(name)) => {
      const others = this.#classes().filter((one) => one !== name);
      this.attributes.set('class', (isOn ? [...others, name] : others).join(' '));
    },
  };

  #classes(): string[] {
    return (this.attributes.get('class') ?? '').split(' ').filter(Boolean);
  }

  /** The size of a drawing, as its `viewBox` says. */
  get viewBox(): { baseVal: { x: number; y: number; width: number; height: number } } {
    const [x = 0, y = 0, width = 0, height = 0] = (this.attributes.get('viewBox') ?? '')
      .split(' ')
      .map(Number);
    return { baseVal: { x, y, width, height } };
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }

  set textContent(text: string) {
    this.children = [text];
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: FakeElement[]): void {
    this.children = children;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  removeEventListener(type: string, listener: Listener): void {
    const others = (this.#listeners.get(type) ?? []).filter((one) => one !== listener);
    this.#listeners.set(type, others);
  }

  /** Calls the listeners of an event. @param more what the event has beside its type */
  does(type: string, more: object = {}): void {
    for (const listener of this.#listeners.get(type) ?? [])
      listener({ type, preventDefault: () => {}, ...more });
  }

  /** This element and all in it that have a name, and this value of an attribute if one is asked for. */
  all(name: string, attribute = '', value = ''): FakeElement[] {
    const own = this.name === name && (attribute === '' || this.attributes.get(attribute) === value);
    const below = this.children.flatMap((child) =>
      typeof child === 'string' ? [] : child.all(name, attribute, value),
    );
    return own ? [this, ...below] : below;
  }
}

/** The globals of a page. */
export const pageGlobals = {
  document: {
    createElement: (name: string) => new FakeElement(name),
    createElementNS: (_namespace: string, name: string) => new FakeElement(name),
  },
  window: { innerWidth: 1280, addEventListener: () => {} },
  requestAnimationFrame: (run: () => void) => run(),
  navigator: { maxTouchPoints: 0 },
  SVGElement: FakeElement,
};
