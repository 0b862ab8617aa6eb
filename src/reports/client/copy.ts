import { button, el } from './dom.js';

/** Puts a button beside each command; both stay on one line, however the command wraps. */
export function addCopies(within: ParentNode): void {
  for (const code of within.querySelectorAll<HTMLElement>('code.cmd')) addCopy(code);
}

function addCopy(code: HTMLElement): void {
  const copy = button('Copy', async () => {
    const text = code.textContent ?? '';
    let told = 'Copied';
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      window.getSelection()?.selectAllChildren(code);
      told = 'Selected';
    }
    copy.textContent = told;
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 1500);
  });
  copy.setAttribute('aria-label', `Copy ${code.textContent}`);
  const both = el('span', { class: 'both' });
  code.replaceWith(both);
  both.append(code, copy);
}
