import type { TreeNode, TreePart } from '../../document/document.js';
import { counted, grouped } from '../../output/text.js';
import { ageOf, el, onPrint } from './dom.js';
import { filterBox } from './table.js';

/** Trees of at most so many nodes are open at first. */
const openWhole = 60;

/**
 * A tree whose nodes open and close. Those below a closed one are made once it is opened.
 * @param heading id of the element that names it
 */
export function treeView({ root }: TreePart, heading: string, madeAt: number): Node[] {
  const total = sizeOf(root);
  const status = el('p', { class: 'status', role: 'status' }, counted(total, 'item'));
  const list = el('ul', { class: 'nodes root', 'aria-labelledby': heading });
  const show = (wanted: NodeFilter, depth: number) =>
    list.replaceChildren(nodeOf(root, { wanted, depth, madeAt }));
  const all = () => true;
  show(all, total <= openWhole ? Number.POSITIVE_INFINITY : 1);
  const filter = filterBox('Filter', (text) => {
    const { wanted, found } = sought(root, text);
    show(text.trim() === '' ? all : wanted, text.trim() === '' ? 1 : Number.POSITIVE_INFINITY);
    status.textContent =
      text.trim() === '' ? counted(total, 'item') : `${grouped(found)} of ${counted(total, 'item')}`;
  });
  const open = button('Open all', () => show(all, Number.POSITIVE_INFINITY));
  const close = button('Close all', () => show(all, 1));
  let before: readonly Node[] = [];
  onPrint(
    () => {
      before = [...list.childNodes];
      show(all, Number.POSITIVE_INFINITY);
    },
    () => list.replaceChildren(...before),
  );
  return [el('div', { class: 'tools' }, filter, open, close, status), list];
}

/** Whether a node is shown. */
type NodeFilter = (node: TreeNode) => boolean;

interface TreeView {
  wanted: NodeFilter;
  /** How many levels below are open. */
  depth: number;
  madeAt: number;
}

function nodeOf(node: TreeNode, look: TreeView): HTMLElement {
  const children = (node.children ?? []).filter(look.wanted);
  const line = lineOf(node, look.madeAt);
  if (children.length === 0) return el('li', {}, el('div', { class: 'leaf' }, ...line));
  const list = el('ul', { class: 'nodes' });
  const details = el('details', {}, el('summary', {}, ...line), list);
  const fill = () => {
    if (list.childElementCount > 0) return;
    list.append(...children.map((child) => nodeOf(child, { ...look, depth: look.depth - 1 })));
  };
  details.addEventListener('toggle', () => {
    if (details.open) fill();
  });
  if (look.depth > 0) {
    fill();
    details.open = true;
  }
  return el('li', {}, details);
}

function lineOf(node: TreeNode, madeAt: number): (Node | string)[] {
  const facts = (node.facts ?? []).map((fact) => el('span', { class: 'fact', dir: 'auto' }, fact));
  const age = node.at === undefined ? [] : [el('span', { class: 'fact' }, ageOf(node.at, madeAt))];
  return [
    el('span', { class: 'as' }, node.as),
    el('bdi', { class: 'label' }, node.label),
    ...[...facts, ...age].flatMap((fact) => [' ', fact]),
  ];
}

/** The nodes whose label or facts have a text, and those above them. */
function sought(root: TreeNode, text: string): { wanted: NodeFilter; found: number } {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = new Set<TreeNode>();
  let found = 0;
  const visit = (node: TreeNode): boolean => {
    const own = [node.label, node.as, ...(node.facts ?? [])].join('\n').toLowerCase();
    const isFound = words.every((word) => own.includes(word));
    if (isFound) found += 1;
    const below = (node.children ?? []).map(visit);
    if (isFound || below.includes(true)) shown.add(node);
    return shown.has(node);
  };
  visit(root);
  return { wanted: (node) => shown.has(node), found };
}

function sizeOf(node: TreeNode): number {
  return (node.children ?? []).reduce((sum, child) => sum + sizeOf(child), 1);
}

function button(label: string, act: () => void): HTMLElement {
  const made = el('button', { type: 'button', class: 'act' }, label);
  made.addEventListener('click', act);
  return made;
}
